import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { isNetwork } from './lib/networks.ts';

/**
 * Every setting of the service, in one table: the variable's name, how it is read, its default and the sentence
 * that the operator's table shows. This is the only reader of the environment. `NAME_FILE` may name a file that
 * holds the value of `NAME`, for secrets that should not stand in the environment.
 */
type Setting<T> = {
	variable: string;
	schema: z.ZodType<T>;
	standard: string | undefined;
	about: string;
	secret?: boolean;
};

const setting = <T>(row: Setting<T>): Setting<T> => row;

const wholeNumber = (least: number, most: number) =>
	z
		.string()
		.regex(/^\d+$/, 'must be a whole number')
		.transform(Number)
		.refine((n) => n >= least && n <= most, `must be between ${least} and ${most}`);

const httpUrl = z
	.string()
	.refine((text) => /^https?:\/\/[^\s/?#]+$/i.test(text) && URL.canParse(text), {
		message: 'must be http:// or https:// with a host and, where needed, a port, and nothing after it',
	})
	.transform((text) => new URL(text).origin);

const urlOf = (schemes: readonly string[]) =>
	z.string().refine((text) => URL.canParse(text) && schemes.includes(new URL(text).protocol), {
		message: `must be a URL that begins with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`,
	});

/** Who signs in, and whether it is encrypted, is the same for all of them. */
const natsUrls = z.string().refine(
	(text) => {
		const urls = text.split(',').map((url) => url.trim());
		return (
			urls.every((url) => URL.canParse(url) && /^(nats|tls):$/.test(new URL(url).protocol)) &&
			new Set(urls.map((url) => new URL(url).protocol)).size === 1
		);
	},
	{ message: 'must be URLs that all begin with nats:// or all with tls://, separated by commas' },
);

const pathOf = (example: string) =>
	z.string().regex(/^(\/[A-Za-z0-9._-]+)+$/, `must be a path such as ${example}`);

const networks = z
	.string()
	.transform((text) => text.split(/[\s,]+/).filter((entry) => entry !== ''))
	.refine(
		(entries) => entries.every(isNetwork),
		'must be a list of addresses or networks such as 10.0.0.0/8',
	);

const hosts = z
	.string()
	.transform((text) =>
		text
			.toLowerCase()
			.split(/[\s,]+/)
			.filter((entry) => entry !== ''),
	)
	.refine(
		(entries) => entries.every((entry) => URL.canParse(`http://${entry}`) && !/[/?#@\\]/.test(entry)),
		'must be a list of hosts, each with a port where that is not 80 or 443, such as ntfy.lan:8080',
	);

/** Values that stand in examples and compose files. Whoever kept one has no secret. */
const placeholders =
	/change.?me|placeholder|example|secret|password|default|insert|your.?|todo|xxxx|12345|qwert|abcdef|test/i;

const secretSchema = z
	.string()
	.refine(
		(text) => Buffer.byteLength(text) >= 32,
		'must have at least 32 bytes; `openssl rand -base64 33` makes one',
	)
	.refine(
		(text) => !placeholders.test(text),
		'looks like a placeholder; `openssl rand -base64 33` makes a real one',
	)
	.refine(
		(text) => new Set(text).size >= 12,
		'repeats too few characters; `openssl rand -base64 33` makes a real one',
	);

/** What a process of an installation can do; one box does all of it. */
export const processRoles = ['collect', 'write', 'api', 'jobs'] as const;
export type ProcessRole = (typeof processRoles)[number];

const roles = z
	.string()
	.transform((text) => text.split(/[\s,]+/).filter((entry) => entry !== ''))
	.refine(
		(entries) => entries.length > 0 && entries.every((entry) => processRoles.some((role) => role === entry)),
		`must be one or more of ${processRoles.join(', ')}`,
	)
	.transform((entries) => processRoles.filter((role) => entries.includes(role)));

const certificates = z
	.string()
	.refine((text) => text.includes('-----BEGIN CERTIFICATE-----'), 'must hold certificates in PEM')
	.optional();

const settings = {
	dataFolder: setting({
		variable: 'TIDEMARK_DATA',
		schema: z
			.string()
			.min(1, 'must not be empty')
			.transform((folder) => resolve(folder)),
		standard: './data',
		about: 'Folder for everything that Tidemark keeps.',
	}),
	roles: setting({
		variable: 'TIDEMARK_ROLES',
		schema: roles,
		standard: processRoles.join(','),
		about:
			'What this process does: collect (takes hits), write (moves them into ClickHouse), api (pages and interface), jobs (what is done by the clock). Fewer than all need DATABASE_URL and CLICKHOUSE_URL; collect alone needs DATABASE_URL.',
	}),
	port: setting({
		variable: 'TIDEMARK_PORT',
		schema: wholeNumber(0, 65_535),
		standard: '8090',
		about: 'Port to listen on; 0 takes any free one.',
	}),
	host: setting({
		variable: 'TIDEMARK_HOST',
		schema: z.string().min(1, 'must not be empty'),
		standard: '127.0.0.1',
		about: 'Address to listen on; 0.0.0.0 or :: for all.',
	}),
	workers: setting({
		variable: 'TIDEMARK_WORKERS',
		schema: wholeNumber(0, 64),
		standard: '0',
		about:
			'Processes that take requests, all on the one port; as many as there are cores is a good number where there is much to collect. Default: the service takes them itself.',
	}),
	baseUrl: setting({
		variable: 'TIDEMARK_BASE_URL',
		schema: httpUrl.optional(),
		standard: undefined,
		about:
			'Public address, such as https://stats.example.org: links in answers begin with it. Default: host and port.',
	}),
	trustedProxies: setting({
		variable: 'TIDEMARK_TRUSTED_PROXIES',
		schema: networks,
		standard: '',
		about: 'Addresses or networks of reverse proxies whose X-Forwarded-For is believed. Default: none.',
	}),
	databaseUrl: setting({
		variable: 'DATABASE_URL',
		schema: urlOf(['postgres:', 'postgresql:']).optional(),
		standard: undefined,
		about: 'A PostgreSQL server (15 or later). Default: the embedded one below the data folder.',
		secret: true,
	}),
	databaseCa: setting({
		variable: 'DATABASE_CA',
		schema: certificates,
		standard: undefined,
		about:
			'Certificates (PEM) of the authority that signed that of the PostgreSQL server; best as DATABASE_CA_FILE. With it the connection is encrypted and verified. Default: those that Node knows, where DATABASE_URL has sslmode=verify-full.',
	}),
	clickhouseUrl: setting({
		variable: 'CLICKHOUSE_URL',
		schema: urlOf(['http:', 'https:']).optional(),
		standard: undefined,
		about:
			'A ClickHouse server, as http(s)://user:password@host:8123/database. Default: the embedded engine.',
		secret: true,
	}),
	clickhouseCluster: setting({
		variable: 'CLICKHOUSE_CLUSTER',
		schema: z
			.string()
			.regex(/^[A-Za-z_][A-Za-z0-9_-]*$/, 'must be the name of a cluster in remote_servers')
			.optional(),
		standard: undefined,
		about:
			'Name in remote_servers of the cluster that the node of CLICKHOUSE_URL is of. Default: it is one server.',
	}),
	clickhouseCa: setting({
		variable: 'CLICKHOUSE_CA',
		schema: certificates,
		standard: undefined,
		about:
			'Certificates (PEM) of the authority that signed that of the ClickHouse server; best as CLICKHOUSE_CA_FILE. Default: those that Node knows.',
	}),
	natsUrl: setting({
		variable: 'NATS_URL',
		schema: natsUrls.optional(),
		standard: undefined,
		about:
			'NATS servers with JetStream that hold the event log, as nats://user:password@host:4222 or tls://…, separated by commas. Default: it is a table of PostgreSQL.',
		secret: true,
	}),
	natsCa: setting({
		variable: 'NATS_CA',
		schema: certificates,
		standard: undefined,
		about:
			'Certificates (PEM) of the authority that signed that of a NATS server with tls://; best as NATS_CA_FILE. Default: those that Node knows.',
	}),
	natsMonitorUrl: setting({
		variable: 'NATS_MONITOR_URL',
		schema: httpUrl.optional(),
		standard: undefined,
		about:
			'Monitoring port of a NATS server that stands alone, http with host and port (usually 127.0.0.1:8222): it is asked at start whether it writes each message to its disk.',
	}),
	natsPartitions: setting({
		variable: 'NATS_PARTITIONS',
		schema: wholeNumber(1, 64),
		standard: '4',
		about: 'Streams that the event log in NATS is spread over; what the first start has taken stays.',
	}),
	engineMemoryMb: setting({
		variable: 'TIDEMARK_ENGINE_MEMORY_MB',
		schema: wholeNumber(256, 1_048_576),
		standard: '1024',
		about: 'Memory that the embedded statistics engine may use, in MB.',
	}),
	secret: setting({
		variable: 'TIDEMARK_SECRET',
		schema: secretSchema.optional(),
		standard: undefined,
		about:
			'Secret that the other ones are derived from; equal on all processes of an installation. Default: made at first start.',
		secret: true,
	}),
	collectPath: setting({
		variable: 'TIDEMARK_COLLECT_PATH',
		schema: pathOf('/tm'),
		standard: '/tm',
		about: 'Where hits are sent to; another name may pass where blockers know this one.',
	}),
	scriptPath: setting({
		variable: 'TIDEMARK_SCRIPT_PATH',
		schema: pathOf('/tm.js'),
		standard: '/tm.js',
		about: 'Where the tracker is served.',
	}),
	hitLimit: setting({
		variable: 'TIDEMARK_HIT_LIMIT',
		schema: wholeNumber(1, 100_000_000),
		standard: '3000',
		about:
			'Hits a minute from one public IPv4 address or /64 network of IPv6; beyond it they are refused before they are read.',
	}),
	websiteHitLimit: setting({
		variable: 'TIDEMARK_WEBSITE_HIT_LIMIT',
		schema: wholeNumber(1, 100_000_000),
		standard: '1000',
		about:
			'Hits a second that one website may get, in each process that collects, and ten seconds of that at once; beyond it they are refused before they are read, and counted. `tidemark account limit --hits` sets it for the websites of one account.',
	}),
	maxLogMb: setting({
		variable: 'TIDEMARK_MAX_LOG_MB',
		schema: wholeNumber(16, 1_048_576),
		standard: '4096',
		about:
			'How much may wait in the event log while ClickHouse is away, in MB; beyond it hits are answered 503.',
	}),
	geoFile: setting({
		variable: 'TIDEMARK_GEO_FILE',
		schema: z.string().optional(),
		standard: undefined,
		about: 'A database of places (.mmdb). Default: the one that comes along, which knows countries.',
	}),
	rateLimit: setting({
		variable: 'TIDEMARK_RATE_LIMIT',
		schema: wholeNumber(1, 100_000_000),
		standard: '600',
		about:
			'Requests a minute that an API key or a signed-in account may make, or an address that looks at shared statistics.',
	}),
	authFailureLimit: setting({
		variable: 'TIDEMARK_AUTH_FAILURE_LIMIT',
		schema: wholeNumber(1, 100_000_000),
		standard: '60',
		about: 'Requests a minute that an address may make without a valid key or session.',
	}),
	publicStats: setting({
		variable: 'TIDEMARK_PUBLIC_STATS',
		schema: z.enum(['on', 'off'], { error: 'must be on or off' }),
		standard: 'on',
		about:
			'Whether statistics of websites that are public or have a password are shown to people without an account; off shuts them all.',
	}),
	smtpHost: setting({
		variable: 'TIDEMARK_SMTP_HOST',
		schema: z.string().min(1, 'must not be empty').optional(),
		standard: undefined,
		about: 'The server that mail is given to. Default: none, and nothing is mailed.',
	}),
	smtpPort: setting({
		variable: 'TIDEMARK_SMTP_PORT',
		schema: wholeNumber(1, 65_535),
		standard: '587',
		about: 'Its port.',
	}),
	smtpTls: setting({
		variable: 'TIDEMARK_SMTP_TLS',
		schema: z.enum(['starttls', 'tls', 'none'], { error: 'must be starttls, tls or none' }),
		standard: 'starttls',
		about:
			'How the connection is encrypted: starttls (port 587), tls (port 465), or none, for a server on the same machine.',
	}),
	smtpUser: setting({
		variable: 'TIDEMARK_SMTP_USER',
		schema: z.string().optional(),
		standard: undefined,
		about: 'Whom the mail server knows us as. Default: nobody signs in there.',
	}),
	smtpPassword: setting({
		variable: 'TIDEMARK_SMTP_PASSWORD',
		schema: z.string().optional(),
		standard: undefined,
		about: 'The password for that.',
		secret: true,
	}),
	mailFrom: setting({
		variable: 'TIDEMARK_MAIL_FROM',
		schema: z
			.string()
			.regex(
				/^(?:[^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/,
				'must be an address such as stats@example.com or Tidemark <stats@example.com>',
			)
			.optional(),
		standard: undefined,
		about: 'Whom mail is from: an address, or a name with an address, such as Tidemark <stats@example.com>.',
	}),
	mailsPerAccountADay: setting({
		variable: 'TIDEMARK_MAILS_PER_ACCOUNT_A_DAY',
		schema: wholeNumber(0, 100_000_000),
		standard: '10000',
		about:
			'Reports, alerts, confirmations and invitations that are mailed a day (of UTC) in the name of one account; more are not sent.',
	}),
	mailsADay: setting({
		variable: 'TIDEMARK_MAILS_A_DAY',
		schema: wholeNumber(0, 100_000_000),
		standard: '100000',
		about: 'The same for all accounts together, as your mail server allows it.',
	}),
	webhookAllowedHosts: setting({
		variable: 'TIDEMARK_WEBHOOK_ALLOWED_HOSTS',
		schema: hosts,
		standard: '',
		about:
			'Hosts of your own network, such as ntfy.lan or 192.168.1.5:8080, that alerts may be sent to. Default: none, and public ones on ports 80 and 443.',
	}),
	backupPassphrase: setting({
		variable: 'TIDEMARK_BACKUP_PASSPHRASE',
		schema: z
			.string()
			.refine((text) => [...text].length >= 16, 'must have at least 16 characters; six random words are good')
			.optional(),
		standard: undefined,
		about: 'Encrypts backups, and opens them again. Default: they are not encrypted.',
		secret: true,
	}),
	upgradeBackup: setting({
		variable: 'TIDEMARK_UPGRADE_BACKUP',
		schema: z.enum(['on', 'off'], { error: 'must be on or off' }),
		standard: 'on',
		about:
			'Whether a backup is made below the data folder before a new version changes its databases; the last three are kept.',
	}),
	metricsToken: setting({
		variable: 'TIDEMARK_METRICS_TOKEN',
		schema: secretSchema.optional(),
		standard: undefined,
		about:
			'Opens /metrics to whoever sends it as a Bearer token. Default: /metrics is on the control socket only.',
		secret: true,
	}),
	logLevel: setting({
		variable: 'TIDEMARK_LOG_LEVEL',
		schema: z.enum(['error', 'warn', 'info', 'debug', 'silent'], {
			error: 'must be error, warn, info, debug or silent',
		}),
		standard: 'info',
		about: 'How much is logged: error, warn, info, debug or silent.',
	}),
	stopSeconds: setting({
		variable: 'TIDEMARK_STOP_SECONDS',
		schema: wholeNumber(1, 600),
		standard: '10',
		about: 'How long a stop waits for requests that are under way.',
	}),
	drainSeconds: setting({
		variable: 'TIDEMARK_DRAIN_SECONDS',
		schema: wholeNumber(0, 600),
		standard: '0',
		about:
			'How long a stop goes on taking requests before that, while /health/ready says that it is stopping; set it to what your load balancer needs to notice.',
	}),
};

type SettingName = keyof typeof settings;
type Parsed = { [K in SettingName]: z.output<(typeof settings)[K]['schema']> };

export type Config = Readonly<Parsed> & {
	/** Where each value came from, for `tidemark config`. */
	readonly origins: Readonly<Record<SettingName, 'default' | 'environment' | 'file' | 'command line'>>;
};

/** Everything that is wrong with the settings, at once. */
export class ConfigError extends Error {
	readonly faults: readonly string[];
	constructor(faults: readonly string[]) {
		super(faults.join('\n'));
		this.name = 'ConfigError';
		this.faults = faults;
	}
}

export type Environment = Readonly<Record<string, string | undefined>>;
export type Flags = Partial<Record<SettingName, string | undefined>>;

export function readConfig(environment: Environment, flags: Flags = {}): Config {
	const faults: string[] = [];
	const values: Record<string, unknown> = {};
	const origins: Record<string, string> = {};
	for (const [name, row] of Object.entries(settings)) {
		// Object.entries forgets that the names are those of the table.
		const found = findValue(row, environment, flags[name as SettingName], faults);
		const result = row.schema.safeParse(found.text);
		if (result.success) values[name] = result.data;
		else for (const issue of result.error.issues) faults.push(`${row.variable} ${issue.message}.`);
		origins[name] = found.origin;
	}
	if (values.smtpHost !== undefined && values.mailFrom === undefined)
		faults.push('TIDEMARK_MAIL_FROM must be set where TIDEMARK_SMTP_HOST is: mail needs a sender.');
	// Each member that is there was parsed by the schema of its own row.
	faults.push(...faultsOfServers(values as Partial<Parsed>));
	if (values.clickhouseCluster !== undefined && values.clickhouseUrl === undefined)
		faults.push('CLICKHOUSE_URL must be set where CLICKHOUSE_CLUSTER is: it names a node of the cluster.');
	faults.push(...unknownVariables(environment));
	if (faults.length > 0) throw new ConfigError(faults);
	// Each member was parsed by the schema of its own row.
	return Object.freeze({ ...values, origins: Object.freeze(origins) } as unknown as Config);
}

/** What roles need of servers, and certificates that nobody would look at. */
function faultsOfServers({
	roles: chosen = [...processRoles],
	databaseUrl,
	databaseCa,
	clickhouseUrl,
	clickhouseCa,
}: Partial<Parsed>): string[] {
	const faults: string[] = [];
	if (chosen.length < processRoles.length) {
		const of = `TIDEMARK_ROLES is ${chosen.join(',')}`;
		if (databaseUrl === undefined)
			faults.push(
				`DATABASE_URL must be set where ${of}: processes that share the work share one PostgreSQL server.`,
			);
		if (clickhouseUrl === undefined && chosen.some((role) => role !== 'collect'))
			faults.push(
				`CLICKHOUSE_URL must be set where ${of}: processes that share the work share one ClickHouse server.`,
			);
	}
	const mode = databaseUrl === undefined ? null : new URL(databaseUrl).searchParams.get('sslmode');
	if (databaseCa !== undefined && (mode === 'disable' || mode === 'no-verify'))
		faults.push(
			`DATABASE_CA is set and DATABASE_URL says sslmode=${mode}, which would not look at it; remove one.`,
		);
	if (clickhouseCa !== undefined && !clickhouseUrl?.startsWith('https:'))
		faults.push('CLICKHOUSE_CA is set and CLICKHOUSE_URL is no https:// address; change one.');
	return faults;
}

function findValue(
	row: Setting<unknown>,
	environment: Environment,
	flag: string | undefined,
	faults: string[],
) {
	if (flag !== undefined) return { text: flag, origin: 'command line' };
	const direct = environment[row.variable];
	const file = environment[`${row.variable}_FILE`];
	if (direct && file) faults.push(`${row.variable} and ${row.variable}_FILE are both set; keep one.`);
	if (direct) return { text: direct, origin: 'environment' };
	if (file) {
		try {
			// Bit by bit as `chmod` has them: read, for all others.
			if (row.secret && (statSync(file).mode & 0o004) !== 0)
				faults.push(
					`${row.variable}_FILE names a file that everybody on this machine can read; run: chmod o-r ${file}`,
				);
			return { text: readFileSync(file, 'utf8').trim(), origin: 'file' };
		} catch (error) {
			faults.push(`${row.variable}_FILE cannot be read: ${error instanceof Error ? error.message : error}.`);
		}
	}
	return { text: row.standard, origin: 'default' };
}

/** Variables that the program hands to its own children and tests. */
const ownVariables = new Set(['TIDEMARK_LAUNCHER_PID']);

/** A misspelt variable would otherwise be a setting that silently does nothing. */
function unknownVariables(environment: Environment): string[] {
	const known = new Set(Object.values(settings).flatMap(({ variable }) => [variable, `${variable}_FILE`]));
	return Object.keys(environment)
		.filter((name) => name.startsWith('TIDEMARK_') && !known.has(name) && !ownVariables.has(name))
		.map((name) => `${name} is not a setting; \`tidemark config\` lists them all.`);
}

/** The operator's table: what can be set, what is set, and what it means. Secrets are named, never shown. */
export function describeSettings(
	config?: Config,
): { variable: string; value: string; origin: string; about: string }[] {
	return Object.entries(settings).map(([name, row]: [string, Setting<unknown>]) => {
		// As above: the names are those of the table.
		const key = name as SettingName;
		const value = config ? config[key] : row.standard;
		const shown = Array.isArray(value) ? value.join(' ') : (value ?? '');
		return {
			variable: row.variable,
			value: row.secret && shown !== '' ? '(set)' : String(shown),
			origin: config ? config.origins[key] : 'default',
			about: row.about,
		};
	});
}

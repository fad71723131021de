import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { keysOf } from './lib/keys-of.ts';
import { isNetwork } from './lib/networks.ts';

/**
 * Every setting of the service in one table: variable, schema, default and the description in docs/settings.md. Only this
 * module reads settings from the environment. `NAME_FILE` may name a file with the value of `NAME`, for secrets.
 */
type Setting<T> = {
	variable: string;
	schema: z.ZodType<T>;
	default: string | undefined;
	description: string;
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
		message: 'must be http:// or https:// with a host and an optional port, and no path',
	})
	.transform((text) => new URL(text).origin);

const urlOf = (schemes: readonly string[]) =>
	z.string().refine((text) => URL.canParse(text) && schemes.includes(new URL(text).protocol), {
		message: `must be a URL that starts with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`,
	});

/** The client connects to all servers with the same credentials and encryption. */
const natsUrls = z.string().refine(
	(text) => {
		const urls = text.split(',').map((url) => url.trim());
		return (
			urls.every((url) => URL.canParse(url) && /^(nats|tls):$/.test(new URL(url).protocol)) &&
			new Set(urls.map((url) => new URL(url).protocol)).size === 1
		);
	},
	{ message: 'must be URLs separated by commas that all start with nats:// or all with tls://' },
);

const pathOf = (example: string) =>
	z.string().regex(/^(\/[A-Za-z0-9._-]+)+$/, `must be a path such as ${example}`);

const networks = z
	.string()
	.transform((text) => text.split(/[\s,]+/).filter((entry) => entry !== ''))
	.refine(
		(entries) => entries.every(isNetwork),
		'must be a list of IP addresses or networks such as 10.0.0.0/8',
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
		'must be a list of hosts such as ntfy.lan:8080; the port is needed unless it is 80 or 443',
	);

/** Values from examples and compose files, which are public. */
const placeholders =
	/change.?me|placeholder|example|secret|password|default|insert|your.?|todo|xxxx|12345|qwert|abcdef|test/i;

const secretSchema = z
	.string()
	.refine(
		(text) => Buffer.byteLength(text) >= 32,
		'must have at least 32 bytes; generate one with `openssl rand -base64 33`',
	)
	.refine(
		(text) => !placeholders.test(text),
		'looks like a placeholder; generate one with `openssl rand -base64 33`',
	)
	.refine(
		(text) => new Set(text).size >= 12,
		'has too few different characters; generate one with `openssl rand -base64 33`',
	);

/** Roles of a process; a single-process installation has all of them. */
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
	.refine((text) => text.includes('-----BEGIN CERTIFICATE-----'), 'must contain PEM certificates')
	.optional();

const settings = {
	dataFolder: setting({
		variable: 'TIDEMARK_DATA',
		schema: z
			.string()
			.min(1, 'must not be empty')
			.transform((folder) => resolve(folder)),
		default: './data',
		description: 'Folder for all data of the service.',
	}),
	roles: setting({
		variable: 'TIDEMARK_ROLES',
		schema: roles,
		default: processRoles.join(','),
		description:
			'Roles of this process: collect (receives hits), write (writes them to ClickHouse), api (dashboard and API), jobs (scheduled jobs). A process without all four roles needs DATABASE_URL and CLICKHOUSE_URL; collect alone needs only DATABASE_URL.',
	}),
	port: setting({
		variable: 'TIDEMARK_PORT',
		schema: wholeNumber(0, 65_535),
		default: '8090',
		description: 'Port to listen on. 0 picks a free port.',
	}),
	host: setting({
		variable: 'TIDEMARK_HOST',
		schema: z.string().min(1, 'must not be empty'),
		default: '127.0.0.1',
		description: 'Address to listen on. 0.0.0.0 or :: listens on all interfaces.',
	}),
	workers: setting({
		variable: 'TIDEMARK_WORKERS',
		schema: wholeNumber(0, 64),
		default: '0',
		description:
			'Number of worker processes that share the port. One per core suits a busy installation. Default: the main process serves all requests.',
	}),
	baseUrl: setting({
		variable: 'TIDEMARK_BASE_URL',
		schema: httpUrl.optional(),
		default: undefined,
		description:
			'Public URL, such as https://stats.example.org. Links start with it. Default: the URL entered when the first account was created, otherwise host and port.',
	}),
	trustedProxies: setting({
		variable: 'TIDEMARK_TRUSTED_PROXIES',
		schema: networks,
		default: '',
		description:
			'IP addresses or networks of reverse proxies whose X-Forwarded-For header is trusted. Default: none.',
	}),
	databaseUrl: setting({
		variable: 'DATABASE_URL',
		schema: urlOf(['postgres:', 'postgresql:']).optional(),
		default: undefined,
		description:
			'URL of a PostgreSQL server (15 or later). Default: the embedded PostgreSQL in the data folder.',
		secret: true,
	}),
	databaseCa: setting({
		variable: 'DATABASE_CA',
		schema: certificates,
		default: undefined,
		description:
			'CA certificates (PEM) of the PostgreSQL server, preferably as DATABASE_CA_FILE. Enables TLS with verification. Default: the CA certificates of Node, if DATABASE_URL has sslmode=verify-full.',
	}),
	clickhouseUrl: setting({
		variable: 'CLICKHOUSE_URL',
		schema: urlOf(['http:', 'https:']).optional(),
		default: undefined,
		description:
			'URL of a ClickHouse server, as http(s)://user:password@host:8123/database. Default: the embedded ClickHouse engine.',
		secret: true,
	}),
	clickhouseReadUser: setting({
		variable: 'CLICKHOUSE_READ_USER',
		schema: z.string().min(1, 'must not be empty').optional(),
		default: undefined,
		description:
			'Second ClickHouse user with readonly = 2, for statistics and exports. Default: the user of CLICKHOUSE_URL.',
	}),
	clickhouseReadPassword: setting({
		variable: 'CLICKHOUSE_READ_PASSWORD',
		schema: z.string().optional(),
		default: undefined,
		description: 'Password of CLICKHOUSE_READ_USER.',
		secret: true,
	}),
	clickhouseCluster: setting({
		variable: 'CLICKHOUSE_CLUSTER',
		schema: z
			.string()
			.regex(/^[A-Za-z_][A-Za-z0-9_-]*$/, 'must be the name of a cluster in remote_servers')
			.optional(),
		default: undefined,
		description:
			'Name in remote_servers of the cluster that CLICKHOUSE_URL belongs to. Default: a single server.',
	}),
	clickhouseCa: setting({
		variable: 'CLICKHOUSE_CA',
		schema: certificates,
		default: undefined,
		description:
			'CA certificates (PEM) of the ClickHouse server, preferably as CLICKHOUSE_CA_FILE. Default: the CA certificates of Node.',
	}),
	natsUrl: setting({
		variable: 'NATS_URL',
		schema: natsUrls.optional(),
		default: undefined,
		description:
			'URLs of the NATS servers whose JetStream holds the event log, as nats://user:password@host:4222 or tls://…, separated by commas. Default: the event log is a PostgreSQL table.',
		secret: true,
	}),
	natsCa: setting({
		variable: 'NATS_CA',
		schema: certificates,
		default: undefined,
		description:
			'CA certificates (PEM) of the NATS servers, for tls:// URLs, preferably as NATS_CA_FILE. Default: the CA certificates of Node.',
	}),
	natsMonitorUrl: setting({
		variable: 'NATS_MONITOR_URL',
		schema: httpUrl.optional(),
		default: undefined,
		description:
			'Monitoring URL of a single NATS server (usually on port 8222). At startup, Tidemark checks there that NATS syncs every message to disk.',
	}),
	natsPartitions: setting({
		variable: 'NATS_PARTITIONS',
		schema: wholeNumber(1, 64),
		default: '4',
		description: 'Number of JetStream streams for the event log. Fixed at the first start.',
	}),
	engineMemoryMb: setting({
		variable: 'TIDEMARK_ENGINE_MEMORY_MB',
		schema: wholeNumber(256, 1_048_576),
		default: '1024',
		description: 'Memory limit of the embedded ClickHouse engine, in MB.',
	}),
	secret: setting({
		variable: 'TIDEMARK_SECRET',
		schema: secretSchema.optional(),
		default: undefined,
		description:
			'Secret that all other secrets are derived from. Must be the same for all processes of an installation. Default: generated at the first start.',
		secret: true,
	}),
	collectPath: setting({
		variable: 'TIDEMARK_COLLECT_PATH',
		schema: pathOf('/tm'),
		default: '/tm',
		description: 'Path that the tracker sends hits to. Change it if ad blockers block the default.',
	}),
	scriptPath: setting({
		variable: 'TIDEMARK_SCRIPT_PATH',
		schema: pathOf('/tm.js'),
		default: '/tm.js',
		description: 'Path of the tracker script.',
	}),
	hitLimit: setting({
		variable: 'TIDEMARK_HIT_LIMIT',
		schema: wholeNumber(1, 100_000_000),
		default: '3000',
		description:
			'Hits per minute from one public IPv4 address or IPv6 /64 network. Further hits are rejected before they are parsed.',
	}),
	websiteHitLimit: setting({
		variable: 'TIDEMARK_WEBSITE_HIT_LIMIT',
		schema: wholeNumber(1, 100_000_000),
		default: '1000',
		description:
			'Hits per second for one website in each collecting process, with bursts of ten seconds’ worth. Further hits are rejected before they are parsed, and counted. `tidemark account limit --hits` sets it for the websites of one account.',
	}),
	maxLogMb: setting({
		variable: 'TIDEMARK_MAX_LOG_MB',
		schema: wholeNumber(16, 1_048_576),
		default: '4096',
		description:
			'Maximum size of the event log while ClickHouse is unavailable, in MB. Above it, hits are answered with 503.',
	}),
	geoFile: setting({
		variable: 'TIDEMARK_GEO_FILE',
		schema: z.string().optional(),
		default: undefined,
		description:
			'Path of a geolocation database (.mmdb), read at startup. Default: the database that `tidemark geo` installed, otherwise the bundled country database.',
	}),
	rateLimit: setting({
		variable: 'TIDEMARK_RATE_LIMIT',
		schema: wholeNumber(1, 100_000_000),
		default: '600',
		description:
			'Requests per minute for one API key, one signed-in account, or one IP address that views shared statistics.',
	}),
	authFailureLimit: setting({
		variable: 'TIDEMARK_AUTH_FAILURE_LIMIT',
		schema: wholeNumber(1, 100_000_000),
		default: '60',
		description: 'Requests per minute from one IP address without a valid API key or session.',
	}),
	publicStats: setting({
		variable: 'TIDEMARK_PUBLIC_STATS',
		schema: z.enum(['on', 'off'], { error: 'must be on or off' }),
		default: 'on',
		description:
			'Whether public and password-protected statistics are visible without an account. off disables all of them.',
	}),
	smtpHost: setting({
		variable: 'TIDEMARK_SMTP_HOST',
		schema: z.string().min(1, 'must not be empty').optional(),
		default: undefined,
		description: 'SMTP server. Default: none; no mail is sent.',
	}),
	smtpPort: setting({
		variable: 'TIDEMARK_SMTP_PORT',
		schema: wholeNumber(1, 65_535),
		default: '587',
		description: 'SMTP port.',
	}),
	smtpTls: setting({
		variable: 'TIDEMARK_SMTP_TLS',
		schema: z.enum(['starttls', 'tls', 'none'], { error: 'must be starttls, tls or none' }),
		default: 'starttls',
		description:
			'SMTP encryption: starttls (port 587), tls (port 465), or none for a server on the same machine.',
	}),
	smtpUser: setting({
		variable: 'TIDEMARK_SMTP_USER',
		schema: z.string().optional(),
		default: undefined,
		description: 'SMTP user name. Default: no authentication.',
	}),
	smtpPassword: setting({
		variable: 'TIDEMARK_SMTP_PASSWORD',
		schema: z.string().optional(),
		default: undefined,
		description: 'SMTP password.',
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
		default: undefined,
		description:
			'Sender of mail: an address, or a name with an address, such as Tidemark <stats@example.com>.',
	}),
	mailsPerAccountADay: setting({
		variable: 'TIDEMARK_MAILS_PER_ACCOUNT_A_DAY',
		schema: wholeNumber(0, 100_000_000),
		default: '10000',
		description:
			'Maximum number of reports, alerts, confirmations and invitations sent per account and day (UTC). Further mail is not sent.',
	}),
	mailsADay: setting({
		variable: 'TIDEMARK_MAILS_A_DAY',
		schema: wholeNumber(0, 100_000_000),
		default: '100000',
		description:
			'Maximum number of reports, alerts, confirmations and invitations sent per day (UTC) for all accounts together. Set it to the limit of your mail server.',
	}),
	webhookAllowedHosts: setting({
		variable: 'TIDEMARK_WEBHOOK_ALLOWED_HOSTS',
		schema: hosts,
		default: '',
		description:
			'Hosts in your own network that webhooks may call, such as ntfy.lan or 192.168.1.5:8080. Default: none; only public hosts on ports 80 and 443.',
	}),
	backupPassphrase: setting({
		variable: 'TIDEMARK_BACKUP_PASSPHRASE',
		schema: z
			.string()
			.refine(
				(text) => [...text].length >= 16,
				'must have at least 16 characters; use six random words, for example',
			)
			.optional(),
		default: undefined,
		description: 'Passphrase that encrypts and decrypts backups. Default: backups are not encrypted.',
		secret: true,
	}),
	upgradeBackup: setting({
		variable: 'TIDEMARK_UPGRADE_BACKUP',
		schema: z.enum(['on', 'off'], { error: 'must be on or off' }),
		default: 'on',
		description:
			'Whether to write a backup to the data folder before a new version migrates the databases. The last three are kept.',
	}),
	metricsToken: setting({
		variable: 'TIDEMARK_METRICS_TOKEN',
		schema: secretSchema.optional(),
		default: undefined,
		description: 'Bearer token for /metrics. Default: /metrics is available on the control socket only.',
		secret: true,
	}),
	securityContact: setting({
		variable: 'TIDEMARK_SECURITY_CONTACT',
		schema: z
			.string()
			.regex(/^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/, 'must be mailto:name@example.com or https://…')
			.optional(),
		default: undefined,
		description:
			'Contact for security reports, such as mailto:security@example.com or https://example.com/security. Published at /.well-known/security.txt. Default: that page returns 404.',
	}),
	logLevel: setting({
		variable: 'TIDEMARK_LOG_LEVEL',
		schema: z.enum(['error', 'warn', 'info', 'debug', 'silent'], {
			error: 'must be error, warn, info, debug or silent',
		}),
		default: 'info',
		description: 'Log level: error, warn, info, debug or silent.',
	}),
	logFormat: setting({
		variable: 'TIDEMARK_LOG_FORMAT',
		schema: z.enum(['auto', 'json', 'text'], { error: 'must be auto, json or text' }),
		default: 'auto',
		description:
			'Format of the log: json (one object per line), text (one short line per entry), or auto (text if stderr is a terminal, else json). The log goes to stderr.',
	}),
	stopSeconds: setting({
		variable: 'TIDEMARK_STOP_SECONDS',
		schema: wholeNumber(1, 600),
		default: '10',
		description: 'Seconds that a shutdown waits for requests in progress.',
	}),
	drainSeconds: setting({
		variable: 'TIDEMARK_DRAIN_SECONDS',
		schema: wholeNumber(0, 600),
		default: '0',
		description:
			'Seconds that a shutdown keeps accepting requests while /health/ready already reports that the service is stopping. TIDEMARK_STOP_SECONDS begins after that. Set it to the time your load balancer needs to react.',
	}),
};

type SettingName = keyof typeof settings;
type Parsed = { [K in SettingName]: z.output<(typeof settings)[K]['schema']> };

export type Config = Readonly<Parsed> & {
	/** Where each value came from, for `tidemark config`. */
	readonly origins: Readonly<Record<SettingName, 'default' | 'environment' | 'file' | 'command line'>>;
};

/** Whether the data folder contains an embedded database, so that its disk space matters. */
export const hasOwnDatabase = ({
	databaseUrl,
	clickhouseUrl,
	roles,
}: Pick<Config, 'databaseUrl' | 'clickhouseUrl' | 'roles'>): boolean =>
	databaseUrl === undefined || (clickhouseUrl === undefined && roles.some((role) => role !== 'collect'));

/** Lists all invalid settings at once. */
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
	for (const name of keysOf(settings)) {
		const row: Setting<unknown> = settings[name];
		const found = findValue(row, environment, flags[name], faults);
		const result = row.schema.safeParse(found.text);
		if (result.success) values[name] = result.data;
		else for (const issue of result.error.issues) faults.push(`${row.variable} ${issue.message}.`);
		origins[name] = found.origin;
	}
	if (values.smtpHost !== undefined && values.mailFrom === undefined)
		faults.push('TIDEMARK_SMTP_HOST is set; set TIDEMARK_MAIL_FROM too: mail needs a sender.');
	// Each value was parsed by the schema of its own row.
	faults.push(...serverFaults(values as Partial<Parsed>));
	if (values.clickhouseCluster !== undefined && values.clickhouseUrl === undefined)
		faults.push('CLICKHOUSE_CLUSTER is set; set CLICKHOUSE_URL too, to a node of the cluster.');
	if (values.clickhouseReadUser !== undefined && values.clickhouseUrl === undefined)
		faults.push('CLICKHOUSE_READ_USER is set; set CLICKHOUSE_URL too, to the server of that user.');
	faults.push(...unknownVariables(environment));
	if (faults.length > 0) throw new ConfigError(faults);
	// As above, and none is missing.
	return Object.freeze({ ...values, origins: Object.freeze(origins) } as unknown as Config);
}

/** Servers that the roles need but are not set, and CA certificates that would have no effect. */
function serverFaults({
	roles: chosen = [...processRoles],
	databaseUrl,
	databaseCa,
	clickhouseUrl,
	clickhouseCa,
}: Partial<Parsed>): string[] {
	const faults: string[] = [];
	if (chosen.length < processRoles.length) {
		const reason = `TIDEMARK_ROLES=${chosen.join(',')} shares the work with other processes`;
		if (databaseUrl === undefined)
			faults.push(`DATABASE_URL must be set: ${reason}, which need one PostgreSQL server.`);
		if (clickhouseUrl === undefined && chosen.some((role) => role !== 'collect'))
			faults.push(`CLICKHOUSE_URL must be set: ${reason}, which need one ClickHouse server.`);
	}
	const mode = databaseUrl === undefined ? null : new URL(databaseUrl).searchParams.get('sslmode');
	if (databaseCa !== undefined && (mode === 'disable' || mode === 'no-verify'))
		faults.push(
			`DATABASE_CA is set, but DATABASE_URL has sslmode=${mode}, which ignores it. Remove one of them.`,
		);
	if (clickhouseCa !== undefined && !clickhouseUrl?.startsWith('https:'))
		faults.push('CLICKHOUSE_CA is set, but CLICKHOUSE_URL is not an https:// URL. Change one of them.');
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
	if (direct && file) faults.push(`${row.variable} and ${row.variable}_FILE are both set. Keep one.`);
	if (direct) return { text: direct, origin: 'environment' };
	if (file) {
		try {
			// The read bit for others.
			if (row.secret && (statSync(file).mode & 0o004) !== 0)
				faults.push(`${row.variable}_FILE is readable by all users of this machine. Run: chmod o-r ${file}`);
			return { text: readFileSync(file, 'utf8').trim(), origin: 'file' };
		} catch (error) {
			faults.push(`${row.variable}_FILE cannot be read: ${error instanceof Error ? error.message : error}.`);
		}
	}
	return { text: row.default, origin: 'default' };
}

/** Variables that the program passes to its own child processes. */
const ownVariables = new Set(['TIDEMARK_LAUNCHER_PID']);

/** A misspelled variable would otherwise be ignored silently. */
function unknownVariables(environment: Environment): string[] {
	const known = new Set(Object.values(settings).flatMap(({ variable }) => [variable, `${variable}_FILE`]));
	return Object.keys(environment)
		.filter((name) => name.startsWith('TIDEMARK_') && !known.has(name) && !ownVariables.has(name))
		.map((name) => `${name} is not a setting. \`tidemark config\` lists all settings.`);
}

/** All settings with value, origin and description; the values of secrets are hidden. Without `config`, the defaults. */
export function describeSettings(
	config?: Config,
): { variable: string; value: string; origin: string; about: string }[] {
	return keysOf(settings).map((name) => {
		const row: Setting<unknown> = settings[name];
		const value = config ? config[name] : row.default;
		const shown = Array.isArray(value) ? value.join(' ') : (value ?? '');
		return {
			variable: row.variable,
			value: row.secret && shown !== '' ? '(set)' : String(shown),
			origin: config ? config.origins[name] : 'default',
			about: row.description,
		};
	});
}

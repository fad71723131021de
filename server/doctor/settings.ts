import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import type { Config } from '../config.ts';
import { isNear } from '../lib/nearby.ts';
import { type Look, notice, ok, problem } from './finding.ts';

/** Settings that are wrong stop a start; these are allowed, and an operator should know what they mean. */
export function examineSettings(config: Config): Look[] {
	const found = [
		...examineNet(config),
		...examineSecrets(config),
		...examineLimits(config),
		...examineProcess(config),
	];
	return found.length > 0 ? found : [ok('No setting is insecure or unusual.')];
}

function examineNet(config: Config): Look[] {
	const found: Look[] = [];
	const wide = config.trustedProxies.filter(isWide);
	if (wide.length > 0)
		found.push(
			problem(
				`TIDEMARK_TRUSTED_PROXIES trusts ${wide.join(' and ')}, so anybody can claim any address.`,
				'Name the addresses of your own proxies alone.',
			),
		);
	if (config.smtpTls === 'none' && config.smtpHost !== undefined && !isNear(config.smtpHost))
		found.push(
			problem(
				`Mail${config.smtpUser === undefined ? '' : ', and the password for it,'} crosses the net to ${config.smtpHost} without encryption.`,
				'Set TIDEMARK_SMTP_TLS to starttls (port 587) or tls (port 465).',
			),
		);
	const database = config.databaseUrl === undefined ? undefined : new URL(config.databaseUrl);
	if (database && config.databaseCa === undefined && !isNear(database.hostname)) {
		const mode = database.searchParams.get('sslmode') ?? 'disable';
		if (mode === 'disable' || mode === 'no-verify')
			found.push(
				problem(
					mode === 'disable'
						? `The connection to PostgreSQL at ${database.hostname} is not encrypted.`
						: `The certificate of PostgreSQL at ${database.hostname} is not checked.`,
					'Add sslmode=verify-full to DATABASE_URL; where its authority is your own, set DATABASE_CA_FILE to its certificate.',
				),
			);
	}
	const engine = config.clickhouseUrl === undefined ? undefined : new URL(config.clickhouseUrl);
	if (engine?.protocol === 'http:' && !isNear(engine.hostname))
		found.push(
			problem(
				`The connection to ClickHouse at ${engine.hostname} is not encrypted.`,
				'Give CLICKHOUSE_URL an https:// address, usually on port 8443.',
			),
		);
	const nats = (config.natsUrl?.split(',') ?? []).map((url) => new URL(url.trim()));
	const open = nats.find(({ protocol, hostname }) => protocol === 'nats:' && !isNear(hostname));
	if (open)
		found.push(
			problem(
				`The connection to NATS at ${open.hostname} may not be encrypted.`,
				'Give NATS_URL tls:// addresses, and NATS_CA_FILE where their authority is your own.',
			),
		);
	return found;
}

/** So many that strangers are among them. */
function isWide(network: string): boolean {
	const [address = '', prefix] = network.split('/');
	return prefix !== undefined && Number(prefix) < (isIP(address) === 4 ? 8 : 16);
}

const secretSettings = {
	databaseUrl: 'DATABASE_URL',
	clickhouseUrl: 'CLICKHOUSE_URL',
	secret: 'TIDEMARK_SECRET',
	smtpPassword: 'TIDEMARK_SMTP_PASSWORD',
	metricsToken: 'TIDEMARK_METRICS_TOKEN',
} as const satisfies Partial<Record<keyof Config, string>>;

function examineSecrets(config: Config): Look[] {
	const inEnvironment = Object.entries(secretSettings)
		// Object.entries forgets that the names are those of the table.
		.filter(([name]) => config.origins[name as keyof typeof secretSettings] === 'environment')
		.map(([, variable]) => variable);
	if (inEnvironment.length === 0) return [];
	return [
		notice(
			`${inEnvironment.join(', ')} ${inEnvironment.length === 1 ? 'stands' : 'stand'} in the environment, which tools that list processes or containers can show.`,
			`Put each into a file that only the service can read, and name that as ${inEnvironment[0]}_FILE.`,
		),
	];
}

function examineLimits(config: Config): Look[] {
	const found: Look[] = [];
	const lifted = [
		...(config.hitLimit > 1_000_000 ? ['TIDEMARK_HIT_LIMIT'] : []),
		...(config.websiteHitLimit > 1_000_000 ? ['TIDEMARK_WEBSITE_HIT_LIMIT'] : []),
		...(config.rateLimit > 1_000_000 ? ['TIDEMARK_RATE_LIMIT'] : []),
		...(config.authFailureLimit > 10_000 ? ['TIDEMARK_AUTH_FAILURE_LIMIT'] : []),
	];
	if (lifted.length > 0)
		found.push(
			notice(
				`${lifted.join(' and ')} ${lifted.length === 1 ? 'is' : 'are'} so high that nobody is held back.`,
				'Remove them to have the default, unless this is a test.',
			),
		);
	if (config.logLevel === 'debug' || config.logLevel === 'silent')
		found.push(
			notice(
				config.logLevel === 'debug'
					? 'The log has a line for every request, and grows with them.'
					: 'Nothing is logged, also not what goes wrong.',
				'Set TIDEMARK_LOG_LEVEL to info.',
			),
		);
	return found;
}

function examineProcess({ dataFolder }: Config): Look[] {
	const found: Look[] = [];
	if ((statSync(dataFolder).mode & 0o006) !== 0)
		found.push(
			problem(`Everybody on this machine can look into ${dataFolder}.`, `Run: chmod o-rw ${dataFolder}`),
		);
	if (process.getuid?.() === 0)
		found.push(
			notice(
				'Tidemark runs as root.',
				'Run it as a user of its own; deploy/ has a systemd unit and a container that do.',
			),
		);
	if (hasCoreDumps())
		found.push(
			notice(
				'A crash would leave a copy of the memory on the disk, and with it secrets and salts.',
				'Start Tidemark with `ulimit -c 0`; the files in deploy/ do.',
			),
		);
	return found;
}

function hasCoreDumps(): boolean {
	try {
		const [, soft] = /^Max core file size\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
		return soft !== undefined && soft !== '0';
	} catch {
		return false;
	}
}

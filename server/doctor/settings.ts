import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import type { Config } from '../config.ts';
import { keysOf } from '../lib/keys-of.ts';
import { isLocalNetwork } from '../lib/local-network.ts';
import { type CheckResult, notice, ok, problem } from './finding.ts';

/** Valid settings that are insecure or unusual. Invalid settings already prevent a start. */
export function examineSettings(config: Config): CheckResult[] {
	const found = [
		...examineNet(config),
		...examineSecrets(config),
		...examineLimits(config),
		...examineProcess(config),
	];
	return found.length > 0 ? found : [ok('No setting is insecure or unusual.')];
}

function examineNet(config: Config): CheckResult[] {
	const found: CheckResult[] = [];
	const wide = config.trustedProxies.filter(isWide);
	if (wide.length > 0)
		found.push(
			problem(
				`TIDEMARK_TRUSTED_PROXIES trusts ${wide.join(' and ')}, so anyone can fake an IP address.`,
				'List only the addresses of your own proxies.',
			),
		);
	if (config.smtpTls === 'none' && config.smtpHost !== undefined && !isLocalNetwork(config.smtpHost))
		found.push(
			problem(
				`Mail${config.smtpUser === undefined ? '' : ' and the SMTP password'} is sent to ${config.smtpHost} without encryption.`,
				'Set TIDEMARK_SMTP_TLS to starttls (port 587) or tls (port 465).',
			),
		);
	const database = config.databaseUrl === undefined ? undefined : new URL(config.databaseUrl);
	if (database && config.databaseCa === undefined && !isLocalNetwork(database.hostname)) {
		const mode = database.searchParams.get('sslmode') ?? 'disable';
		if (mode === 'disable' || mode === 'no-verify')
			found.push(
				problem(
					mode === 'disable'
						? `The connection to PostgreSQL at ${database.hostname} is not encrypted.`
						: `The certificate of PostgreSQL at ${database.hostname} is not verified.`,
					'Add sslmode=verify-full to DATABASE_URL. For a private CA, set DATABASE_CA_FILE to its certificate.',
				),
			);
	}
	const engine = config.clickhouseUrl === undefined ? undefined : new URL(config.clickhouseUrl);
	if (engine?.protocol === 'http:' && !isLocalNetwork(engine.hostname))
		found.push(
			problem(
				`The connection to ClickHouse at ${engine.hostname} is not encrypted.`,
				'Set CLICKHOUSE_URL to an https:// URL, usually on port 8443.',
			),
		);
	const nats = (config.natsUrl?.split(',') ?? []).map((url) => new URL(url.trim()));
	const open = nats.find(({ protocol, hostname }) => protocol === 'nats:' && !isLocalNetwork(hostname));
	if (open)
		found.push(
			problem(
				`The connection to NATS at ${open.hostname} may not be encrypted.`,
				'Set NATS_URL to tls:// URLs. For a private CA, set NATS_CA_FILE.',
			),
		);
	return found;
}

/** Large enough to contain addresses of strangers. */
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

function examineSecrets(config: Config): CheckResult[] {
	const inEnvironment = keysOf(secretSettings)
		.filter((name) => config.origins[name] === 'environment')
		.map((name) => secretSettings[name]);
	if (inEnvironment.length === 0) return [];
	return [
		notice(
			`${inEnvironment.join(', ')} ${inEnvironment.length === 1 ? 'is' : 'are'} set in the environment, which tools that list processes or containers can show.`,
			`Put each value into a file that only the service can read, and set ${inEnvironment[0]}_FILE to its path.`,
		),
	];
}

function examineLimits(config: Config): CheckResult[] {
	const found: CheckResult[] = [];
	const lifted = [
		...(config.hitLimit > 1_000_000 ? ['TIDEMARK_HIT_LIMIT'] : []),
		...(config.websiteHitLimit > 1_000_000 ? ['TIDEMARK_WEBSITE_HIT_LIMIT'] : []),
		...(config.rateLimit > 1_000_000 ? ['TIDEMARK_RATE_LIMIT'] : []),
		...(config.authFailureLimit > 10_000 ? ['TIDEMARK_AUTH_FAILURE_LIMIT'] : []),
	];
	if (lifted.length > 0)
		found.push(
			notice(
				`${lifted.join(' and ')} ${lifted.length === 1 ? 'is' : 'are'} too high to limit anyone.`,
				'Remove the setting to use the default, unless this is a test.',
			),
		);
	if (config.logLevel === 'debug' || config.logLevel === 'silent')
		found.push(
			notice(
				config.logLevel === 'debug'
					? 'The log has a line for every request.'
					: 'Nothing is logged, not even errors.',
				'Set TIDEMARK_LOG_LEVEL to info.',
			),
		);
	return found;
}

function examineProcess({ dataFolder }: Config): CheckResult[] {
	const found: CheckResult[] = [];
	if ((statSync(dataFolder).mode & 0o006) !== 0)
		found.push(
			problem(
				`All users of this machine can read or change files in ${dataFolder}.`,
				`Run: chmod o-rw ${dataFolder}`,
			),
		);
	if (process.getuid?.() === 0)
		found.push(
			notice(
				'Tidemark runs as root.',
				'Run it as a dedicated user. deploy/ has a systemd unit and a container image that do.',
			),
		);
	if (hasCoreDumps())
		found.push(
			notice(
				'A crash would write a core dump to disk, which contains secrets and salts.',
				'Start Tidemark with `ulimit -c 0`, as the files in deploy/ do.',
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

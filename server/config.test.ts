import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { settingsMarkdown } from '../cli/commands/config.ts';
import { startServiceProcess, temporaryFolder, tidemark } from '../test/support/service.ts';
import { ConfigError, describeSettings, readConfig } from './config.ts';

const good = () => randomBytes(33).toString('hex');

function faultsOf(environment: Record<string, string>): readonly string[] {
	try {
		readConfig(environment);
	} catch (error) {
		if (error instanceof ConfigError) return error.faults;
		throw error;
	}
	return [];
}

function fileWith(t: { after(work: () => void): void }, text: string): string {
	const folder = mkdtempSync(join(tmpdir(), 'tidemark-config-'));
	t.after(() => rmSync(folder, { recursive: true }));
	writeFileSync(join(folder, 'value'), text, { mode: 0o600 });
	return join(folder, 'value');
}

test('without settings everything has its default', () => {
	const { origins, ...config } = readConfig({});
	assert.deepEqual(config, {
		dataFolder: resolve('data'),
		roles: ['collect', 'write', 'api', 'jobs'],
		port: 8090,
		host: '127.0.0.1',
		baseUrl: undefined,
		trustedProxies: [],
		databaseUrl: undefined,
		databaseCa: undefined,
		clickhouseUrl: undefined,
		clickhouseCa: undefined,
		clickhouseReadUser: undefined,
		clickhouseReadPassword: undefined,
		natsUrl: undefined,
		natsCa: undefined,
		natsMonitorUrl: undefined,
		natsPartitions: 4,
		clickhouseCluster: undefined,
		engineMemoryMb: 1024,
		secret: undefined,
		collectPath: '/tm',
		scriptPath: '/tm.js',
		hitLimit: 3000,
		websiteHitLimit: 1000,
		maxLogMb: 4096,
		geoFile: undefined,
		rateLimit: 600,
		authFailureLimit: 60,
		publicStats: 'on',
		smtpHost: undefined,
		smtpPort: 587,
		smtpTls: 'starttls',
		smtpUser: undefined,
		smtpPassword: undefined,
		mailFrom: undefined,
		mailsPerAccountADay: 10_000,
		mailsADay: 100_000,
		webhookAllowedHosts: [],
		backupPassphrase: undefined,
		upgradeBackup: 'on',
		metricsToken: undefined,
		securityContact: undefined,
		logLevel: 'info',
		logFormat: 'auto',
		stopSeconds: 10,
		drainSeconds: 0,
		workers: 0,
	});
	assert.deepEqual(new Set(Object.values(origins)), new Set(['default']));
});

test('every fault is listed at once, each with the variable it is in', () => {
	const faults = faultsOf({
		TIDEMARK_PORT: '65536',
		TIDEMARK_BASE_URL: 'https://stats.example.org/path',
		TIDEMARK_TRUSTED_PROXIES: '10.0.0.0/8, example.com',
		DATABASE_URL: 'mysql://root@db/tidemark',
		CLICKHOUSE_URL: 'tcp://db:9000',
		NATS_URL: 'nats://a:4222,tls://b:4222',
		CLICKHOUSE_CLUSTER: "all'nodes",
		TIDEMARK_ENGINE_MEMORY_MB: '64',
		TIDEMARK_RATE_LIMIT: '0',
		TIDEMARK_AUTH_FAILURE_LIMIT: '1.5',
		TIDEMARK_LOG_LEVEL: 'verbose',
		TIDEMARK_STOP_SECONDS: '-1',
		TIDEMARK_SECRET: 'short',
		TIDEMARK_METRICS_TOKEN: 'changeme',
		TIDEMARK_PROT: '80',
	});
	for (const pattern of [
		/^TIDEMARK_PORT must be between 0 and 65535\.$/,
		/^TIDEMARK_BASE_URL must be http:\/\/ or https:\/\/ with a host/,
		/^TIDEMARK_TRUSTED_PROXIES must be a list of IP addresses or networks/,
		/^DATABASE_URL must be a URL that starts with postgres:\/\/ or postgresql:\/\/\.$/,
		/^CLICKHOUSE_URL must be a URL that starts with http:\/\/ or https:\/\/\.$/,
		/^NATS_URL must be URLs separated by commas that all start with nats:\/\/ or all with tls:\/\/\.$/,
		/^CLICKHOUSE_CLUSTER must be the name of a cluster in remote_servers\.$/,
		/^TIDEMARK_ENGINE_MEMORY_MB must be between 256/,
		/^TIDEMARK_RATE_LIMIT must be between 1/,
		/^TIDEMARK_AUTH_FAILURE_LIMIT must be a whole number\.$/,
		/^TIDEMARK_LOG_LEVEL must be error, warn, info, debug or silent\.$/,
		/^TIDEMARK_STOP_SECONDS must be a whole number\.$/,
		/^TIDEMARK_SECRET must have at least 32 bytes/,
		/^TIDEMARK_METRICS_TOKEN must have at least 32 bytes/,
		/^TIDEMARK_PROT is not a setting/,
	])
		assert.ok(
			faults.some((fault) => pattern.test(fault)),
			`${pattern} in ${faults.join('\n')}`,
		);
	assert.ok(!faults.join().includes('root@db'), 'a fault does not repeat what may be a secret');
});

test('an empty variable counts as not set, whichever it is', () => {
	const empty = Object.fromEntries(
		describeSettings().flatMap(({ variable }) => [
			[variable, ''],
			[`${variable}_FILE`, ''],
		]),
	);
	assert.deepEqual(readConfig(empty), readConfig({}));
});

test('a value can come from a file, without the line end of an editor', (t) => {
	const secret = good();
	const config = readConfig({ TIDEMARK_SECRET_FILE: fileWith(t, `${secret}\n`), TIDEMARK_SECRET: '' });
	assert.equal(config.secret, secret);
	assert.equal(config.origins.secret, 'file');
	assert.equal(readConfig({ TIDEMARK_PORT_FILE: fileWith(t, '8123\n') }).port, 8123);
	assert.match(
		faultsOf({ TIDEMARK_SECRET_FILE: '/nowhere/at/all' }).join(),
		/^TIDEMARK_SECRET_FILE cannot be read: ENOENT/,
	);
	assert.match(faultsOf({ TIDEMARK_SECRET_FILE: fileWith(t, '') }).join(), /^TIDEMARK_SECRET must have/);
	assert.match(
		faultsOf({ TIDEMARK_SECRET: secret, TIDEMARK_SECRET_FILE: fileWith(t, secret) }).join(),
		/^TIDEMARK_SECRET and TIDEMARK_SECRET_FILE are both set\. Keep one\.$/,
	);
});

test('[T59] a secret in a file that everybody can read stops the start; one for a group, and what is no secret, does not', (t) => {
	const file = fileWith(t, good());
	chmodSync(file, 0o644);
	assert.deepEqual(faultsOf({ TIDEMARK_SECRET_FILE: file }), [
		`TIDEMARK_SECRET_FILE is readable by all users of this machine. Run: chmod o-r ${file}`,
	]);
	chmodSync(file, 0o440);
	assert.deepEqual(faultsOf({ TIDEMARK_SECRET_FILE: file }), []);
	const port = fileWith(t, '8123');
	chmodSync(port, 0o644);
	assert.deepEqual(faultsOf({ TIDEMARK_PORT_FILE: port }), []);
});

test('a misspelt variable stops the start, a variable of somebody else does not', () => {
	assert.deepEqual(faultsOf({ TIDEMARK_BASEURL: 'https://x.example', PATH: '/bin', OTHER: '1' }), [
		'TIDEMARK_BASEURL is not a setting. `tidemark config` lists all settings.',
	]);
	assert.deepEqual(faultsOf({ TIDEMARK_LAUNCHER_PID: '17' }), []);
});

test('what was typed wins over the environment', () => {
	const config = readConfig(
		{ TIDEMARK_PORT: '1', TIDEMARK_HOST: '::1', TIDEMARK_DATA: '/elsewhere' },
		{ port: '2', dataFolder: 'here', host: undefined },
	);
	assert.deepEqual([config.port, config.host, config.dataFolder], [2, '::1', resolve('here')]);
	assert.deepEqual(
		[config.origins.port, config.origins.host, config.origins.rateLimit],
		['command line', 'environment', 'default'],
	);
	for (const name of ['dataFolder', 'host'] as const)
		assert.throws(() => readConfig({}, { [name]: '' }), / must not be empty\.$/);
});

test('values are read into what they mean', () => {
	const config = readConfig({
		TIDEMARK_BASE_URL: 'HTTPS://Stats.Example.org:443',
		TIDEMARK_TRUSTED_PROXIES: ' 10.0.0.0/8,::1\n192.0.2.7 ',
		DATABASE_URL: 'postgres://tidemark:pass@db/tidemark',
	});
	assert.equal(config.baseUrl, 'https://stats.example.org');
	assert.deepEqual(config.trustedProxies, ['10.0.0.0/8', '::1', '192.0.2.7']);
	for (const url of [
		'stats.example.org',
		'https://',
		'https://a b',
		'ftp://x.example',
		'https://x.example?y',
	])
		assert.equal(faultsOf({ TIDEMARK_BASE_URL: url }).length, 1, url);
});

test('the settings cannot be changed once they are read', () => {
	const config = readConfig({});
	assert.ok(Object.isFrozen(config) && Object.isFrozen(config.origins));
	assert.throws(() => Object.assign(config, { port: 1 }), TypeError);
});

test('the table of settings names secrets and never shows them', () => {
	const secret = good();
	const rows = describeSettings(
		readConfig({
			TIDEMARK_SECRET: secret,
			TIDEMARK_METRICS_TOKEN: secret,
			DATABASE_URL: 'postgres://tidemark:hunter2@db/tidemark',
			CLICKHOUSE_URL: 'http://tidemark:hunter2@db:8123/tidemark',
			NATS_URL: 'nats://tidemark:hunter2@nats:4222',
		}),
	);
	assert.ok(!JSON.stringify(rows).includes(secret) && !JSON.stringify(rows).includes('hunter2'));
	for (const variable of [
		'TIDEMARK_SECRET',
		'TIDEMARK_METRICS_TOKEN',
		'DATABASE_URL',
		'CLICKHOUSE_URL',
		'NATS_URL',
	]) {
		const row = rows.find((found) => found.variable === variable);
		assert.deepEqual([row?.value, row?.origin], ['(set)', 'environment']);
	}
});

test("the operator's page holds the table that the program prints", async () => {
	const page = readFileSync(join(import.meta.dirname, '..', 'docs', 'settings.md'), 'utf8');
	assert.ok(page.includes(`\n\n${settingsMarkdown()}\n\n`), '`tidemark config --markdown` prints the table');
	const printed = await tidemark(['config', '--markdown']);
	assert.equal(printed.stdout, `${settingsMarkdown()}\n`);
});

const badSecrets = [
	' ',
	'x',
	'changeme',
	'change-me-change-me-change-me-change-me',
	'CHANGE_ME_9f8e7d6c5b4a39281706f5e4d3c2b1a0',
	'your-secret-key-here-0a1b2c3d4e5f6g7h8i9j',
	'please-insert-a-long-random-string-here-0',
	'<placeholder-0a1b2c3d4e5f6071829304a5b6c7d>',
	'replace-this-default-value-9f8e7d6c5b4a3',
	'supersecretpasswordsupersecretpassword',
	'0123456789abcdef0123456789abcdef',
	'a'.repeat(64),
	'ab'.repeat(32),
	' '.repeat(48),
	randomBytes(15).toString('hex'),
	'todo-todo-todo-9f8e7d6c5b4a3928-todo-todo',
];

test('[T16] no bad secret starts the service, and the text says what is wrong and how to mend it', async (t) => {
	const folder = temporaryFolder(t);
	const run = (secret: string) =>
		tidemark(['serve', '--data', join(folder, 'data'), '--port', '0'], {
			settings: { TIDEMARK_SECRET: secret },
		});
	for (let first = 0; first < badSecrets.length; first += 4) {
		await Promise.all(
			badSecrets.slice(first, first + 4).map(async (secret) => {
				const { code, stdout, stderr } = await run(secret);
				assert.equal(code, 1, `${JSON.stringify(secret)} started: ${stdout}`);
				assert.equal(stdout, '');
				assert.match(
					stderr,
					/TIDEMARK_SECRET (must have at least 32 bytes|looks like a placeholder|has too few different)/,
				);
				assert.match(stderr, /openssl rand/);
				if (secret.length > 20) assert.ok(!stderr.includes(secret), 'the value itself is not printed');
			}),
		);
	}
	assert.throws(() => statSync(join(folder, 'data')), 'a refused start leaves nothing behind');
});

test('[T16] two fresh folders have different secrets, in files for their owner alone', async (t) => {
	const onNewFolder = () => startServiceProcess(t, { folder: join(temporaryFolder(t), 'data') });
	const services = await Promise.all([onNewFolder(), onNewFolder()]);
	const secrets = services.map(({ folder }) =>
		['secret', 'postgres'].map((name) => {
			const file = join(folder, 'secrets', name);
			assert.equal(statSync(file).mode & 0o777, 0o600, file);
			return readFileSync(file, 'utf8').trim();
		}),
	);
	assert.equal(new Set(secrets.flat()).size, 4);
	for (const secret of secrets.flat()) {
		assert.ok(secret.length >= 43);
		for (const { output } of services) assert.ok(!output().includes(secret), 'a secret was printed');
	}
	for (const service of services) assert.equal(await service.stop(), 0);
});

test('a mail server without a sender, and a sender that is none, are faults', () => {
	const TIDEMARK_SMTP_HOST = 'mail.example.test';
	assert.match(
		faultsOf({ TIDEMARK_SMTP_HOST }).join(),
		/TIDEMARK_SMTP_HOST is set; set TIDEMARK_MAIL_FROM too/,
	);
	for (const from of ['Tidemark', 'a@b\r\nBcc: c@d', 'A <a@b> <c@d>'])
		assert.match(
			faultsOf({ TIDEMARK_SMTP_HOST, TIDEMARK_MAIL_FROM: from }).join(),
			/must be an address/,
			from,
		);
	for (const from of ['stats@example.test', 'Tidemark <stats@example.test>'])
		assert.deepEqual(faultsOf({ TIDEMARK_SMTP_HOST, TIDEMARK_MAIL_FROM: from }), []);
});

test('a cluster is named beside the address of one of its nodes', () => {
	assert.deepEqual(faultsOf({ CLICKHOUSE_CLUSTER: 'tidemark' }), [
		'CLICKHOUSE_CLUSTER is set; set CLICKHOUSE_URL too, to a node of the cluster.',
	]);
});

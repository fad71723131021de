/** Servers on the other side of a net: who they are is proven by a certificate, or they are not talked to. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chownSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createServer } from 'node:tls';
import { readConfig } from '../../server/config.ts';
import { createLog } from '../../server/lib/log.ts';
import { warnInsecureConnections } from '../../server/roles/warn-insecure-connections.ts';
import { openPostgres } from '../../server/store/postgres.ts';
import { sql } from '../../server/store/sql.ts';
import { startClickHouseServer } from '../support/clickhouse-server.ts';
import { identityOf, startPostgresServer } from '../support/postgres-server.ts';
import { temporaryFolder, tidemark } from '../support/service.ts';

/** An authority of our own, another one that nobody knows, and a server's certificate for `localhost` from the first. */
function makeCertificates(t: TestContext) {
	const folder = temporaryFolder(t);
	const file = (name: string) => join(folder, name);
	const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'ignore' });
	for (const name of ['authority', 'stranger'])
		openssl(
			...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', `/CN=${name}`],
			...['-keyout', file(`${name}.key`), '-out', file(`${name}.crt`)],
		);
	openssl(
		...['req', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost'],
		...['-keyout', file('server.key'), '-out', file('server.csr')],
	);
	writeFileSync(file('names'), 'subjectAltName=DNS:localhost\n');
	openssl(
		...['x509', '-req', '-days', '2', '-in', file('server.csr'), '-extfile', file('names')],
		...['-CA', file('authority.crt'), '-CAkey', file('authority.key'), '-CAcreateserial'],
		...['-out', file('server.crt')],
	);
	return { file, folder };
}

const named = (
	url: string,
	changes: { protocol?: string; hostname?: string; port?: number; mode?: string },
) => {
	const { protocol, hostname = 'localhost', port, mode } = changes;
	const changed = new URL(url.replace(/^https?:/, protocol ?? '$&'));
	changed.hostname = hostname;
	if (port !== undefined) changed.port = String(port);
	if (mode !== undefined) changed.searchParams.set('sslmode', mode);
	return changed.href;
};

test('[T62] PostgreSQL and ClickHouse with a certificate that nobody vouches for are refused, with the authority named they are used', async (t) => {
	const { file, folder } = makeCertificates(t);
	// PostgreSQL opens its key as its own user and takes none that others may read.
	if (process.getuid?.() === 0) {
		const { uid, gid } = identityOf('postgres');
		execFileSync('chmod', ['711', folder]);
		chownSync(file('server.key'), uid, gid);
	}
	const server = await startPostgresServer({
		...{ ssl: 'on', ssl_cert_file: file('server.crt'), ssl_key_file: file('server.key') },
	});
	t.after(() => server.stop());
	const clickhouse = await startClickHouseServer(t);
	const target = Number(new URL(clickhouse.url).port);
	const front = createServer(
		{ key: readFileSync(file('server.key')), cert: readFileSync(file('server.crt')) },
		(outside) => {
			const inside = connect(target, '127.0.0.1');
			const end = () => void [outside, inside].map((socket) => socket.destroy());
			for (const socket of [outside, inside]) socket.on('error', end).on('close', end);
			outside.pipe(inside).pipe(outside);
		},
	);
	front.on('tlsClientError', () => undefined);
	await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
	t.after(async () => void front.close());
	const address = front.address();
	const port = typeof address === 'object' && address !== null ? address.port : 0;

	const data = join(folder, 'data');
	const command = (name: string, settings: Record<string, string>) =>
		tidemark([...name.split(' '), '--data', data], { settings });
	const ca = { DATABASE_CA_FILE: file('authority.crt') };
	const verified = { DATABASE_URL: named(server.url, { mode: 'verify-full' }) };
	for (const [settings, what] of [
		[verified, 'nobody vouches for it'],
		[{ ...verified, DATABASE_CA_FILE: file('stranger.crt') }, 'another one vouches'],
		[{ DATABASE_URL: named(server.url, { hostname: '127.0.0.1' }), ...ca }, 'it is for another name'],
	] as const) {
		const refused = await command('account list', settings);
		assert.equal(refused.code, 1, what);
		assert.match(
			refused.stderr,
			/certificate of the PostgreSQL server is not trusted.*DATABASE_CA_FILE/,
			what,
		);
	}
	for (const url of [verified.DATABASE_URL, named(server.url, {})]) {
		const answered = await command('account list', { DATABASE_URL: url, ...ca });
		assert.match(answered.stderr, /migrations are pending/, 'the server itself was asked');
	}
	const log = createLog('silent', () => undefined);
	const authority = readFileSync(file('authority.crt'), 'utf8');
	const postgres = openPostgres({ connectionString: named(server.url, {}), ca: authority }, { log });
	assert.deepEqual(
		await postgres.rows(sql`SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()`),
		[{ ssl: true }],
		'with the authority named it is encrypted, whatever the address says',
	);
	await postgres.close();

	const both = { ...verified, ...ca, CLICKHOUSE_URL: named(clickhouse.url, { protocol: 'https:', port }) };
	for (const name of ['check', 'upgrade'])
		for (const settings of [both, { ...both, CLICKHOUSE_CA_FILE: file('stranger.crt') }]) {
			const refused = await command(name, settings);
			assert.equal(refused.code, 1, name);
			assert.match(refused.stderr, /certificate of the ClickHouse server is not trusted.*CLICKHOUSE_CA_FILE/);
		}
	const trusted = { ...both, CLICKHOUSE_CA_FILE: file('authority.crt') };
	const used = await command('upgrade', trusted);
	assert.equal(used.code, 0, used.stderr);
	for (const [name, said] of [
		['check', /No days compared/],
		['account list', /no account/i],
	] as const)
		assert.match((await command(name, trusted)).stdout, said);
});

test('[T62] a server that is not verified is told of at the start; settings that would not look at a certificate are refused', () => {
	const warned = (environment: Record<string, string>) => {
		const lines: string[] = [];
		warnInsecureConnections(
			readConfig(environment),
			createLog('warn', (line) => lines.push(line)),
		);
		return lines.map((line) => JSON.parse(line).msg);
	};
	const far = 'postgres://tidemark:hunter2@db.example.org/t';
	for (const [environment, said] of [
		[{ DATABASE_URL: `${far}?sslmode=no-verify` }, /db\.example\.org is not verified: see DATABASE_URL/],
		[{ DATABASE_URL: `${far}?sslmode=disable` }, /db\.example\.org is not encrypted/],
		[{ DATABASE_URL: 'postgres://10.1.2.3/t?sslmode=no-verify' }, /10\.1\.2\.3 is not verified/],
		[{ DATABASE_URL: far }, /db\.example\.org is not encrypted/],
		[{ CLICKHOUSE_URL: 'http://u:hunter2@ch.example.org:8123/t' }, /ch\.example\.org is not encrypted/],
	] as const) {
		const lines = warned(environment);
		assert.equal(lines.length, 1, String(said));
		assert.match(lines[0], said);
		assert.doesNotMatch(lines[0], /hunter2/);
	}
	for (const environment of [
		{ DATABASE_URL: `${far}?sslmode=verify-full` },
		{ DATABASE_URL: 'postgres://localhost/t?sslmode=disable' },
		{ DATABASE_URL: 'postgres://postgres/t', CLICKHOUSE_URL: 'http://clickhouse:8123' },
		{ CLICKHOUSE_URL: 'https://ch.example.org:8443/t' },
	])
		assert.deepEqual(warned(environment), []);
	const pem = '-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----';
	const faults = (environment: Record<string, string>) => () => readConfig(environment);
	assert.throws(faults({ DATABASE_URL: `${far}?sslmode=disable`, DATABASE_CA: pem }), /which ignores it/);
	assert.throws(faults({ CLICKHOUSE_URL: 'http://ch:8123', CLICKHOUSE_CA: pem }), /not an https:/);
	assert.throws(faults({ DATABASE_CA: 'a file name' }), /must contain PEM certificates/);
});

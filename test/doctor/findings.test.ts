import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createServer as createTlsServer, TLSSocket } from 'node:tls';
import { type DoctorCheck, doctorChecks } from '../../api/doctor.ts';
import { readConfig } from '../../server/config.ts';
import { examineAddress, type SeenProxies } from '../../server/doctor/address.ts';
import { examineCertificates } from '../../server/doctor/certificates.ts';
import { type CheckContext, examine } from '../../server/doctor/doctor.ts';
import { examineMemory } from '../../server/doctor/engines.ts';
import { judgeLag } from '../../server/doctor/events.ts';
import { judgeDisk } from '../../server/doctor/machine.ts';
import { examineSettings } from '../../server/doctor/settings.ts';
import { findOperatorFiles, installDatabase, removeDatabase } from '../../server/geo/files.ts';
import { blankEvent } from '../../server/ingest/event.ts';
import { addDays } from '../../server/lib/local-dates.ts';
import { param, sql, value } from '../../server/store/sql.ts';
import { startMailServer } from '../support/mail-server.ts';
import { makeMmdb } from '../support/mmdb.ts';
import { openSealing } from '../support/sealing.ts';
import { temporaryFolder } from '../support/service.ts';

const s = await openSealing({ after });
const { clickhouse, postgres, clock } = s;
const patient: CheckContext = {
	...s.services,
	config: s.config,
	version: '0.0.0',
	mail: undefined,
	proxies: { requests: 5, believed: 0, disbelieved: undefined, near: 5 },
};
const seen = (given: Partial<SeenProxies>): SeenProxies => ({
	...{ requests: 500, believed: 0, disbelieved: undefined, near: 0 },
	...given,
});

const of = async (check: DoctorCheck, given: Partial<CheckContext> = {}) =>
	(await examine({ ...patient, ...given })).filter((finding) => finding.check === check);
const states = (found: readonly { state: string }[]) => found.map(({ state }) => state);
const today = clock.now.toISOString().slice(0, 10);

let ids = 0;
const view = (websiteId: number, date: string, id = ++ids) => ({
	...blankEvent,
	...{ website_id: websiteId, date, time: `${date} 12:00:00.000`, event_id: String(id) },
	visitor_id: String(1_000_000 + id),
});

test('[C-DOC-1] every check has a finding: what is, and what to do unless it is fine; nothing is changed', async () => {
	const progress: number[] = [];
	const found = await examine(patient, ({ done, total }) => progress.push(done / total));
	assert.deepEqual([...new Set(found.map(({ check }) => check))], [...doctorChecks]);
	for (const { state, what, advice } of found) {
		assert.match(what, /^[A-Z0-9].*[.!]$/, what);
		assert.equal(advice === null, state === 'ok', what);
		if (advice !== null) assert.match(advice, /^[A-Z]/);
	}
	assert.equal(progress.at(-1), 1);
	assert.ok(progress.length > doctorChecks.length, 'it says how far it is');
	const byCheck = Object.groupBy(found, ({ check }) => check);
	for (const check of [
		'clock',
		'engines',
		'geolocation',
		'event_log',
		'duplicates',
		'derived',
		'versions',
		'leftovers',
	] as const)
		assert.ok(
			byCheck[check]?.every(({ state, what }) => state === 'ok' || /memory/.test(what)),
			JSON.stringify(byCheck[check]),
		);
	assert.match(byCheck.versions?.[0]?.what ?? '', /Node 24\.\S+, PostgreSQL \d+.*schema \d+.*ClickHouse \d+/);
});

test('[C-DOC-4] without ClickHouse every check has a finding, and that it is not there is no problem', async () => {
	const found = await examine({ ...patient, clickhouse: undefined });
	assert.deepEqual([...new Set(found.map(({ check }) => check))], [...doctorChecks]);
	assert.deepEqual(
		found.filter(({ check, state }) => state === 'problem' && check !== 'settings' && check !== 'disk'),
		[],
	);
});

test('[C-DOC-2] an event that is there twice, a day that differs and a part that was put aside are found', async () => {
	const websiteId = await s.website();
	const date = addDays(today, -2);
	await s.write(Array.from({ length: 5 }, () => view(websiteId, date)));
	await s.seal([{ websiteId, date }]);
	assert.deepEqual(states(await of('derived')), ['ok']);
	assert.match((await of('derived'))[0]?.what ?? '', /^Compared 1 sealed day of/);
	assert.match((await of('duplicates'))[0]?.what ?? '', /^Compared 5 events .*: no duplicates/);

	await s.insert([view(websiteId, date, 1)]);
	const [twice] = await of('duplicates');
	assert.equal(twice?.state, 'problem');
	assert.match(
		twice?.what ?? '',
		new RegExp(`6 events.*1 is stored more than once, for example on website ${websiteId}\\.`),
	);
	const [differs] = await of('derived');
	assert.equal(differs?.state, 'problem');
	assert.match(
		differs?.advice ?? '',
		new RegExp(`tidemark rebuild --website ${websiteId} --from ${date} --to ${date}`),
	);

	await clickhouse.command(
		sql`ALTER TABLE events DETACH PARTITION ${param('UInt32', Number(date.slice(0, 7).replace('-', '')))}`,
	);
	const [leftover] = await of('leftovers');
	assert.equal(leftover?.state, 'problem');
	assert.match(
		leftover?.what ?? '',
		/could not read (a part|\d+ parts) of its tables \(such as \d{6}_\d+_\d+_\d+ of events\)/,
	);
	assert.match(leftover?.advice ?? '', /tidemark repair FILE/);
	const [missing] = await of('derived');
	assert.equal(missing?.state, 'problem');
	assert.match(missing?.advice ?? '', /Do not rebuild/);
});

test('[C-DOC-2] acknowledged events that wait are counted and their age is told', async () => {
	const header = JSON.stringify({ w: [1, 1, 2], d: [], v: [], i: [], p: [], drops: [] });
	await postgres.run(
		sql`INSERT INTO event_log VALUES (1000000, now() - interval '15 minutes', ${value(header)}, '{}', 2)`,
	);
	const [finding] = await of('event_log');
	await postgres.run(sql`DELETE FROM event_log`);
	assert.equal(finding?.state, 'problem');
	assert.match(
		finding?.what ?? '',
		/^3 acknowledged events are not yet written \(2 B\), the oldest is 15 minutes old\.$/,
	);
	const lag = { events: 9, bytes: 10, oldestMs: 2_000, maxBytes: 1_000 };
	assert.equal(judgeLag(lag).state, 'ok');
	assert.equal(judgeLag({ ...lag, oldestMs: 90_000 }).state, 'notice');
	assert.equal(judgeLag({ ...lag, bytes: 501 }).state, 'problem');
});

test('[C-DOC-2] a clock that is apart from that of a database, or behind the files, is found', async () => {
	const now = () => new Date(Date.now() - 600_000);
	const found = await of('clock', { now });
	assert.match(found[0]?.what ?? '', /^The clock of PostgreSQL differs .* by 10 minutes/);
	assert.match(found[1]?.what ?? '', /^The clock of ClickHouse differs .* by 10 minutes/);
	assert.match(found[2]?.what ?? '', /are dated 10 minutes in the future/);
	assert.deepEqual(states(found), ['problem', 'problem', 'problem']);
	assert.deepEqual(states(await of('clock', { now: () => new Date() })), ['ok']);
	const file = join(s.config.dataFolder, 'from-tomorrow');
	writeFileSync(file, '');
	const tomorrow = new Date(Date.now() + 86_400_000);
	utimesSync(file, tomorrow, tomorrow);
	assert.match((await of('clock', { now: () => new Date() }))[0]?.what ?? '', /24 hours in the future/);
});

test('[C-DOC-2] a mail server is greeted and signed in to, and given no mail', async (t) => {
	const server = await startMailServer(t, { user: 'tide', password: 'mark' });
	const mail = {
		...{ host: '127.0.0.1', port: server.port, tls: 'none' as const },
		...{ user: 'tide', password: 'mark', from: 'stats@example.test' },
	};
	assert.deepEqual(states(await of('mail', { mail })), ['ok']);
	const [wrong] = await of('mail', { mail: { ...mail, password: 'canary-of-mail' } });
	assert.equal(wrong?.state, 'problem');
	assert.match(wrong?.advice ?? '', /TIDEMARK_SMTP_/);
	assert.deepEqual(server.sources(), []);
	await postgres.run(sql`INSERT INTO outbox (kind, key, recipient, content, next_at, created_at)
		VALUES ('mail', 'old', 'a@example.test', '{}', now(), now() - interval '5 hours')`);
	assert.match((await of('mail', { mail }))[1]?.what ?? '', /^1 mail is queued, the oldest for 5 hours\.$/);
	await postgres.run(sql`DELETE FROM outbox`);
	assert.deepEqual(states(await of('mail')), ['notice'], 'none is set');
});

test('[C-DOC-2] what is free on a disk is told with the days that it lasts', () => {
	const gb = 1e9;
	const disk = { free: 300 * gb, total: 500 * gb };
	assert.deepEqual(judgeDisk('The disk', disk, 0.5 * gb), {
		state: 'ok',
		what: 'The disk has 300 GB of 500 GB free, enough for 600 days at 500 MB per day, as in the last week.',
		advice: null,
	});
	assert.match(judgeDisk('The disk', disk, 0).what, /enough for years\.$/);
	assert.equal(judgeDisk('The disk', disk, 10 * gb).state, 'notice');
	assert.equal(judgeDisk('The disk', disk, 30 * gb).state, 'problem');
	assert.equal(judgeDisk('The disk', { free: 0.9 * gb, total: 5 * gb }, 0).state, 'problem');
	assert.equal(judgeDisk('The disk', { free: 4 * gb, total: 100 * gb }, 0).state, 'problem');
	assert.equal(judgeDisk('The disk', { free: 9 * gb, total: 100 * gb }, 0).state, 'notice');
	const full = judgeDisk('The disk', { free: 0.01 * gb, total: 5 * gb }, 0);
	assert.equal(full.state, 'problem', '[F62]');
	assert.match(full.what, /^The disk is full: it has 10 MB of 5\.0 GB free, and hits may be rejected\.$/);
	assert.doesNotMatch(judgeDisk('The disk', { free: 0.5 * gb, total: 5 * gb }, 0).what, /years/);
	assert.equal(examineMemory(1024, 4e9).state, 'ok');
	assert.equal(examineMemory(4096, 4e9).state, 'notice');
});

test('[C-DOC-2] [T31] what was seen of proxies is told with the setting that mends it', () => {
	const plain = readConfig({ TIDEMARK_BASE_URL: 'https://stats.example.org' });
	const trusting = readConfig({ TIDEMARK_TRUSTED_PROXIES: '10.0.0.1' });
	const look = (config: typeof plain, proxies: SeenProxies | undefined) =>
		examineAddress(config, { publicAddress: 'https://stats.example.org', proxies })[1];
	assert.equal(look(plain, seen({}))?.state, 'ok');
	assert.equal(look(trusting, seen({ believed: 400 }))?.state, 'ok');
	assert.equal(look(trusting, seen({}))?.state, 'notice', 'set, and no header was seen');
	assert.equal(look(plain, seen({ near: 500 }))?.state, 'notice', 'a proxy that says nothing');
	const untrusted = look(plain, seen({ disbelieved: { proxy: '172.17.0.1' } }));
	assert.equal(untrusted?.state, 'problem');
	assert.match(untrusted?.advice ?? '', /TIDEMARK_TRUSTED_PROXIES=172\.17\.0\.1\.$/);
	assert.equal(look(plain, undefined)?.state, 'notice', 'no service runs');
	const address = (publicAddress: string | undefined) =>
		examineAddress(plain, { publicAddress, proxies: seen({}) })[0];
	assert.equal(address(undefined)?.state, 'notice');
	assert.equal(address('http://stats.example.org')?.state, 'notice');
	assert.equal(address('http://127.0.0.1:8090')?.state, 'ok');
});

const secret = 'q8Zk1vT0mW7yR4uJ9xB2nC5eL6pH3sDf';

test('[C-DOC-2] [T59] settings that are allowed and should not stay are named', (t) => {
	const folder = temporaryFolder(t);
	const look = (given: Record<string, string>) =>
		examineSettings(readConfig({ TIDEMARK_DATA: folder, ...given }))
			// Of this machine, not of the settings.
			.filter(({ what }) => !/root|core dump/.test(what));
	assert.deepEqual(states(look({})), []);
	const cases: [given: Record<string, string>, state: string, what: RegExp][] = [
		[{ TIDEMARK_TRUSTED_PROXIES: '0.0.0.0/0' }, 'problem', /anyone can fake/],
		[{ TIDEMARK_TRUSTED_PROXIES: '10.0.0.0/8 ::/0' }, 'problem', /trusts ::\/0,/],
		[
			{
				TIDEMARK_SMTP_HOST: 'mail.example.org',
				TIDEMARK_SMTP_TLS: 'none',
				TIDEMARK_MAIL_FROM: 'a@b.example',
			},
			'problem',
			/without encryption/,
		],
		[{ CLICKHOUSE_URL: 'http://clickhouse.example.org:8123' }, 'problem', /ClickHouse at .* not encrypted/],
		[
			{ NATS_URL: 'nats://nats.example.org:4222' },
			'problem',
			/NATS at nats.example.org may not be encrypted/,
		],
		[{ DATABASE_URL: 'postgres://db.example.org/t' }, 'problem', /PostgreSQL at .* not encrypted/],
		[{ DATABASE_URL: 'postgres://db.example.org/t?sslmode=no-verify' }, 'problem', /not verified/],
		[{ TIDEMARK_SECRET: secret }, 'notice', /^TIDEMARK_SECRET is set in the environment/],
		[{ TIDEMARK_LOG_LEVEL: 'debug' }, 'notice', /every request/],
		[{ TIDEMARK_HIT_LIMIT: '100000000' }, 'notice', /too high to limit/],
	];
	for (const [given, state, what] of cases) {
		const found = look(given);
		assert.ok(
			found.some((finding) => finding.state === state && what.test(finding.what)),
			JSON.stringify([given, found]),
		);
	}
	for (const given of [
		{ TIDEMARK_SMTP_HOST: 'localhost', TIDEMARK_SMTP_TLS: 'none', TIDEMARK_MAIL_FROM: 'a@b.example' },
		{ TIDEMARK_TRUSTED_PROXIES: '10.0.0.0/8, fd00::/16' },
	])
		assert.deepEqual(states(look(given)), [], JSON.stringify(given));
	const near = look({ CLICKHOUSE_URL: 'http://clickhouse:8123', DATABASE_URL: 'postgres://postgres/t' });
	assert.deepEqual(states(near), ['notice'], 'neighbours need no TLS; their passwords should be in files');
	chmodSync(folder, 0o755);
	assert.match(look({})[0]?.what ?? '', /All users of this machine can read/);
	assert.equal(statSync(folder).mode & 0o777, 0o755, 'and nothing was changed');
});

/** A certificate for localhost that is good for so many days. */
function makeCertificate(folder: string, days: number): { key: Buffer; cert: Buffer } {
	const [key, cert] = [join(folder, `${days}.key`), join(folder, `${days}.pem`)];
	execFileSync(
		'openssl',
		[
			...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
			...['-keyout', key, '-out', cert, '-days', String(days), '-subj', '/CN=localhost'],
			...['-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'],
		],
		{ stdio: 'ignore' },
	);
	return { key: readFileSync(key), cert: readFileSync(cert) };
}

test('[C-DOC-2] certificates are read from HTTPS, PostgreSQL and SMTP, with the days that they are good', async (t) => {
	const made = makeCertificate(temporaryFolder(t), 90);
	const listen = async (server: {
		listen(port: number, host: string, done: () => void): unknown;
		address(): unknown;
		close(): unknown;
	}) => {
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		t.after(() => void server.close());
		return (server.address() as { port: number }).port;
	};
	const upgrade = (socket: Socket) =>
		new TLSSocket(socket, { isServer: true, ...made }).on('error', () => undefined);
	const https = await listen(createTlsServer(made));
	const database = await listen(
		createServer((socket) => {
			socket.on('error', () => undefined);
			socket.once('data', (asked) => {
				assert.equal(asked.toString('hex'), '0000000804d2162f');
				socket.write('S', () => upgrade(socket));
			});
		}),
	);
	const mail = await listen(
		createServer((socket) => {
			socket.on('error', () => undefined);
			socket.write('220 mail.test\r\n');
			socket.on('data', (line) => {
				if (/^EHLO/.test(String(line))) socket.write('250-mail.test\r\n250 STARTTLS\r\n');
				if (/^STARTTLS/.test(String(line))) {
					socket.removeAllListeners('data');
					socket.write('220 go on\r\n', () => upgrade(socket));
				}
			});
		}),
	);
	const config = readConfig({
		DATABASE_URL: `postgres://localhost:${database}/t?sslmode=verify-full`,
		CLICKHOUSE_URL: `https://localhost:${https}/t`,
		...{
			TIDEMARK_SMTP_HOST: 'localhost',
			TIDEMARK_SMTP_PORT: String(mail),
			TIDEMARK_MAIL_FROM: 'a@b.example',
		},
	});
	const look = (days: number) =>
		examineCertificates(config, {
			publicAddress: `https://localhost:${https}`,
			now: new Date(Date.now() + days * 86_400_000),
		});
	const fresh = await look(0);
	assert.equal(fresh.length, 4);
	for (const { state, what } of fresh) {
		assert.equal(state, 'notice', what);
		assert.match(what, /is not trusted: DEPTH_ZERO_SELF_SIGNED_CERT\.$/);
	}
	for (const { state, what } of await look(85)) {
		assert.equal(state, 'problem', what);
		assert.match(what, /is valid until \d{4}-\d\d-\d\d \(4 days\)\.$/);
	}
	for (const { state, what } of await look(100)) {
		assert.equal(state, 'problem', what);
		assert.match(what, /expired on/);
	}
	const gone = readConfig({ CLICKHOUSE_URL: 'https://localhost:1/t' });
	assert.match(
		(await examineCertificates(gone, { publicAddress: undefined, now: new Date() }))[0]?.what ?? '',
		/could not be read from this machine/,
	);
});

test('[C-DOC-1] a check that fails is a finding and hides no other; secrets of servers are not repeated', async () => {
	const password = 'canary-of-the-engine';
	const config = { ...s.config, clickhouseUrl: `http://default:${password}@clickhouse:8123/t` };
	const broken = {
		...clickhouse,
		ping: async () => false,
		rows: async () => {
			throw new Error(`default: Authentication failed with ${password}.`);
		},
	};
	const found = await examine({ ...patient, config, clickhouse: broken });
	assert.deepEqual([...new Set(found.map(({ check }) => check))], [...doctorChecks]);
	assert.match(
		found.find(({ check }) => check === 'duplicates')?.what ?? '',
		/^The check failed: default: Authentication failed with …\.$/,
	);
	assert.ok(!JSON.stringify(found).includes(password));
	assert.ok(found.some(({ check, state }) => check === 'engines' && state === 'problem'));
});

test('[C-DOC-2] rules by network operator without their database, and the age of the database, are found', async (t) => {
	const websiteId = await s.website();
	const findings = async (now = clock.now) =>
		(await of('geolocation', { now: () => now })).slice(1).map(({ state, what }) => [state, what]);
	assert.deepEqual(await findings(), []);
	await postgres.run(sql`
		INSERT INTO traffic_rules (website_id, name, kind, test, entries, enabled, created_at, updated_at)
		VALUES (${value(websiteId)}, 'Hosting', 'operator', 'is', ARRAY['AS64500'], true, now(), now())`);
	t.after(() => postgres.run(sql`DELETE FROM traffic_rules WHERE website_id = ${value(websiteId)}`));
	assert.deepEqual(await findings(), [
		[
			'notice',
			'1 traffic rule by network operator matches nothing, because the database of network operators is not installed.',
		],
	]);
	const file = join(temporaryFolder(t), 'asn.mmdb');
	writeFileSync(
		file,
		makeMmdb([], { type: 'asn', builtAt: new Date(clock.now.getTime() - 10 * 86_400_000) }),
	);
	const place = { dataFolder: s.config.dataFolder, kind: 'operators' } as const;
	await installDatabase(place, { paths: [file], version: null });
	t.after(() => removeDatabase(place));
	const [[state, what] = []] = await findings();
	assert.equal(state, 'ok');
	assert.match(what ?? '', /^Network operators come from a database of \d{4}-\d{2}-\d{2}, 10 days old\.$/);
	assert.equal((await findings(new Date(clock.now.getTime() + 171 * 86_400_000)))[0]?.[0], 'notice');
	const [path = ''] = (await findOperatorFiles(s.config.dataFolder))?.paths ?? [];
	writeFileSync(path, 'damaged');
	const [damaged] = await findings();
	assert.equal(damaged?.[0], 'problem');
	assert.match(damaged?.[1] ?? '', /cannot be read.* match nothing\.$/);
});

test('[C-DOC-2] a file of TIDEMARK_GEO_FILE that cannot be read is a problem for the next start', async (t) => {
	const geoFile = join(temporaryFolder(t), 'damaged.mmdb');
	writeFileSync(geoFile, 'damaged');
	const [found] = await of('geolocation', { config: { ...s.config, geoFile } });
	assert.equal(found?.state, 'problem');
	assert.match(found?.what ?? '', /damaged\.mmdb cannot be read.* Tidemark cannot start with it\.$/);
	assert.equal(found?.advice, 'Correct or unset TIDEMARK_GEO_FILE.');
});

/**
 * Whether anything that must not be kept is kept. A canary is searched for in every decoded row of every table, because
 * compression hides it from a search in files; then in the files, with compression off. What must be there is searched for
 * in the same way each time: a search that finds nothing proves something only if it can find.
 */
import assert from 'node:assert/strict';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { backUpBeforeUpgrade } from '../../server/backup/before-upgrade.ts';
import { readBackup } from '../../server/backup/file.ts';
import { sealDays, sealSteps } from '../../server/derive/seal.ts';
import type { SealDay } from '../../server/derive/seal-types.ts';
import { createSalts } from '../../server/ingest/lookups/salts.ts';
import { eraseWebsites } from '../../server/jobs/erase-websites.ts';
import { createLog } from '../../server/lib/log.ts';
import { openPostgres } from '../../server/store/postgres.ts';
import { createSaltTables } from '../../server/store/salt-store.ts';
import { identifier, param, sql } from '../../server/store/sql.ts';
import { assertStatus, freshDomain, websiteOf } from '../support/contract.ts';
import { createLedger, eventIdOf, faultsOf, sendHit, userAgentOf } from '../support/ledger.ts';
import { seededRandom } from '../support/random.ts';
import { sealServices } from '../support/sealing.ts';
import { temporaryFolder, tidemark, until } from '../support/service.ts';
import { world } from '../support/world.ts';

let offsetMs = 0;
const now = () => new Date(Date.now() + offsetMs);
const w = await world({ after }, { now, settings: { TIDEMARK_TRUSTED_PROXIES: '127.0.0.1' } });
const random = seededRandom();
const ledger = createLedger();
const owner = await w.account();
const website = async (domain = freshDomain()) =>
	websiteOf(await owner.api('POST', '/websites', { form: { domain } }), 201);
const [one, two] = [await website(), await website()];

await stopCompressing();

/** All tables of ClickHouse. */
function listTables() {
	return w.clickhouse.rows<{ name: string }>(sql`SHOW TABLES`, { as: 'migrate' });
}

/** So that files can be searched; a part that is replaced goes at once instead of after eight minutes. */
async function stopCompressing() {
	for (const { name: table } of await listTables()) {
		const columns = await w.clickhouse.rows<{ name: string }>(sql`DESCRIBE TABLE ${identifier(table)}`, {
			as: 'migrate',
		});
		const changes = columns.map(({ name }) => `MODIFY COLUMN ${name} CODEC(NONE)`);
		await w.clickhouse.script(`ALTER TABLE ${table} ${changes.join(', ')}`);
		await w.clickhouse.script(`ALTER TABLE ${table} MODIFY SETTING old_parts_lifetime = 1`);
	}
	for (const { table, column } of await w.sql<{ table: string; column: string }>(`
		SELECT table_name AS table, column_name AS column FROM information_schema.columns JOIN information_schema.tables
		USING (table_schema, table_name) WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND data_type IN ('text', 'bytea')`))
		await w.sql(`ALTER TABLE ${table} ALTER COLUMN "${column}" SET STORAGE EXTERNAL`);
}

/** Every row of every table of both databases, as text. */
async function rows(): Promise<string> {
	const found: string[] = [];
	const tables = await w.sql<{ name: string }>(`
		SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
		WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')`);
	for (const { name } of tables)
		for (const { row } of await w.sql<{ row: string }>(`SELECT t::text AS row FROM ${name} AS t`))
			found.push(row);
	const there = (await listTables()).map(({ name }) => name);
	assert.ok(['events', 'visits', 'totals', 'open_visits'].every((name) => there.includes(name)));
	for (const name of there)
		for (const row of await w.clickhouse.rows(sql`SELECT * FROM ${identifier(name)}`, { as: 'migrate' }))
			found.push(`${name} ${JSON.stringify(row)}`);
	return found.join('\n');
}

/** The files of the data folder that hold one of the needles; whatever was in memory is written first. */
async function filesWith(needles: readonly (string | Buffer)[]): Promise<string[]> {
	for (let round = 0; round < 2; round++) {
		await w.sql('SELECT pg_switch_wal()');
		await w.sql('CHECKPOINT');
	}
	const { dataFolder } = w.config;
	return filesBelow(dataFolder)
		.filter((file) => {
			const bytes = unlessGone(() => readFileSync(file));
			return bytes !== undefined && needles.some((needle) => bytes.includes(needle));
		})
		.map((file) => relative(dataFolder, file));
}

/** Engines delete files and folders while we look; a socket cannot be read at all. */
function unlessGone<T>(read: () => T): T | undefined {
	try {
		return read();
	} catch {
		return undefined;
	}
}

function filesBelow(folder: string): string[] {
	const entries = unlessGone(() => readdirSync(folder, { withFileTypes: true })) ?? [];
	return entries.flatMap((entry) => {
		const path = join(folder, entry.name);
		return entry.isDirectory() ? filesBelow(path) : [path];
	});
}

const bytesOf = (groups: readonly number[]) => Buffer.from(groups);
/** One address in every way in which a program would keep it, its network among them. */
const canaries = {
	'203.0.113.77': ['203.0.113.77', '203.0.113.', 'cb00714d', '3405803853'],
	'2001:db8:77:1234:5678:9abc:def0:4242': [
		...['2001:db8:77:1234', '2001:0db8:0077:1234', '5678:9abc:def0:4242', '20010db80077123456789abcdef04242'],
		bytesOf([0x20, 0x01, 0x0d, 0xb8, 0x00, 0x77, 0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc, 0xde, 0xf0, 0x42, 0x42]),
	],
};
const needles = Object.values(canaries).flat();
/** An address that somebody wrote into the title of a page: content, and our proof that the search finds addresses. */
const planted = '198.51.100.99';

const hitsFrom = (address: string, many: number, members = {}) =>
	Promise.all(
		Array.from({ length: many }, () =>
			sendHit(ledger, w.base, random.pick([one, two]), eventIdOf(random), {
				headers: { 'x-forwarded-for': address, 'user-agent': userAgentOf(random.whole(5)) },
				members,
			}),
		),
	);

test('[T49] a thousand hits of two addresses, with the engine killed between: neither is in a row, a file or the log', async (t) => {
	t.diagnostic(`seed ${random.seed}`);
	const members = { t: `Server ${planted}`, r: 'https://referrer.example/' };
	const engine = w.pids().engine;
	assert.ok(engine);
	for (let round = 0; round < 5; round++)
		for (const address of Object.keys(canaries)) await hitsFrom(address, 50, members);
	process.kill(engine, 'SIGSTOP');
	for (let round = 0; round < 4; round++)
		for (const address of Object.keys(canaries)) await hitsFrom(address, 50, members);
	// Refused, dropped and broken hits have an address too.
	for (const address of Object.keys(canaries)) {
		await hitsFrom(address, 25, { n: 'x'.repeat(200) });
		await hitsFrom(address, 25, { u: 'https://elsewhere.example/' });
		await fetch(`${w.base}/tm`, { method: 'POST', body: '{', headers: { 'x-forwarded-for': address } });
		const json = { url: `https://${one.domain}/`, ip: address, user_agent: userAgentOf(1) };
		assertStatus(await owner.api('POST', `/websites/${one.id}/events`, { json }), 202);
	}
	const waiting = (await w.sql<{ lines: string }>('SELECT header || lines AS lines FROM event_log'))
		.map(({ lines }) => lines)
		.join('\n');
	process.kill(engine, 'SIGKILL');
	assert.ok(waiting.includes(planted), 'events are on their way');
	for (const needle of needles) assert.ok(!waiting.includes(String(needle)), `${needle} is in the event log`);
	for (const address of Object.keys(canaries)) await hitsFrom(address, 50, members);
	await w.drain();

	const text = await rows();
	assert.ok(text.split(planted).length > 500, 'the search finds an address that is there');
	for (const needle of needles) assert.ok(!text.includes(String(needle)), `${needle} is in a row`);
	const control = await filesWith([planted]);
	for (const part of ['clickhouse/', 'postgres/'])
		assert.ok(
			control.some((name) => name.startsWith(part)),
			`the planted address is in a file of ${part}`,
		);
	assert.deepEqual(await filesWith(needles), []);
	assert.match(w.log(), /"route":"\/tm"/);
	for (const needle of needles) assert.ok(!w.log().includes(String(needle)), `${needle} is in the log`);
});

/** Everything that a backup holds, as text. */
async function textOfBackup(path: string): Promise<string> {
	const pieces: Buffer[] = [];
	for await (const piece of readBackup(path, undefined)) if ('rows' in piece) pieces.push(piece.rows);
	return Buffer.concat(pieces).toString('latin1');
}

/** Ids that an unkeyed hash of a line would be cut to, as text and as bytes of a column. */
const hashesOf = (websiteId: number, lines: readonly string[]) =>
	lines.flatMap((line) => {
		const named = createHash('sha256').update(line).digest();
		const made = createHash('sha256')
			.update(`log\0${websiteId}\0${named.readBigUInt64LE(0)}`)
			.digest();
		const stored = Buffer.from(made.subarray(0, 8)).reverse();
		return [named.subarray(0, 8), stored].flatMap((id) => [id, String(id.readBigUInt64LE(0))]);
	});

test('[T49] [T90] addresses in an imported log, in one that is followed and in an upload: in nothing that stays', async (t) => {
	const site = await website();
	const addresses = Object.keys(canaries);
	const linesAt = (time: string) =>
		addresses.flatMap((address) =>
			['/a', `/${planted}/`].map(
				(path) => `${address} - - [${time}] "GET ${path} HTTP/1.1" 200 512 "-" "${userAgentOf(1)}"`,
			),
		);
	const imported = linesAt('24/Oct/2025:10:00:00 +0000');
	const [, day, month, year, clock] = new Date(Date.now() - 60_000).toUTCString().split(' ');
	const followed = linesAt(`${day}/${month}/${year}:${clock} +0000`);
	const hashes = [...hashesOf(site.id, imported), ...hashesOf(site.id, followed)];
	const forbidden = [...needles, ...hashes];
	const inFiles = () => filesWith(forbidden);

	// An upload has the addresses until it is imported: the search finds them there, and nowhere else.
	const uploaded = await owner.api('POST', `/websites/${site.id}/imports?source=log`, {
		body: imported.join('\n'),
	});
	assertStatus(uploaded, 201);
	const { id } = z.object({ data: z.object({ id: z.int() }) }).parse(uploaded.json).data;
	const found = await inFiles();
	assert.equal(found.length, 1);
	assert.match(found[0] ?? '', /^imports\//);
	await w.operate('import.run', { id });

	const folder = temporaryFolder(t);
	const log = join(folder, 'access.log');
	writeFileSync(log, `${followed.join('\n')}\n`);
	const follow = await tidemark(
		[
			'follow',
			log,
			'--website',
			String(site.id),
			'--url',
			w.base,
			'--state',
			join(folder, 'place'),
			'--once',
		],
		{ settings: { TIDEMARK_API_KEY: owner.key } },
	);
	assert.equal(follow.code, 0, follow.stderr);
	await w.drain();

	const isPlantedWith = (text: string) => text.split(`/${planted}`).length > 4;
	const text = await rows();
	assert.ok(isPlantedWith(text), 'both logs are counted, and the search finds what is in their paths');
	for (const needle of forbidden) assert.ok(!text.includes(String(needle)), `${needle} is in a row`);
	assert.deepEqual(await inFiles(), []);
	for (const needle of forbidden) assert.ok(!w.log().includes(String(needle)), `${needle} is in the log`);

	// The backup before an upgrade.
	const silent = createLog('silent', () => undefined);
	const postgres = openPostgres(w.postgresTarget, { log: silent, connections: 4 });
	t.after(() => postgres.close());
	const backup = await backUpBeforeUpgrade({
		...{ postgres, clickhouse: w.clickhouse, now, version: '0.0.0', log: silent },
		...{ dataFolder: folder, passphrase: undefined },
	});
	const kept = await textOfBackup(backup);
	assert.ok(isPlantedWith(kept), 'the search finds what is in a backup');
	for (const needle of forbidden)
		assert.ok(!kept.includes(typeof needle === 'string' ? needle : needle.toString('latin1')), 'in a backup');

	// And an id that is a hash of a line would be found, in a row and in a file.
	const [hashed = ''] = hashesOf(site.id, imported)
		.filter((needle) => typeof needle === 'string')
		.slice(1);
	await w.clickhouse.command(
		sql`ALTER TABLE events UPDATE event_id = ${param('UInt64', BigInt(String(hashed)))} WHERE website_id = ${param('UInt32', site.id)} AND import_id > 0 AND path = '/a'`,
		{ as: 'migrate', settings: { mutations_sync: '2' } },
	);
	assert.ok((await rows()).includes(String(hashed)));
	assert.ok((await inFiles()).some((name) => name.startsWith('clickhouse/')));
	assertStatus(await owner.api('DELETE', `/websites/${site.id}/imports/${id}`), 200);
});

/** As server/ingest/steps/identify-visitor.ts makes it. */
const visitorId = (salt: Buffer, websiteId: number, address: string, userAgent: string) =>
	createHash('sha256')
		.update(salt)
		.update(`${websiteId}\0${address}\0${userAgent}\0`)
		.digest()
		.readBigUInt64LE(0)
		.toString();
const visitorsOf = async (id: number) =>
	(
		await w.clickhouse.rows<{ website_id: number; visitor_id: string }>(
			sql`SELECT DISTINCT website_id, visitor_id FROM events`,
			{ as: 'migrate' },
		)
	)
		.filter((row) => row.website_id === id)
		.map((row) => row.visitor_id);

test('[T51] the same visitors on two websites: not one id in common', async () => {
	const [mine, theirs] = [new Set(await visitorsOf(one.id)), await visitorsOf(two.id)];
	// Two addresses and five browsers; and the two events of a server, of visitors that are known already.
	assert.deepEqual([mine.size, theirs.length], [10, 10]);
	assert.deepEqual(
		theirs.filter((id) => mine.has(id)),
		[],
	);
});

test('[T50] with its salt an id can be computed; two hours after the day the salt is in no row and no file', async () => {
	const folder = join(w.config.dataFolder, 'salts');
	const salts = readdirSync(folder).map((name) => readFileSync(join(folder, name)));
	const [address = ''] = Object.keys(canaries);
	const stored = await visitorsOf(one.id);
	const computed = (salt: Buffer) => stored.includes(visitorId(salt, one.id, address, userAgentOf(1)));
	const spellings = (salt: Buffer) => [
		salt,
		salt.toString('hex'),
		salt.toString('base64'),
		salt.toString('base64url'),
	];
	// As long as it lives it is a key, and the search finds it.
	assert.equal(salts.filter(computed).length, 1);
	for (const salt of salts) assert.ok((await filesWith(spellings(salt))).length > 0);

	offsetMs += 50 * 3_600_000;
	await w.restart();
	for (const salt of salts) {
		assert.deepEqual(await filesWith(spellings(salt)), []);
		assert.ok(!(await rows()).includes(salt.toString('hex')));
	}
	const left = readdirSync(folder).map((name) => readFileSync(join(folder, name)));
	assert.equal(left.filter(computed).length, 0);
	await hitsFrom(address, 20);
	await w.drain();
	const today = (await visitorsOf(one.id)).filter((id) => !stored.includes(id));
	assert.ok(today.length > 0, 'the same browsers are other visitors now');
});

test('[T50] a website that changes its zone: the salts of both zones are gone two hours after their dates', async () => {
	const site = await website();
	const folder = join(w.config.dataFolder, 'salts');
	const saltsOf = () => readdirSync(folder).map((name) => readFileSync(join(folder, name)));
	const [address = ''] = Object.keys(canaries);
	const send = () =>
		sendHit(ledger, w.base, site, eventIdOf(random), {
			headers: { 'x-forwarded-for': address, 'user-agent': userAgentOf(1) },
		});
	const before = await visitorsOf(site.id);
	assert.deepEqual(before, []);
	assert.equal(await send(), 202);
	const ofOldZone = saltsOf();
	assertStatus(
		await owner.api('PUT', `/websites/${site.id}`, { form: { timezone: 'Pacific/Kiritimati' } }),
		200,
	);
	offsetMs += 24 * 3_600_000;
	assert.equal(await send(), 202);
	await w.drain();
	const salts = [...ofOldZone, ...saltsOf()];
	const stored = await visitorsOf(site.id);
	const computed = (salt: Buffer) => stored.includes(visitorId(salt, site.id, address, userAgentOf(1)));
	// One of each zone made an id.
	assert.equal(new Set(salts.filter(computed).map((salt) => salt.toString('hex'))).size, 2);
	for (const salt of saltsOf()) assert.ok((await filesWith([salt])).length > 0);
	offsetMs += 52 * 3_600_000;
	await w.restart();
	const text = await rows();
	for (const salt of salts) {
		assert.deepEqual(await filesWith([salt, salt.toString('hex'), salt.toString('base64url')]), []);
		assert.ok(!text.includes(salt.toString('hex')));
	}
});

test('[T50] a salt in a table of a server is in no row and no file when it is spent', async (t) => {
	const log = createLog('silent', () => undefined);
	assert.ok(w.postgresConnection);
	const postgres = openPostgres(w.postgresConnection, { log, connections: 2 });
	t.after(() => postgres.close());
	let moment = Date.parse('2026-11-15T12:00:00Z');
	const salts = createSalts(createSaltTables(postgres), () => new Date(moment), log);
	t.after(() => salts.close());
	const salt = Buffer.from((await salts.get('UTC', '2026-11-15')) ?? '');
	assert.equal(salt.length, 32);
	assert.ok((await rows()).includes(salt.toString('hex')));
	// The same in an ordinary table is found, in its file or in the log of changes.
	const planted = randomBytes(32);
	await w.sql('CREATE TABLE planted (salt bytea)');
	await w.sql('INSERT INTO planted VALUES ($1)', [planted]);
	assert.ok((await filesWith([planted])).some((name) => name.startsWith('postgres/')));
	await w.sql('DROP TABLE planted');
	moment += 24 * 3_600_000;
	await salts.destroySpent();
	assert.deepEqual(await filesWith([salt]), []);
	assert.ok(!(await rows()).includes(salt.toString('hex')));
});

test("[T55] an erased website's marker is in no row and no file", async (t) => {
	const marker = 'marker-5e1c77aa';
	const control = 'control-91b2d0ff';
	const [doomed, kept] = [await website(`${marker}.example`), await website(`${control}.example`)];
	for (const site of [doomed, kept]) {
		const word = site === doomed ? marker : control;
		const members = { u: `https://${site.domain}/${word}`, t: word, n: word, p: { [word]: word } };
		for (let step = 0; step < 30; step++)
			assert.equal(await sendHit(ledger, w.base, site, eventIdOf(random), { members }), 202);
	}
	await w.drain();
	assert.deepEqual(
		faultsOf(await ledger.judge(w.clickhouse)).filter((fault) => !/phantom|counted/.test(fault)),
		[],
	);
	// Files that wait to be imported, and one that no import names because its process was killed.
	for (const site of [doomed, kept]) {
		const word = site === doomed ? marker : control;
		const line = `192.0.2.1 - - [24/Oct/2025:10:00:00 +0000] "GET /${word} HTTP/1.1" 200 1 "-" "${userAgentOf(1)}"`;
		assertStatus(await owner.api('POST', `/websites/${site.id}/imports?source=log`, { body: line }), 201);
		writeFileSync(join(w.config.dataFolder, 'imports', `${site.id}.${randomUUID()}`), word);
	}
	const uploadsWith = async (word: string) =>
		(await filesWith([word])).filter((name) => name.startsWith('imports/')).length;
	assert.deepEqual([await uploadsWith(marker), await uploadsWith(control)], [2, 2]);
	await w.sql(`INSERT INTO dead_letters VALUES ($1, 1, $2, 'a reason')`, [doomed.id, marker]);
	const log = createLog('silent', () => undefined);
	assert.ok(w.postgresConnection);
	const postgres = openPostgres(w.postgresConnection, { log, connections: 2 });
	t.after(() => postgres.close());
	const services = sealServices({ postgres, clickhouse: w.clickhouse, now, log });
	const days = await w.sql<SealDay>(
		'SELECT website_id::int AS "websiteId", date::text AS date FROM days WHERE website_id = ANY($1)',
		[[doomed.id, kept.id]],
	);
	// Sealed twice, the second time provisionally, and a third time, which was killed: what counts and what is dead.
	await sealDays(services, days, 'whole');
	await sealDays(services, days, 'provisional');
	await sealDays(services, days, 'whole', { steps: sealSteps.slice(0, 2) });
	const before = await rows();
	for (const table of ['events', 'visits', 'totals'])
		for (const needle of [marker, control]) assert.match(before, new RegExp(`^${table} .*${needle}`, 'm'));
	assert.ok((await filesWith([marker])).some((name) => name.startsWith('clickhouse/')));

	assertStatus(await owner.api('DELETE', `/websites/${doomed.id}`), 200);
	await until(async () => (await uploadsWith(marker)) === 0, 20_000, 'its uploads are deleted');
	assert.equal(await uploadsWith(control), 2);
	offsetMs += 16 * 60_000;
	assert.equal(await eraseWebsites(services), 1);
	const text = await rows();
	assert.ok(text.includes(control));
	assert.ok(!text.includes(marker));
	// PostgreSQL gives the room of deleted rows back in its own time; here it is asked to at once.
	await w.sql('VACUUM FULL');
	await until(
		async () => {
			if ((await filesWith([marker])).every((name) => !name.startsWith('clickhouse/'))) return true;
			// Every half a minute, and where nothing happens less and less often, up to every ten minutes: something happens.
			for (const { name } of await listTables())
				await w.clickhouse.command(sql`ALTER TABLE ${identifier(name)} DELETE WHERE 0`, { as: 'migrate' });
			await sleep(1_500);
			return false;
		},
		180_000,
		'the parts that were replaced are gone',
	);
	assert.deepEqual(await filesWith([marker]), []);
	assert.ok((await filesWith([control])).some((name) => name.startsWith('clickhouse/')));
	assert.ok((await filesWith([control])).some((name) => name.startsWith('postgres/')));
});

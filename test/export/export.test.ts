/** Files of a website's data over the API, read back by ClickHouse itself and by a reader of CSV. */
import assert from 'node:assert/strict';
import { createWriteStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Session } from 'chdb';
import { parse } from 'csv-parse/sync';
import { z } from 'zod';
import { fillEvents } from '../../bench/fill-events.ts';
import { exportedColumns } from '../../server/export/columns.ts';
import { param, sql } from '../../server/store/sql.ts';
import { residentMb } from '../engine/engine.ts';
import { freshDomain, websiteOf } from '../support/contract.ts';
import { until } from '../support/service.ts';
import { storeEvents } from '../support/stored-events.ts';
import { world } from '../support/world.ts';

const w = await world({ after });
const owner = await w.account({ timezone: 'UTC' });
const folder = mkdtempSync(join(tmpdir(), 'tidemark-export-'));
const reader = new Session(join(folder, 'reader'));
after(() => {
	reader.cleanup();
	rmSync(folder, { recursive: true, force: true });
});

const makeWebsite = async (account = owner) =>
	websiteOf(await account.api('POST', '/websites', { form: { domain: freshDomain() } }), 201);

const fetchFile = (id: number, query: string, key = owner.key, signal?: AbortSignal) =>
	fetch(`${w.base}/api/v1/websites/${id}/export?${query}`, {
		headers: { authorization: `Bearer ${key}` },
		...(signal && { signal }),
	});

async function bytesOf(id: number, query: string): Promise<Buffer> {
	const answer = await fetchFile(id, query);
	assert.equal(answer.status, 200, `${query}: ${answer.status}`);
	return Buffer.from(await answer.arrayBuffer());
}

let files = 0;
/** The rows of a file as ClickHouse reads them, with the types that it finds in it. */
function readRows(bytes: Buffer, format: string): Record<string, unknown>[] {
	const file = join(folder, `${++files}`);
	writeFileSync(file, bytes);
	const text = reader.query(
		`SELECT * FROM file('${file}', '${format}') SETTINGS session_timezone = 'UTC', output_format_json_quote_64bit_integers = 1, output_format_json_quote_decimals = 1`,
		'JSONEachRow',
	);
	return text
		.trim()
		.split('\n')
		.filter(Boolean)
		.map((line) => JSON.parse(line));
}

const filled = await makeWebsite();
await fillEvents(w.clickhouse, {
	...{ websiteId: filled.id, from: '2026-10-01', days: 5, events: 3_500, paths: 40 },
});
// Of no batch, so that nobody but this file seals them.
for (let day = 1; day <= 5; day++)
	await w.sql(`INSERT INTO days (website_id, date, last_batch, size) VALUES ($1, $2, 0, 700)`, [
		filled.id,
		`2026-10-0${day}`,
	]);
const goals: number[] = [];
for (const name of ['download', 'gone'])
	goals.push(
		z.object({ data: z.object({ id: z.int() }) }).parse(
			(
				await owner.api('POST', `/websites/${filled.id}/goals`, {
					json: { name, kind: 'event', pattern: name === 'gone' ? 'signup' : name },
				})
			).json,
		).data.id,
	);
// Twice: what the first one derived is still on the disk, and in no file.
for (let seal = 0; seal < 2; seal++) await w.operate('rebuild', { websiteId: filled.id });
await owner.api('DELETE', `/websites/${filled.id}/goals/${goals[1]}`);
// Of today, which is not sealed.
const today = new Date().toISOString().slice(0, 10);
await storeEvents(w, filled.id, [{ date: today, properties: { plan: 'pro' } }]);

const generations = (
	await w.sql<{ generation: string }>(
		'SELECT DISTINCT generation FROM days WHERE website_id = $1 AND generation > 0',
		[filled.id],
	)
).map(({ generation }) => BigInt(generation));
/** Of the seal that counts. */
const isSealed = sql`AND generation IN ${param('Array(UInt64)', generations)}`;

/** What is stored, by the names and in the types of an export. */
const stored = (what: 'events' | 'visits' | 'totals', where = sql``) =>
	w.clickhouse.rows<Record<string, unknown>>(
		sql`SELECT ${{
			strings: [
				exportedColumns[what]
					.map(({ name }) => (name === 'kind' ? 'toString(kind) AS kind' : name))
					.join(', '),
			],
			values: [],
		}} FROM ${{ strings: [what], values: [] }}
			WHERE website_id = ${param('UInt32', filled.id)} ${where}`,
		{ as: 'migrate' },
	);

/** Numbers of 64 bits come as texts from one reader and as numbers from another. */
const sorted = (rows: readonly Record<string, unknown>[]) =>
	rows
		.map((row) =>
			JSON.stringify(
				Object.entries(row).map(([name, value]) => {
					const plain =
						typeof value === 'object' && value !== null
							? Object.entries(value).map(([key, amount]) => [key, String(Number(amount))])
							: value;
					return [name, typeof plain === 'object' ? plain : String(plain).replace(/\.000000$/, '.000')];
				}),
			),
		)
		.sort();

/** The first row that differs says enough; thousands of them say nothing. */
function assertSame(found: readonly string[], expected: readonly string[]): void {
	assert.equal(found.length, expected.length);
	const at = found.findIndex((row, index) => row !== expected[index]);
	assert.equal(found[at], expected[at]);
}

const seals = { events: sql``, visits: sql`${isSealed} AND visitor_id != 0`, totals: isSealed };
for (const what of ['events', 'visits', 'totals'] as const)
	test(`[C-OUT-1][C-OUT-2] ${what} are in a Parquet file and in NDJSON as they are stored`, async () => {
		const all = await stored(what, seals[what]);
		// Of the two goals one is left, and is known by its id.
		const known = new Set(
			(await w.sql<{ revision: string }>('SELECT revision FROM goals')).map((goal) => String(goal.revision)),
		);
		const expected = all.flatMap((row) =>
			row.dimension !== 'goal'
				? [row]
				: known.has(String(row.value))
					? [{ ...row, value: String(goals[0]) }]
					: [],
		);
		assert.equal(all.length - expected.length, what === 'totals' ? 5 : 0);
		assert.ok(expected.length > 100, `${expected.length} rows`);
		const parquet = await bytesOf(filled.id, `what=${what}&format=parquet`);
		assertSame(sorted(readRows(parquet, 'Parquet')), sorted(expected));
		const lines = (await bytesOf(filled.id, `what=${what}&format=ndjson`)).toString('utf8').trimEnd();
		const rows = lines.split('\n').map((line) => JSON.parse(line));
		const isoTimes = expected.map((row) => ({
			...row,
			...(what === 'events' && { time: `${String(row.time).replace(' ', 'T')}Z` }),
			...(what === 'visits' && { start: `${String(row.start).replace(' ', 'T')}Z` }),
		}));
		assertSame(sorted(rows), sorted(isoTimes));
	});

test('[C-OUT-1] the types of a Parquet file are those that the documentation names', async () => {
	const file = join(folder, 'types.parquet');
	writeFileSync(file, await bytesOf(filled.id, 'format=parquet'));
	const described = reader.query(
		`DESCRIBE TABLE file('${file}', 'Parquet') SETTINGS schema_inference_make_columns_nullable = 0`,
		'TSV',
	);
	const shown = /^(date|time|event_id|path|properties|revenue)\t[^\t]+/;
	const types = described.split('\n').flatMap((line) => shown.exec(line)?.[0] ?? []);
	assert.deepEqual(types, [
		'date\tDate32',
		"time\tDateTime64(3, \\'UTC\\')",
		'event_id\tUInt64',
		'path\tString',
		'properties\tMap(String, String)',
		'revenue\tDecimal(18, 4)',
	]);
});

test('[C-OUT-3] dates bound a file on both sides, and visits and totals are of sealed days', async () => {
	const dates = async (query: string) =>
		[
			...new Set(
				readRows(await bytesOf(filled.id, `format=parquet&${query}`), 'Parquet').map(({ date }) => date),
			),
		].sort();
	assert.deepEqual(await dates('from=2026-10-02&to=2026-10-03'), ['2026-10-02', '2026-10-03']);
	assert.deepEqual(await dates('what=visits&from=2026-10-03'), ['2026-10-03', '2026-10-04', '2026-10-05']);
	assert.deepEqual(await dates('what=totals&to=2026-10-01'), ['2026-10-01']);
	assert.deepEqual(await dates('what=totals&from=2026-10-06'), []);
	for (const query of ['from=2026-10-03&to=2026-10-02', 'from=tomorrow', 'format=xml', 'what=all', 'x=1'])
		assert.equal((await fetchFile(filled.id, query)).status, 422, query);
});

test('[C-OUT-3] what was reset, and what is past its retention, is in no file', async () => {
	const website = await makeWebsite();
	await storeEvents(w, website.id, [
		{ date: '2026-09-30', path: '/old' },
		{ date: '2026-10-01', path: '/kept' },
	]);
	await w.sql(`UPDATE websites SET raw_from = '2026-10-01' WHERE id = $1`, [website.id]);
	const pathsOf = async () =>
		readRows(await bytesOf(website.id, 'format=parquet'), 'Parquet').map(({ path }) => path);
	assert.deepEqual(await pathsOf(), ['/kept']);
	await owner.api('POST', `/websites/${website.id}/reset`);
	assert.deepEqual(await pathsOf(), []);
});

const hostile = ['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', '\nx', "'=1", "''-1", 'a"b', 'a,b', 'é', ''];
test('[T41][C-OUT-4] no text of a CSV file begins like a formula, and every one comes back as it was', async () => {
	const website = await makeWebsite();
	const texts = exportedColumns.events
		.filter(({ kind, name }) => kind === 'text' && name !== 'kind')
		.map(({ name }) => name);
	await storeEvents(
		w,
		website.id,
		hostile.map((text, index) => ({
			...{ date: '2026-10-01', event_id: String(index + 1), revenue: '-2.5', cls: -1 },
			...Object.fromEntries(texts.map((name) => [name, text])),
			properties: { [text || 'none']: text },
		})),
	);
	for (const raw of [false, true]) {
		const bytes = await bytesOf(website.id, `format=csv&raw=${raw}`);
		const rows: Record<string, string>[] = parse(bytes, { columns: true, record_delimiter: '\r\n' });
		assert.equal(rows.length, hostile.length);
		assert.deepEqual(
			Object.keys(rows[0] ?? {}),
			exportedColumns.events.map(({ name }) => name),
		);
		for (const row of rows) {
			const text = hostile[Number(row.event_id) - 1] ?? '';
			for (const name of texts) {
				const cell = row[name] ?? '';
				if (!raw) assert.doesNotMatch(cell, /^[=+\-@\t\r\n]/, `${name} of ${JSON.stringify(text)}`);
				assert.equal(raw ? cell : cell.replace(/^'(?='*[=+\-@\t\r\n])/, ''), text, name);
			}
			assert.deepEqual(JSON.parse(row.properties ?? ''), { [text || 'none']: text });
			assert.deepEqual([row.revenue, row.cls], ['-2.5', '-1']);
		}
	}
});

const large = await makeWebsite();
await fillEvents(w.clickhouse, {
	...{ websiteId: large.id, from: '2026-10-01', days: 20, events: 300_000, paths: 1_000 },
});

/** Waits so long at first that the connection is full. */
async function* slowly(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
	await pause(1_000);
	for await (const piece of pieces) {
		yield piece;
		await pause(2);
	}
}

for (const who of ['fast', 'slow'])
	test(`[C-OUT-2] 300,000 events, read back from Parquet by somebody ${who}, are those that are stored`, async () => {
		const file = join(folder, `${who}.parquet`);
		const { body } = await fetchFile(large.id, 'format=parquet');
		const pieces = Readable.fromWeb(body ?? new ReadableStream());
		await pipeline(who === 'slow' ? slowly(pieces) : pieces, createWriteStream(file));
		const hash = `count() AS rows, sum(cityHash64(${exportedColumns.events.map(({ name }) => `toString(${name})`).join(', ')})) AS hash`;
		const [stored] = await w.clickhouse.rows<{ rows: string; hash: string }>(
			sql`SELECT ${{ strings: [hash], values: [] }} FROM events WHERE website_id = ${param('UInt32', large.id)}`,
		);
		const read = reader.query(
			`SELECT ${hash} FROM file('${file}', 'Parquet') SETTINGS session_timezone = 'UTC', output_format_json_quote_64bit_integers = 1`,
			'JSONEachRow',
		);
		assert.equal(stored?.rows, '300000');
		assert.deepEqual(JSON.parse(read), stored);
	});

test('[T74][C-OUT-5] of ten exports at once one is answered and nine are 429, and memory stays flat', async (t) => {
	const engine = w.pids().engine ?? 0;
	// Once before: what the first one takes is there for good.
	for await (const _ of (await fetchFile(large.id, 'format=ndjson&to=2026-10-02')).body ?? []);
	const before = { engine: residentMb(engine), service: residentMb(process.pid) };
	const answers = await Promise.all(Array.from({ length: 10 }, () => fetchFile(large.id, 'format=ndjson')));
	assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(9).fill(429)]);
	const most = { ...before };
	let bytes = 0;
	let pieces = 0;
	for (const answer of answers) {
		if (answer.status !== 200) {
			assert.match(await answer.text(), /export of this account is already running/);
			continue;
		}
		for await (const piece of answer.body ?? []) {
			bytes += piece.length;
			if (++pieces % 50 > 0) continue;
			most.engine = Math.max(most.engine, residentMb(engine));
			most.service = Math.max(most.service, residentMb(process.pid));
		}
	}
	const grown = { engine: most.engine - before.engine, service: most.service - before.service };
	t.diagnostic(`${bytes} bytes; grown by ${JSON.stringify(grown)} MB`);
	assert.ok(bytes > 150_000_000, `${bytes} bytes`);
	assert.ok(grown.engine < 200 && grown.service < 150, JSON.stringify(grown));
	// Whoever has the last byte may begin the next one.
	for (let next = 0; next < 5; next++) await bytesOf(filled.id, 'format=csv');
});

test('[T74] who takes nothing holds up neither the statistics nor memory, and whoever leaves ends their export', async () => {
	const leaving = new AbortController();
	const answer = await fetchFile(large.id, 'format=ndjson', owner.key, leaving.signal);
	assert.equal(answer.status, 200);
	assert.equal((await owner.api('GET', `/websites/${filled.id}/stats?period=all`)).status, 200);
	assert.equal((await fetchFile(large.id, 'format=csv')).status, 429);
	leaving.abort();
	await until(
		async () => (await bytesOf(filled.id, 'format=csv').catch(() => Buffer.alloc(0))).length > 0,
		30_000,
		'another export may begin',
	);
});

test('[C-OUT-6] a file whose making fails in the midst has no end', async () => {
	for (const format of ['ndjson', 'csv', 'parquet']) {
		await until(() => w.clickhouse.ping(), 60_000, 'the engine is up');
		const engine = w.pids().engine ?? 0;
		const answer = await fetchFile(large.id, `format=${format}`);
		assert.equal(answer.status, 200);
		const body = answer.body?.getReader();
		await body?.read();
		process.kill(engine, 'SIGKILL');
		await assert.rejects(async () => {
			while (!(await body?.read())?.done);
		}, format);
	}
	await until(() => w.clickhouse.ping(), 60_000, 'it is up');
	// A failure before the first byte is an answer.
	await until(
		async () => (await bytesOf(filled.id, 'format=parquet').catch(() => Buffer.alloc(0))).length > 0,
		60_000,
		'files are made again',
	);
});

test('[C-OUT-5] a key that is revoked, and a role that is less than admin, get no file', async () => {
	const { id, key } = await w.key(owner, { access: 'read' });
	const allowed = await fetchFile(filled.id, 'format=ndjson', key);
	assert.equal(allowed.status, 200);
	await allowed.arrayBuffer();
	await w.revokeKey(id);
	assert.equal((await fetchFile(filled.id, 'format=ndjson', key)).status, 401);
	const head = await fetch(`${w.base}/api/v1/websites/${filled.id}/export`, {
		method: 'HEAD',
		headers: { authorization: `Bearer ${owner.key}` },
	});
	assert.equal(head.status, 200);
	assert.match(
		head.headers.get('content-disposition') ?? '',
		/^attachment; filename="w\d+\.example-events\.csv"$/,
	);
});

test('[T86][C-OUT-5] an export that a key began has no end once the website belongs to somebody else', async () => {
	const { email } = await w.account();
	const answer = await fetchFile(large.id, 'format=ndjson');
	assert.equal(answer.status, 200);
	const body = answer.body?.getReader();
	await body?.read();
	await w.operate('website.move', { id: large.id, email });
	// Rights are looked at again once a second, and a reader who waits holds the rest of the file up.
	await pause(1_100);
	await assert.rejects(async () => {
		while (!(await body?.read())?.done);
	});
});

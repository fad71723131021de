import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { z } from 'zod';
import { list } from '../../api/envelopes.ts';
import { importRecord } from '../../api/imports.ts';
import { createReader } from '../../server/import/reader.ts';
import { createUploads } from '../../server/import/uploads.ts';
import { AppError } from '../../server/lib/app-error.ts';
import { type Answer, client } from '../support/client.ts';
import { assertProblem, assertStatus, freshDomain, websiteOf } from '../support/contract.ts';
import { descendantsOf, until } from '../support/service.ts';
import { world } from '../support/world.ts';
import { zipOf } from '../support/zip.ts';

const w = await world({ after });
const owner = await w.account({ timezone: 'UTC' });
const create = async () =>
	websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain() } }), 201);

const archive = (...days: string[]) =>
	zipOf([
		{
			name: 'imported_visitors_20240301_20240302.csv',
			text: ['date,visitors,pageviews,bounces,visits,visit_duration', ...days].join('\n'),
		},
	]);
const twoDays = archive('2024-03-01,10,30,4,12,600', '2024-03-02,5,8,3,6,120');

const record = z.strictObject(importRecord.shape);
const one = (answer: Answer, status: number) => {
	assertStatus(answer, status);
	return z.strictObject({ data: record }).parse(answer.json).data;
};
const pageOf = (answer: Answer) => {
	assertStatus(answer, 200);
	return z.strictObject(list(record).shape).parse(answer.json);
};
const look = (
	id: number,
	body: Uint8Array,
	query = '?source=plausible&file_name=export.zip',
	api = owner.api,
) => api('POST', `/websites/${id}/imports${query}`, { body });
const visitorsOf = async (id: number) => {
	const { json } = await owner.api(
		'GET',
		`/websites/${id}/stats?period=custom&from=2024-03-01&to=2024-03-02&metrics=visitors`,
	);
	return z.object({ data: z.object({ totals: z.object({ visitors: z.int() }) }) }).parse(json).data.totals
		.visitors;
};
const isDone = async (id: number, importId: number) =>
	one(await owner.api('GET', `/websites/${id}/imports/${importId}`), 200).state === 'done';

test('[C-IMP-8] a file is looked at, started, listed and undone', async () => {
	const { id } = await create();
	const found = one(await look(id, twoDays), 201);
	assert.deepEqual(
		[found.source, found.kind, found.state, found.from, found.to, found.days, found.totals.visitors],
		['plausible', 'totals', 'previewed', '2024-03-01', '2024-03-02', 2, 15],
	);
	assert.equal(await visitorsOf(id), 0);
	const started = one(await owner.api('POST', `/websites/${id}/imports/${found.id}/start`), 200);
	assert.equal(started.state, 'waiting');
	await until(() => isDone(id, found.id), 15_000, 'it is done');
	assert.equal(await visitorsOf(id), 15);
	const listed = pageOf(await owner.api('GET', `/websites/${id}/imports`));
	assert.deepEqual(
		listed.data.map((each) => [each.id, each.state]),
		[[found.id, 'done']],
	);
	assertProblem(await owner.api('POST', `/websites/${id}/imports/${found.id}/start`), 'precondition_failed');
	const gone = await owner.api('DELETE', `/websites/${id}/imports/${found.id}`);
	assert.deepEqual([gone.status, gone.json], [200, { id: found.id, object: 'import', deleted: true }]);
	assert.equal(await visitorsOf(id), 0);
	assertProblem(await owner.api('GET', `/websites/${id}/imports/${found.id}`), 'not_found');
});

test('[C-IMP-11] the list has the envelope of every list: pages, links and how many there are', async () => {
	const { id } = await create();
	const path = `/websites/${id}/imports`;
	assert.deepEqual(pageOf(await owner.api('GET', path)).meta, {
		...{ current_page: 1, from: null, to: null, last_page: 1, per_page: 10, total: 0 },
		path: `${w.publicUrl}/api/v1${path}`,
	});
	const ids: number[] = [];
	for (let n = 0; n < 11; n++) {
		const [made] = await w.sql<{ id: string }>(
			`INSERT INTO imports (website_id, source, kind, state, file_name, zone, given, preview, total_rows, created_at)
			VALUES ($1, 'plausible', 'totals', 'failed', '', 'UTC', '{}', $2, 0, now()) RETURNING id`,
			[id, JSON.stringify({ days: 0, events: 0, totals: {}, dimensions: {}, skipped: {}, rows: 0 })],
		);
		ids.unshift(Number(made?.id));
	}
	const first = pageOf(await owner.api('GET', path));
	assert.deepEqual(
		[first.data.map((each) => each.id), first.meta.total, first.meta.last_page, first.links.prev],
		[ids.slice(0, 10), 11, 2, null],
	);
	assert.equal(first.links.next, `${w.publicUrl}/api/v1${path}?page=2`);
	const last = pageOf(await owner.api('GET', `${path}?page=2`));
	assert.deepEqual([last.data.map((each) => each.id), last.meta.from, last.meta.to], [ids.slice(10), 11, 11]);
	assertProblem(await owner.api('GET', `${path}?per_page=7`), 'validation_failed');
	assertProblem(await owner.api('GET', '/websites/999999/imports?per_page=7'), 'not_found');
});

/** Processes that read files. */
const readers = () =>
	descendantsOf(process.pid).filter((pid) => {
		try {
			return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('import-reader');
		} catch {
			return false;
		}
	});
const uploads = () => {
	try {
		return readdirSync(join(w.config.dataFolder, 'imports'));
	} catch {
		return [];
	}
};
/** Sends a file whose reader is frozen at once, so that it is read for as long as a test needs. */
async function lookFrozen(id: number, api = owner.api) {
	const left = new AbortController();
	const before = readers();
	const answer = look(id, twoDays, undefined, (method, path, call) =>
		api(method, path, { ...call, signal: left.signal }),
	);
	answer.catch(() => undefined);
	let reader = 0;
	await until(
		() => {
			reader = readers().find((pid) => !before.includes(pid)) ?? 0;
			if (reader > 0) process.kill(reader, 'SIGSTOP');
			return reader > 0;
		},
		15_000,
		'a process reads the file',
	);
	return { answer, reader, leave: () => left.abort() };
}

test('[T91] a file is read by a process of its own, one at a time, which ends when its caller leaves', async () => {
	const [mine, theirs] = [await create(), await w.account()];
	const other = websiteOf(await theirs.api('POST', '/websites', { form: { domain: freshDomain() } }), 201);
	const frozen = await lookFrozen(mine.id);
	const waiting = look(other.id, twoDays, undefined, theirs.api);
	await until(() => uploads().length >= 2, 10_000, 'the second file is here');
	// The collector and the API answer meanwhile.
	assertStatus(await owner.api('GET', '/websites'), 200);
	assert.deepEqual(readers(), [frozen.reader]);
	frozen.leave();
	await assert.rejects(frozen.answer);
	await until(() => !readers().includes(frozen.reader), 10_000, 'its process is gone');
	const found = one(await waiting, 201);
	assert.deepEqual(readers(), []);
	assertStatus(await theirs.api('DELETE', `/websites/${other.id}/imports/${found.id}`), 200);
	assert.deepEqual(uploads(), []);
});

test('[F51] a stop ends what is being read, and tells its caller to send it again; an import goes on after the start', async () => {
	const { id } = await create();
	const frozen = await lookFrozen(id);
	await w.restart();
	assertProblem(await frozen.answer, 'unavailable');
	assert.deepEqual([readers(), uploads()], [[], []]);
	const found = one(await look(id, twoDays), 201);
	await w.operate('import.run', { id: found.id });
	assert.equal(await visitorsOf(id), 15);
});

test('[T91] a file that takes too long or too much memory is refused with what to do, and the service goes on', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'tidemark-import-'));
	after(() => rmSync(folder, { recursive: true, force: true }));
	const path = join(folder, 'matomo.json');
	writeFileSync(path, `[${'{"a":[1]},'.repeat(5_000_000)}{}]`);
	const [row] = await w.sql<{ id: string; domain: string }>('SELECT id, domain FROM websites LIMIT 1');
	const website = {
		...{ id: Number(row?.id), domain: row?.domain ?? '', hostnames: null, excludeBots: true },
		...{
			excludeParams: null,
			excludeIps: null,
			honourSignals: true,
			resetAt: null,
			hitLimit: null,
			rulesVersion: null,
		},
		zones: [{ from: '0001-01-01', zone: 'UTC' }],
	};
	const dates = { today: '2026-11-15', firstOwn: null, rawFrom: null, taken: new Set<string>() };
	const request = { path, source: 'matomo' as const, zone: 'UTC', website, dates };
	const { signal } = new AbortController();
	const small = createReader({ geo: { geoFile: undefined, dataFolder: folder }, heapMb: 64 });
	await assert.rejects(small.preview(request, { signal, withinMs: 60_000 }), /more memory.*fewer days/);
	await assert.rejects(small.preview(request, { signal, withinMs: 1 }), /took longer.*tidemark import/);
	const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, '\n'));
	const { id } = await create();
	const refused = await look(id, bomb, '?source=log');
	assertProblem(refused, 'validation_failed');
	assert.match(refused.text, /unpack it and import the result/);
});

test('[T92] [C-IMP-12] files that wait are bounded by account, and none is taken when the disk is nearly full', async () => {
	const [first, second] = [await create(), await create()];
	const { id: importId } = one(await look(first.id, twoDays), 201);
	const [kept] = await w.sql<{ bytes: string }>('SELECT bytes FROM imports WHERE id = $1', [importId]);
	assert.equal(Number(kept?.bytes), twoDays.length);
	const leave = (bytes: number) =>
		w.sql('UPDATE imports SET bytes = $2 WHERE id = $1', [importId, 2 * 1024 ** 3 - bytes]);
	await leave(twoDays.length - 1);
	const refused = await look(second.id, twoDays);
	assertProblem(refused, 'limit_reached');
	assert.match(refused.text, /Import or discard/);
	// Also one that does not say how long it is.
	const chunked = new ReadableStream({
		start(controller) {
			controller.enqueue(twoDays);
			controller.close();
		},
	});
	const sent = await fetch(`${w.base}/api/v1/websites/${second.id}/imports?source=plausible`, {
		method: 'POST',
		headers: { authorization: `Bearer ${owner.key}` },
		body: chunked,
		duplex: 'half',
	});
	assert.equal(sent.status, 422);
	await leave(twoDays.length);
	const { id: otherId } = one(await look(second.id, twoDays), 201);
	for (const [website, id] of [
		[first.id, importId],
		[second.id, otherId],
	])
		assertStatus(await owner.api('DELETE', `/websites/${website}/imports/${id}`), 200);

	const folder = mkdtempSync(join(tmpdir(), 'tidemark-import-'));
	after(() => rmSync(folder, { recursive: true, force: true }));
	let free = 1024 ** 3 + 100;
	const full = createUploads(folder, async () => free);
	async function* pieces(many = 1, bytes = 100) {
		for (let n = 0; n < many; n++) yield Buffer.alloc(bytes);
	}
	const taking = { websiteId: 1, bytes: 0, room: 1024 ** 3, noRoom: () => new AppError('limit_reached', '') };
	const isRefused = { code: 'limit_reached', message: /disk .* GB left.*Free some space/ };
	await assert.rejects(full.receive(pieces(), { ...taking, bytes: 101 }), isRefused);
	// Refused with its first piece, while the file is being opened.
	for (let n = 0; n < 30; n++)
		await Promise.all(
			Array.from({ length: 100 }, () =>
				assert.rejects(full.receive(pieces(), { ...taking, room: 99 }), {
					code: 'limit_reached',
					message: '',
				}),
			),
		);
	await sleep(100);
	assert.deepEqual(readdirSync(join(folder, 'imports')), []);
	const name = await full.receive(pieces(), { ...taking, bytes: 100 });
	assert.equal(await full.size(name), 100);
	await full.drop(name);
	// It fills up while a file comes that does not say how long it is.
	const filling = (async function* () {
		for await (const piece of pieces(40, 1024 ** 2)) {
			free -= piece.length;
			yield piece;
		}
	})();
	await assert.rejects(full.receive(filling, taking), isRefused);
	assert.deepEqual(readdirSync(join(folder, 'imports')), []);
	await assert.rejects(full.demandSpace(), isRefused);
});

test('[C-IMP-1] the list of websites counts imported days too, and knows nothing where the source does not', async () => {
	const { id } = await create();
	const lineOf = async () => {
		const { json } = await owner.api(
			'GET',
			`/stats?period=custom&from=2024-03-01&to=2024-03-02&websites=${id}`,
		);
		const line = z.object({
			visitors: z.int().nullable(),
			visits: z.int().nullable(),
			sparkline: z.array(z.int()),
		});
		return z.object({ data: z.array(line) }).parse(json).data[0];
	};
	const found = one(await look(id, twoDays), 201);
	await w.operate('import.run', { id: found.id });
	assert.deepEqual(await lineOf(), { visitors: 15, visits: 18, sparkline: [10, 5] });
	assertStatus(await owner.api('DELETE', `/websites/${id}/imports/${found.id}`), 200);
	assert.deepEqual(await lineOf(), { visitors: 0, visits: 0, sparkline: [0, 0] });
	const few = one(
		await look(id, zipOf([{ name: 'imported_visitors.csv', text: 'date,visitors\n2024-03-01,7' }])),
		201,
	);
	await w.operate('import.run', { id: few.id });
	assert.deepEqual(await lineOf(), { visitors: 7, visits: null, sparkline: [7, 0] });
});

test('[C-IMP-9] a file that cannot be read is refused with the reason and is not kept', async () => {
	const { id } = await create();
	assertProblem(await look(id, Buffer.from('date,visitors')), 'validation_failed');
	assertProblem(await look(id, new Uint8Array()), 'validation_failed');
	assertProblem(await look(id, twoDays, '?source=nobody'), 'validation_failed');
	assertProblem(await look(id, twoDays, '?source=plausible&timezone=Mars'), 'validation_failed');
	const other = await create();
	assertProblem(await look(id, twoDays, '?source=plausible', client(w.base, 'wrong')), 'unauthenticated');
	const { id: importId } = one(await look(other.id, twoDays), 201);
	assertProblem(await owner.api('DELETE', `/websites/${id}/imports/${importId}`), 'not_found');
	const kept = readdirSync(join(w.config.dataFolder, 'imports'));
	assert.equal(kept.length, 1);
	assert.equal(statSync(join(w.config.dataFolder, 'imports', kept[0] ?? '')).mode & 0o777, 0o600);
	await owner.api('DELETE', `/websites/${other.id}/imports/${importId}`);
	assert.deepEqual(readdirSync(join(w.config.dataFolder, 'imports')), []);
});

test('[T74] one file of an account at a time, few that wait, and one that is cut short leaves nothing', async () => {
	const { id } = await create();
	const slow = request(`${w.base}/api/v1/websites/${id}/imports?source=plausible`, {
		method: 'POST',
		headers: { authorization: `Bearer ${owner.key}`, 'content-length': String(twoDays.length) },
	});
	slow.on('error', () => undefined);
	slow.write(twoDays.subarray(0, 40));
	const files = () => {
		try {
			return readdirSync(join(w.config.dataFolder, 'imports')).length;
		} catch {
			return 0;
		}
	};
	await until(() => files() === 1, 5_000, 'the file has begun');
	assertProblem(await look(id, twoDays), 'too_many_requests');
	slow.destroy();
	await until(() => files() === 0, 5_000, 'nothing is left of it');
	for (let n = 0; n < 3; n++) one(await look(id, twoDays), 201);
	assertProblem(await look(id, twoDays), 'limit_reached');
});

test('[C-IMP-8] a file may take longer to come than any other request', async () => {
	const { id } = await create();
	const slow = request(`${w.base}/api/v1/websites/${id}/imports?source=plausible`, {
		method: 'POST',
		headers: { authorization: `Bearer ${owner.key}`, 'content-length': String(twoDays.length) },
	});
	const status = new Promise<number | undefined>((resolve, reject) => {
		slow.on('response', (answer) => resolve(answer.resume().statusCode));
		slow.on('error', reject);
	});
	slow.write(twoDays.subarray(0, 40));
	// Other requests are ended after ten seconds, and connections are looked at every second.
	await sleep(12_500);
	slow.end(twoDays.subarray(40));
	assert.equal(await status, 201);
});

test('[C-IMP-10] an import that was cut short by a restart begins anew and counts once', async () => {
	const { id } = await create();
	const { id: importId } = one(await look(id, twoDays), 201);
	// As a kill in the middle leaves it: some rows are there, and it says that it runs.
	await w.clickhouse.insert({
		table: 'totals_imported',
		lines: JSON.stringify({
			website_id: id,
			import_id: importId,
			date: '2024-03-01',
			dimension: '',
			visitors: 10,
		}),
		token: `cut ${importId}`,
	});
	assert.equal(await visitorsOf(id), 0);
	await w.sql("UPDATE imports SET state = 'running' WHERE id = $1", [importId]);
	await w.restart();
	await until(() => isDone(id, importId), 20_000, 'it is done');
	assert.equal(await visitorsOf(id), 15);
});

test('[C-IMP-5] an emptied website has no imports any more', async () => {
	const { id } = await create();
	const found = one(await look(id, twoDays), 201);
	await w.operate('import.run', { id: found.id });
	assert.equal(await visitorsOf(id), 15);
	assertStatus(await owner.api('POST', `/websites/${id}/reset`), 200);
	assert.equal(await visitorsOf(id), 0);
	const recordsOf = () => w.sql('SELECT 1 FROM imports WHERE website_id = $1', [id]);
	await until(async () => (await recordsOf()).length === 0, 15_000, 'it is forgotten');
	const [left] = await w.sql('SELECT 1 FROM imported_days WHERE website_id = $1', [id]);
	assert.equal(left, undefined);
});

test('[C-IDEM-8] a file that is sent again with its Idempotency-Key is one import, and another file is refused', async () => {
	const { id } = await create();
	const before = uploads().length;
	const key = `import-${id}`;
	const post = (body: Uint8Array, query = '?source=plausible&file_name=export.zip') =>
		owner.api('POST', `/websites/${id}/imports${query}`, { body, headers: { 'idempotency-key': key } });
	const first = await post(twoDays);
	one(first, 201);
	const again = await post(twoDays);
	assert.deepEqual([again.status, again.text], [201, first.text]);
	assert.equal(again.headers.location, first.headers.location);
	assert.equal(again.headers['idempotency-replayed'], 'true');
	assertProblem(await post(archive('2024-03-01,10,30,4,12,600')), 'idempotency_mismatch');
	assertProblem(await post(twoDays, '?source=plausible&file_name=other.zip'), 'idempotency_mismatch');
	const { json } = await owner.api('GET', `/websites/${id}/imports`);
	assert.equal((json as { data: unknown[] }).data.length, 1);
	// No copy of the file stays beside the first.
	assert.equal(uploads().length, before + 1);
	const { id: importId } = one(first, 201);
	assertStatus(await owner.api('DELETE', `/websites/${id}/imports/${importId}`), 200);
});

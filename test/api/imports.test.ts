import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { importRecord } from '../../api/imports.ts';
import { type Answer, client } from '../support/client.ts';
import { assertProblem, assertStatus, freshDomain, websiteOf } from '../support/contract.ts';
import { until } from '../support/service.ts';
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
	const { json } = await owner.api('GET', `/websites/${id}/imports`);
	assert.deepEqual(
		z
			.object({ data: z.array(record) })
			.parse(json)
			.data.map((each) => [each.id, each.state]),
		[[found.id, 'done']],
	);
	assertProblem(await owner.api('POST', `/websites/${id}/imports/${found.id}/start`), 'precondition_failed');
	const gone = await owner.api('DELETE', `/websites/${id}/imports/${found.id}`);
	assert.deepEqual([gone.status, gone.json], [200, { id: found.id, object: 'import', deleted: true }]);
	assert.equal(await visitorsOf(id), 0);
	assertProblem(await owner.api('GET', `/websites/${id}/imports/${found.id}`), 'not_found');
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
	assert.deepEqual(await lineOf(), { visitors: null, visits: null, sparkline: [7, 0] });
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

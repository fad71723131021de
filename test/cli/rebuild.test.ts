import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '../../server/config.ts';
import { createLog } from '../../server/lib/log.ts';
import { openStores } from '../../server/main.ts';
import { sql } from '../../server/store/sql.ts';
import { startServiceProcess, temporaryFolder, tidemark } from '../support/service.ts';

/** One page view too many in the totals of one day. */
async function spoil(folder: string) {
	const stores = await openStores(readConfig({ TIDEMARK_DATA: folder }), {
		log: createLog('error'),
		statistics: true,
	});
	await stores.clickhouse?.command(
		sql`ALTER TABLE totals UPDATE views = views - 1 WHERE dimension = '' AND date = (SELECT min(date) FROM totals)`,
		{ settings: { mutations_sync: '2' } },
	);
	await stores.close();
}

test('rebuild and check: without a service, and with one', async (t) => {
	const folder = `${temporaryFolder(t)}/data`;
	const run = (...args: string[]) => tidemark([...args, '--data', folder]);
	const demo = await run('demo', '--days', '4');
	assert.equal(demo.code, 0, demo.stderr);
	const id = demo.stdout.trim();

	assert.deepEqual(await run('check'), {
		...{ code: 1, stdout: 'No days compared: this range has no sealed day.\n', stderr: '' },
	});
	const rebuilt = await run('rebuild', '--website', id);
	assert.match(rebuilt.stdout, /^Rebuilt 4 days from \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d\.\n$/);
	const [from = '', to = ''] = rebuilt.stdout.match(/\d{4}-\d\d-\d\d/g) ?? [];
	assert.equal((await run('check')).stdout, 'Compared 4 days. No differences.\n');
	assert.equal(
		(await run('check', '--website', id, '--from', to)).stdout,
		'Compared 1 day. No differences.\n',
	);

	await spoil(folder);
	const wrong = await run('check');
	assert.equal(wrong.code, 1);
	assert.match(wrong.stdout, /^website {2}date {8}count {2}totals {2}visits {2}events$/m);
	assert.match(wrong.stdout, new RegExp(`^ +${id}  ${from}  views +\\d+ +\\d+ +\\d+$`, 'm'));
	assert.match(wrong.stdout, /^Compared 4 days, 1 differ\./m);
	const json = await run('check', '--json');
	assert.equal(json.code, 1);
	const { days, differences } = JSON.parse(json.stdout);
	assert.equal(days, 4);
	assert.deepEqual(
		differences.map((row: Record<string, unknown>) => [row.website_id, row.date, row.count]),
		[[Number(id), from, 'views']],
	);
	assert.equal(differences[0].totals, differences[0].events - 1);

	const service = await startServiceProcess(t, { folder });
	assert.equal((await run('check')).code, 1);
	const part = await run('rebuild', '--website', id, '--from', from, '--to', from, '--json');
	assert.deepEqual(JSON.parse(part.stdout), { website_id: Number(id), days: 1, from, to: from });
	const mended = await run('check', '--website', id, '--to', from);
	assert.deepEqual([mended.code, mended.stdout], [0, 'Compared 1 day. No differences.\n']);

	for (const [args, reason] of [
		[['rebuild'], /required option '--website/],
		[['rebuild', '--website', 'x'], /"x" is not a website id/],
		[['rebuild', '--website', '77'], /There is no website 77/],
		[['rebuild', '--website', id, '--from', '2026-02-30'], /"2026-02-30" is not a date/],
		[['check', '--to', 'tomorrow'], /"tomorrow" is not a date/],
		[['check', '--website', '77'], /There is no website 77/],
	] as const) {
		const refused = await run(...args);
		assert.deepEqual([refused.code, refused.stdout], [1, ''], args.join(' '));
		assert.match(refused.stderr, reason);
	}
	await service.stop();
});

import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { temporaryFolder, tidemark } from '../support/service.ts';
import { zipOf } from '../support/zip.ts';

test('without a service: a look, the import, the list and the way back', async (t: TestContext) => {
	const folder = temporaryFolder(t);
	const data = join(folder, 'data');
	const run = async (...args: string[]) => {
		const printed = await tidemark([...args, '--data', data]);
		assert.equal(printed.code, 0, printed.stderr);
		return printed;
	};
	await run('account', 'create', '--email', 'a@example.test', '--name', 'A');
	const website = (
		await run('website', 'create', 'example.com', '--account', 'a@example.test')
	).stdout.trim();
	const file = join(folder, 'export.zip');
	const text = 'date,visitors,pageviews\n2024-03-01,10,30\n2024-03-02,5,8\n2024-03-02,-5,8';
	writeFileSync(file, zipOf([{ name: 'imported_visitors.csv', text }]));
	const of = ['import', file, '--website', website, '--from', 'plausible'];

	const look = await run(...of, '--dry-run');
	assert.equal(look.stdout, '');
	assert.match(look.stderr, /^2 days from 2024-03-01 to 2024-03-02\.$/m);
	assert.match(look.stderr, /^visitors +15$/m);
	assert.match(look.stderr, /^bad_number: .* +1$/m);
	assert.match(look.stderr, /^Dry run: nothing was imported\.$/m);
	assert.deepEqual(JSON.parse((await run('imports', 'list', '--json')).stdout), []);

	const done = await run(...of);
	assert.match(done.stdout, /^\d+\n$/);
	const id = done.stdout.trim();
	const [listed] = JSON.parse((await run('imports', 'list', '--website', website, '--json')).stdout);
	assert.deepEqual(
		[listed.id, listed.state, listed.from, listed.to, listed.days],
		[Number(id), 'done', '2024-03-01', '2024-03-02', 2],
	);
	assert.deepEqual(readdirSync(join(data, 'imports')), []);
	await run('imports', 'undo', id);
	assert.deepEqual(JSON.parse((await run('imports', 'list', '--json')).stdout), []);

	const wrong = await tidemark([...of, '--timezone', 'Mars', '--data', data]);
	assert.equal(wrong.code, 1);
	assert.match(wrong.stderr, /Mars is not a time zone/);
	const missing = await tidemark([
		'import',
		join(folder, 'none'),
		'--website',
		website,
		'--from',
		'plausible',
		'--data',
		data,
	]);
	assert.match(missing.stderr, /does not exist/);
});

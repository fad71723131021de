import assert from 'node:assert/strict';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startServiceProcess, temporaryFolder, tidemark } from '../support/service.ts';

test('an installation becomes one file, and that file part of another one, once', async (t) => {
	const place = temporaryFolder(t);
	const archive = join(place, 'a.tidemark');
	const settings = { TIDEMARK_BACKUP_PASSPHRASE: 'a passphrase of the tests' };
	const on = async (folder: 'a' | 'b', ...args: string[]) => {
		const done = await tidemark([...args, '--data', join(place, folder)], { settings });
		return { ...done, lines: done.stdout.trimEnd().split('\n') };
	};
	const exported = async (folder: 'a' | 'b', id: string) => {
		const { lines, code, stderr } = await on(folder, 'export', '--website', id, '--format', 'ndjson');
		assert.equal(code, 0, stderr);
		return lines.sort();
	};
	const [mine, theirs] = [
		await on('a', 'demo', '--days', '2', '--domain', 'a.example'),
		await on('b', 'demo', '--days', '2', '--domain', 'b.example', '--account', 'demo@example.com'),
	];
	assert.deepEqual([mine.code, theirs.code], [0, 0], mine.stderr + theirs.stderr);
	const before = await exported('b', theirs.stdout.trim());

	const made = await on('a', 'archive', 'create', archive);
	assert.equal(made.code, 0, made.stderr);
	assert.equal(statSync(archive).mode & 0o777, 0o600);

	const looked = await on('b', 'archive', 'merge', archive, '--dry-run');
	assert.equal(looked.code, 0, looked.stderr);
	assert.match(looked.stdout, /Dry run: 1 website would be merged\./);
	assert.doesNotMatch((await on('b', 'website', 'list')).stdout, /a\.example/);

	const service = await startServiceProcess(t, { folder: join(place, 'b') });
	const beside = await on('b', 'archive', 'merge', archive);
	assert.equal(beside.code, 1);
	assert.match(beside.stderr, /Tidemark is running on .*Stop it first/);
	await service.stop();

	const merged = await on('b', 'archive', 'merge', archive, '--json');
	assert.equal(merged.code, 0, merged.stderr);
	const { websites, events, known } = JSON.parse(merged.stdout);
	assert.deepEqual([websites.length, known], [1, 0]);
	const there = await exported('a', mine.stdout.trim());
	assert.equal(events, there.length);
	assert.deepEqual(await exported('b', String(websites[0].id)), there);
	assert.deepEqual(await exported('b', theirs.stdout.trim()), before, 'what was here stays');

	const again = await on('b', 'archive', 'merge', archive);
	assert.equal(again.code, 0, again.stderr);
	assert.match(again.stdout, /Merged 0 websites with 0 events\. Skipped 1 website merged earlier\./);

	const missing = await on('b', 'archive', 'merge', join(place, 'nowhere'));
	assert.equal(missing.code, 1);
	assert.match(missing.stderr, /nowhere/);
	assert.equal(existsSync(join(place, 'nowhere')), false);
});

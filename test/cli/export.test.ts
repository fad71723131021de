import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startServiceProcess, temporaryFolder, tidemark } from '../support/service.ts';

test('[C-OUT-1] a file is written without a service and with one, for its maker alone, and named when it is whole', async (t) => {
	const place = temporaryFolder(t);
	const folder = join(place, 'data');
	const run = (...args: string[]) => tidemark([...args, '--data', folder]);
	const demo = await run('demo', '--days', '3');
	assert.equal(demo.code, 0, demo.stderr);
	const id = demo.stdout.trim();
	const write = (name: string, ...args: string[]) =>
		run('export', '--website', id, '--out', join(place, name), ...args);

	const alone = await write('alone.csv', '--format', 'csv');
	assert.equal(alone.code, 0, alone.stderr);
	assert.match(alone.stderr, /MB written\n$/);
	assert.equal(alone.stdout, '');
	assert.equal(statSync(join(place, 'alone.csv')).mode & 0o777, 0o600);
	const lines = readFileSync(join(place, 'alone.csv'), 'utf8').trimEnd().split('\r\n').sort();
	assert.ok(lines.length > 1_000, `${lines.length} lines`);

	await startServiceProcess(t, { folder });
	assert.equal((await write('beside.csv', '--format', 'csv')).code, 0);
	assert.deepEqual(readFileSync(join(place, 'beside.csv'), 'utf8').trimEnd().split('\r\n').sort(), lines);
	const printed = await run('export', '--website', id, '--format', 'ndjson');
	assert.equal(printed.stdout.trimEnd().split('\n').length, lines.length - 1);

	const again = await write('alone.csv');
	assert.equal(again.code, 1);
	assert.match(again.stderr, /alone\.csv already exists/);
	const nobody = await run('export', '--website', '99', '--out', join(place, 'nobody'));
	assert.equal(nobody.code, 1);
	assert.match(nobody.stderr, /There is no website 99\./);
	assert.equal(existsSync(join(place, 'nobody')), false);
	assert.deepEqual(
		readdirSync(place).filter((name) => name.endsWith('.part')),
		[],
	);
});

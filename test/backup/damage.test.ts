/** A part of `events` is damaged on disk: what is counted stays, and a backup brings the events back. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readConfig } from '../../server/config.ts';
import { callControl, controlPath } from '../../server/control/call.ts';
import { client } from '../support/client.ts';
import { spawnService, startServiceProcess, temporaryFolder, tidemark, until } from '../support/service.ts';

/** Folders of parts of `events`: their columns say so. */
function partsOfEvents(dataFolder: string): string[] {
	const store = join(dataFolder, 'clickhouse', 'store');
	return readdirSync(store, { recursive: true, encoding: 'utf8' })
		.filter((name) => /\/\d{6}_\d+_\d+_\d+\/columns\.txt$/.test(name))
		.filter((name) => readFileSync(join(store, name), 'utf8').includes('`page_event_id`'))
		.map((name) => join(store, name, '..'));
}

const bytesOf = (part: string): number =>
	readdirSync(part).reduce((sum, name) => sum + statSync(join(part, name)).size, 0);

test('[F56][F57] a truncated part of events is reported, replaces no total, and is restored from a backup', async (t) => {
	const place = temporaryFolder(t);
	const file = join(place, 'backup.tidemark');
	const first = await startServiceProcess(t);
	const { folder } = first;
	const data = ['--data', folder];
	const run = (...args: string[]) => tidemark([...args, ...data]);
	const made = await callControl(
		controlPath(readConfig({ TIDEMARK_DATA: folder })),
		'account.create',
		{ name: 'Owner', email: 'owner@example.test' },
		() => undefined,
	);
	const key = made?.result.secret ?? '';
	const id = (await run('demo', '--days', '5', '--account', 'owner@example.test')).stdout.trim();
	assert.equal((await run('rebuild', '--website', id)).code, 0);
	const statistics = async (base: string) => {
		const { status, json } = await client(base, key)(
			'GET',
			`/websites/${id}/stats?period=7d&metrics=visitors,visits,pageviews,events`,
		);
		assert.equal(status, 200, JSON.stringify(json));
		// What is beside it says when it was asked, and how long that took.
		return (json as { data: unknown }).data;
	};
	const allEvents = async () => {
		const { stdout, code, stderr } = await run('export', '--website', id, '--format', 'csv');
		assert.equal(code, 0, stderr);
		const [head, ...lines] = stdout.trim().split(/\r?\n/);
		return {
			lines: lines.length,
			sum: createHash('sha256')
				.update([head, ...lines.toSorted()].join())
				.digest('hex'),
		};
	};
	const totals = await statistics(first.base);
	const events = await allEvents();
	assert.equal((await run('backup', file)).code, 0);
	const { days } = JSON.parse((await run('check', '--json')).stdout);
	assert.ok(days >= 4);
	assert.equal(await first.stop(), 0);

	const [damaged = ''] = partsOfEvents(folder).toSorted((a, b) => bytesOf(b) - bytesOf(a));
	const [largest = ''] = readdirSync(damaged)
		.filter((name) => name.endsWith('.bin'))
		.toSorted((a, b) => statSync(join(damaged, b)).size - statSync(join(damaged, a)).size);
	truncateSync(join(damaged, largest), 10);

	const second = spawnService(t, { folder });
	const base = await second.ready();
	const isReported = /"table":"events","part":"broken-on-start_[^"]+".*is damaged and its data is missing/;
	await until(() => isReported.test(second.output()), 20_000, 'the log reports it');
	const { findings } = JSON.parse((await run('doctor', '--json')).stdout);
	const found = findings.find(
		({ check, state }: Record<string, string>) => check === 'leftovers' && state === 'problem',
	);
	assert.match(found?.what, /could not read a part of its tables \(such as broken-on-start_/);
	assert.match(found?.advice, /tidemark repair FILE/);
	for (const args of [['check'], ['rebuild', '--website', id]]) {
		const refused = await run(...args);
		assert.equal(refused.code, 1, args[0]);
		assert.match(refused.stderr, /could not read a part.*tidemark repair FILE/, args[0]);
	}
	const rebuilding = await run('rebuild', '--website', id);
	assert.match(
		rebuilding.stderr,
		/fewer events than their totals counted: \d+ page views and \d+ custom events are missing/,
	);
	assert.match(rebuilding.stderr, /pass --accept-loss/);
	assert.match((await run('check', '--despite-damage')).stdout, /Do not rebuild them/);
	assert.deepEqual(await statistics(base), totals, 'what was counted stays');
	assert.notEqual((await allEvents()).lines, events.lines, 'the damage is real');
	const running = await run('repair', file);
	assert.match(running.stderr, /is running.*Stop it first/);
	assert.equal(await second.stop(), 0);

	const repaired = await run('repair', file, '--json');
	assert.equal(repaired.code, 0, repaired.stderr);
	const told = JSON.parse(repaired.stdout);
	assert.equal(told.damaged_parts.length, 1);
	assert.ok(told.restored.events > 0);
	assert.deepEqual(told.lost, []);
	const again = JSON.parse((await run('repair', file, '--json')).stdout);
	assert.deepEqual(
		[again.damaged_parts, again.restored.events, again.days],
		[[], 0, 0],
		'nothing is written twice',
	);

	const third = spawnService(t, { folder });
	const restored = await third.ready();
	assert.deepEqual(await allEvents(), events);
	const checked = await run('check');
	assert.match(checked.stdout, new RegExp(`^Compared ${days} days\\. No differences\\.`));
	assert.deepEqual(await statistics(restored), totals);
	assert.equal(await third.stop(), 0);
});

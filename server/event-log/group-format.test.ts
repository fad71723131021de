import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LoggedEvent } from './event-log.ts';
import { createDropCounter } from './group-commit.ts';
import { decode, encode } from './group-format.ts';

const event = (eventId: string, more: Partial<LoggedEvent> = {}): LoggedEvent => ({
	websiteId: 3,
	date: '2026-11-15',
	visitorId: '7',
	eventId,
	isPageview: true,
	mayRepeat: false,
	line: `{"event_id":"${eventId}"}`,
	...more,
});
const group = encode([event('1'), event('18446744073709551615', { mayRepeat: true })], []);
const lists = { w: [3], d: ['2026-11-15'], v: ['7'], i: ['1'], p: [1], drops: [] };

/** Headers that other releases write for one line, and the ids that are read, or the reason why the group is unreadable. */
const versions: Record<string, { header: object; reads: readonly string[] | RegExp }> = {
	'the first groups, which had no version': { header: lists, reads: ['1'] },
	'before hostnames were counted': { header: { f: 1, ...lists }, reads: ['1'] },
	'a newer one with one more list': { header: { f: 1, ...lists, q: ['new'] }, reads: ['1'] },
	'a newer one with one more field': { header: { f: 1, ...lists, news: { a: [1] } }, reads: ['1'] },
	'a newer one with more of each drop': {
		header: { f: 1, ...lists, drops: [[3, '2026-11-15', 'bot', 2, 'new']] },
		reads: ['1'],
	},
	'a new version': { header: { ...lists, f: 2 }, reads: /version is 2; this release reads version 1/ },
	'a new version with other fields': { header: { f: 2, events: [] }, reads: /version is 2/ },
	'a version that is not a number': { header: { ...lists, f: '1' }, reads: /version is "1"/ },
	'this version without a list': { header: { ...lists, f: 1, v: undefined }, reads: /list v/ },
};

for (const [name, { header, reads }] of Object.entries(versions))
	test(`[F43] ${name}: a group is read whole or is unreadable, never read in part`, () => {
		const decoded = decode(JSON.stringify(header), '{"event_id":"1"}');
		if (reads instanceof RegExp) {
			assert.ok('unreadable' in decoded);
			assert.match(decoded.unreadable, reads);
			return;
		}
		assert.ok(!('unreadable' in decoded), JSON.stringify(decoded));
		assert.deepEqual(decoded.header.i, reads);
		assert.equal(decoded.lines, '{"event_id":"1"}');
	});

test('[F43] this release reads what it writes, and a release without the newest fields reads the rest', () => {
	const decoded = decode(group.header, group.lines);
	assert.ok(!('unreadable' in decoded));
	assert.deepEqual(decoded.header.i, ['1', '18446744073709551615']);
	assert.deepEqual(decoded.header.c, [1]);
	const { c, hosts, ...before } = JSON.parse(group.header);
	assert.deepEqual([c, hosts], [[1], undefined]);
	assert.ok(!('unreadable' in decode(JSON.stringify(before), group.lines)));
});

test('[F72] a group keeps how many hits each rule dropped, also when it is stored at the second try', () => {
	const drops = createDropCounter(10);
	const drop = { websiteId: 1, date: '2026-11-15', reason: 'rule' };
	for (const ruleId of [7, 7, 9]) drops.count(drop, { ruleId });
	const failed = drops.take();
	drops.count(drop, { ruleId: 9 });
	drops.restore(failed);
	const group = encode([], drops.take());
	const decoded = decode(group.header, group.lines);
	assert.ok(!('unreadable' in decoded));
	assert.deepEqual(decoded.header.drops, [[1, '2026-11-15', 'rule', 4]]);
	assert.deepEqual(
		new Set(decoded.header.rules?.map((count) => count.join(' '))),
		new Set(['1 2026-11-15 7 2', '1 2026-11-15 9 2']),
	);
	const header = { ...JSON.parse(group.header), rules: [[1, '2026-11-15', '7', 2]] };
	assert.ok('unreadable' in decode(JSON.stringify(header), group.lines));
});

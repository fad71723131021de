import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { blankEvent, type Event } from './event.ts';
import { toLine } from './event-line.ts';

/** What ClickHouse makes of a line: test/event-columns.test.ts shows that its defaults are these. */
const read = (line: string): Event => ({ ...blankEvent, ...JSON.parse(line) });

test('a line has the fields that are known, and the event is read back from it', () => {
	const event: Event = {
		...blankEvent,
		website_id: 7,
		event_id: '5',
		date: '2026-11-15',
		time: '2026-11-15 09:00:00.000',
		path: '/a',
		properties: { plan: 'pro' },
		cls: -1,
	};
	const line = toLine(event);
	assert.equal(
		line,
		'{"website_id":7,"date":"2026-11-15","visitor_id":"0","time":"2026-11-15 09:00:00.000","event_id":"5",' +
			'"kind":"pageview","name":"pageview","path":"/a","properties":{"plan":"pro"},"cls":-1}',
	);
	assert.deepEqual(read(line), event);
});

test('any text is read back as it was, on one line', () => {
	const texts = fc.record({
		title: fc.string({ unit: 'binary' }),
		path: fc.string(),
		name: fc.string({ unit: 'grapheme' }),
		properties: fc.dictionary(fc.string(), fc.string({ unit: 'binary' })),
	});
	fc.assert(
		fc.property(texts, (fields) => {
			const event = { ...blankEvent, ...fields };
			const line = toLine(event);
			assert.ok(!line.includes('\n'));
			assert.deepEqual(JSON.parse(JSON.stringify(read(line))), JSON.parse(JSON.stringify(event)));
		}),
	);
});

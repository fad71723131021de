import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LoggedEvent } from '../event-log/event-log.ts';
import { createRecentEvents } from './deduplicate.ts';

const event = (websiteId: number, eventId: number | string): LoggedEvent => ({
	websiteId,
	eventId: String(eventId),
	date: '2026-11-15',
	visitorId: '1',
	isPageview: true,
	mayRepeat: false,
	line: '',
});
const at = (seconds: number) => new Date(Date.UTC(2026, 10, 15) + seconds * 1_000);
const ids = (events: readonly LoggedEvent[]) =>
	events.map(({ websiteId, eventId }) => `${websiteId} ${eventId}`);

test('an event is known for five minutes of log time, also among the events of its own batch', () => {
	for (const [seconds, kept] of [
		[0, []],
		[59, []],
		[61, []],
		[300, []],
		[301, ['1 7']],
	] as const) {
		const recent = createRecentEvents(0);
		const first = recent.dropRepeats([event(1, 7), event(1, 7), event(2, 7)], at(0));
		assert.deepEqual(ids(first), ['1 7', '2 7']);
		assert.deepEqual(ids(recent.dropRepeats([event(1, 7)], at(seconds))), kept, `${seconds} s`);
	}
});

test('a clock that was set back for an hour keeps no minute open', () => {
	const recent = createRecentEvents(0);
	recent.dropRepeats([event(1, 1)], at(3_600));
	for (let seconds = 0; seconds < 1_200; seconds++)
		recent.dropRepeats([event(1, 100 + seconds)], at(seconds));
	assert.deepEqual(recent.dropRepeats([event(1, 1_299)], at(1_200)), []);
	assert.ok(recent.count() < 500, `${recent.count()} are kept`);
});

test('stored ids are recognized: twelve bytes an event', () => {
	const recent = createRecentEvents(0);
	const stored = Buffer.alloc(24);
	stored.writeUInt32LE(9, 0);
	stored.writeBigUInt64LE(18_446_744_073_709_551_615n, 4);
	stored.writeUInt32LE(9, 12);
	stored.writeBigUInt64LE(4_294_967_296n, 16);
	recent.know(at(0), stored);
	const again = [event(9, '18446744073709551615'), event(9, '4294967296'), event(9, '1')];
	assert.deepEqual(ids(recent.dropRepeats(again, at(1))), ['9 1']);
});

test('a quarter of an hour at 500 events a second: about six minutes of it in memory, at most 34 bytes an event', (t) => {
	const recent = createRecentEvents(0);
	let [bytes, count, id] = [0, 0, 0n];
	const nextId = () => String(BigInt.asUintN(64, ++id * 0x9e37_79b9_7f4a_7c15n));
	for (let seconds = 0; seconds < 900; seconds += 10) {
		const events = Array.from({ length: 5_000 }, () => event(1, nextId()));
		assert.equal(recent.dropRepeats(events, at(seconds)).length, 5_000);
		bytes = Math.max(bytes, recent.bytes());
		count = Math.max(count, recent.count());
	}
	t.diagnostic(`${count} events, ${(bytes / 1e6).toFixed(1)} MB`);
	assert.ok(count <= 6.5 * 60 * 500, `${count} events`);
	assert.ok(bytes <= count * 34, `${bytes} bytes`);
});

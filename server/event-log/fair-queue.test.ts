import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as soon } from 'node:timers/promises';
import { type EventLog, EventLogFull, type LoggedEvent } from './event-log.ts';
import { WebsiteQueueFull, withFairQueue } from './fair-queue.ts';

const eventsOf = (websiteId: number, count = 1) =>
	// Only the field that the queue reads.
	Array.from({ length: count }, () => ({ websiteId }) as LoggedEvent);

/** A log that commits when `commit` is called. */
function make(limits = { inProgress: 4, perTurn: 2, perWebsite: 6, pending: 10 }) {
	const appended: { websiteId: number; count: number; end(error?: Error): void }[] = [];
	let committed = 0;
	const append = (events: readonly LoggedEvent[]) =>
		new Promise<void>((resolve, reject) =>
			appended.push({
				websiteId: events[0]?.websiteId ?? 0,
				count: events.length,
				end: (error) => (error ? reject(error) : resolve()),
			}),
		);
	// Only the method that the queue calls.
	const log = withFairQueue({ append } as EventLog, limits);
	return {
		order: () => appended.map(({ websiteId }) => websiteId),
		send: (websiteId: number, count?: number) => log.append(eventsOf(websiteId, count)),
		async commit(times: number, error?: Error) {
			for (let n = 0; n < times && committed < appended.length; n++) {
				appended[committed++]?.end(error);
				await soon();
			}
		},
	};
}

/** A call that is refused is refused at once; one that was queued would wait for its commit. */
const assertRefused = (sent: Promise<void>, reason: typeof EventLogFull) =>
	assert.rejects(Promise.race([sent, soon()]), reason);

test('[T30] below the limit all events go straight to the log', async () => {
	const { send, order, commit } = make();
	const sent = [1, 1, 2, 1].map((website) => send(website));
	assert.deepEqual(order(), [1, 1, 2, 1]);
	await commit(4);
	await Promise.all(sent);
});

test('[T30] one website fills its own queue and is refused there, another has the next turn', async () => {
	const { send, order, commit } = make();
	const viral = Array.from({ length: 10 }, () => send(1));
	await assertRefused(send(1), WebsiteQueueFull);
	const other = send(2);
	let isAnswered = false;
	void other.then(() => {
		isAnswered = true;
	});
	await commit(2);
	assert.deepEqual(order(), [1, 1, 1, 1, 1, 1], 'a turn is two events');
	await commit(1);
	assert.equal(order().at(-1), 2);
	await commit(4);
	assert.ok(isAnswered);
	await commit(20);
	await Promise.all(viral);
	assert.equal(order().length, 11);
	const again = send(1);
	await commit(1);
	await again;
});

test('[T30] a turn is counted in events: a thousand in one call wait as long as a thousand calls', async () => {
	const { send, order, commit } = make({ inProgress: 1, perTurn: 2, perWebsite: 6, pending: 100 });
	const all = [send(9), send(1, 6), ...Array.from({ length: 4 }, () => send(2))];
	await commit(6);
	await Promise.all(all);
	assert.deepEqual(order(), [9, 2, 2, 2, 2, 1]);
});

test('[F24] all queues together have a limit, and room is reserved for websites without a queue', async () => {
	const { send, commit } = make();
	const taken = [send(1, 4), send(1, 5), send(2, 5)];
	await assertRefused(send(1), EventLogFull);
	await assertRefused(send(2), EventLogFull);
	for (let website = 3; website <= 12; website++) taken.push(send(website));
	await assertRefused(send(13), EventLogFull);
	await commit(20);
	await Promise.all(taken);
	const later = send(13);
	await commit(1);
	await later;
});

test('[F11] an error of the log rejects the events that caused it, and the others have their turns', async () => {
	const { send, commit } = make({ inProgress: 1, perTurn: 1, perWebsite: 5, pending: 10 });
	const [first, second] = [send(1), send(2)];
	const refused = assert.rejects(first ?? Promise.resolve(), /away/);
	await commit(1, new Error('away'));
	await refused;
	await commit(1);
	await second;
});

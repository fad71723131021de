/** Deletions beside a writer, a seal and the job that deletes: what random rounds (test/stats/deletions) cannot time. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { findLoss } from '../../server/derive/damage.ts';
import type { EventSelection } from '../../server/derive/hidden-events.ts';
import { sealDays, sealSteps } from '../../server/derive/seal.ts';
import { blankEvent, type Event } from '../../server/ingest/event.ts';
import { createDeletion, undoDeletion } from '../../server/items/deletions.ts';
import { findSelected, lastBatch } from '../../server/items/selected-events.ts';
import { deleteHiddenEvents } from '../../server/jobs/delete-hidden-events.ts';
import { hourMs } from '../../server/lib/durations.ts';
import { getStatsContext } from '../../server/stats/question/stats-context.ts';
import { param, sql, value } from '../../server/store/sql.ts';
import { openSealing } from '../support/sealing.ts';

const s = await openSealing({ after });
const { postgres, clickhouse } = s;
s.clock.now = new Date('2026-06-17T12:00:00.000Z');
const signal = new AbortController().signal;
const principal = { kind: 'account', accountId: 1, isOperator: true } as const;

let ids = 0;
const view = (websiteId: number, date: string, path: string): Event => ({
	...{ ...blankEvent, website_id: websiteId, date, time: `${date} 10:00:00.000`, path },
	...{ visitor_id: '7', event_id: String(++ids) },
});

/** Looks for the events with the path `/secret`. */
async function look(websiteId: number, test: 'is' | 'starts_with' = 'is') {
	const selection: EventSelection = {
		conditions: [{ field: 'path', property: null, test, values: ['/secret'] }],
		...{ from: null, to: null, untilMs: s.clock.now.getTime() },
	};
	const { website } = await getStatsContext(postgres, { kind: 'nobody' }, { id: websiteId, domain: '' });
	const batch = await lastBatch(postgres, websiteId);
	const found = await findSelected(
		{ postgres, clickhouse },
		website,
		{ selection, ruleId: null, name: null },
		signal,
	);
	/** Hides them. */
	return (keepDays = 30) =>
		postgres.transaction((tx) =>
			createDeletion(tx, { now: () => s.clock.now, principal, websiteId }, { ...found, batch, keepDays }),
		);
}

/** Page views of a day as its totals count them. */
async function viewsOf(websiteId: number, date: string): Promise<number> {
	const [day] = (await s.days(websiteId)).filter((row) => row.date === date);
	const [whole] = await s.totals(websiteId, date, day?.generation ?? 0);
	return Number(whole?.views ?? 0);
}

const [first, second] = ['2026-06-14', '2026-06-15'];

test('[C-HIDE-1] a deletion includes events that arrive between the look for them and its commit', async () => {
	const websiteId = await s.website();
	const days = [first, second].map((date) => ({ websiteId, date }));
	await s.write([view(websiteId, first, '/secret'), view(websiteId, second, '/')]);
	const hide = await look(websiteId);
	await s.write([view(websiteId, second, '/secret')]);
	await s.seal(days);
	assert.equal(await viewsOf(websiteId, second), 2);
	await hide();
	assert.deepEqual(
		[await s.isDirty({ websiteId, date: first }), await s.isDirty({ websiteId, date: second })],
		[true, true],
	);
	await s.seal(days);
	assert.deepEqual([await viewsOf(websiteId, first), await viewsOf(websiteId, second)], [0, 1]);
});

test('[C-HIDE-1] a seal that read the events before they were hidden is not published', async () => {
	const websiteId = await s.website();
	const day = { websiteId, date: first };
	await s.write([view(websiteId, first, '/secret'), view(websiteId, first, '/')]);
	const hide = await look(websiteId);
	const steps = sealSteps.toSpliced(-1, 0, async () => void (await hide()));
	assert.deepEqual(await s.seal([day], 'whole', { steps }), []);
	assert.equal(await s.isDirty(day), true);
	assert.deepEqual(await s.seal([day]), [day]);
	assert.equal(await viewsOf(websiteId, first), 1);
});

test('[C-HIDE-1] a seal that was planned before events were hidden, and read later ones, is not published', async () => {
	const [before, websiteId] = [await s.website(), await s.website()];
	await s.write([view(before, first, '/secret'), view(before, first, '/')]);
	// So that its days are not sealed together with those of the other one.
	await (await look(before))();
	await s.write([view(websiteId, first, '/'), view(websiteId, second, '/secret')]);
	const hide = await look(websiteId);
	let isHidden = false;
	const goalsOf: typeof s.services.goalsOf = async (websiteIds) => {
		if (!isHidden) {
			isHidden = true;
			await hide();
			await s.write([view(websiteId, first, '/secret')]);
		}
		return s.services.goalsOf(websiteIds);
	};
	const day = { websiteId, date: first };
	const days = [{ websiteId: before, date: first }, day];
	const { days: sealed, failures } = await sealDays({ ...s.services, goalsOf }, days, 'whole');
	assert.deepEqual([sealed, failures], [[{ websiteId: before, date: first }], []]);
	assert.equal(await s.isDirty(day), true);
	assert.deepEqual(await s.seal([day]), [day]);
	assert.equal(await viewsOf(websiteId, first), 1);
});

test('[C-HIDE-1] a day that a version without deletions seals stays unsealed', async () => {
	const websiteId = await s.website();
	const day = { websiteId, date: first };
	await s.write([view(websiteId, first, '/secret'), view(websiteId, first, '/')]);
	await s.seal([day]);
	await (await look(websiteId))();
	// As that version publishes a seal.
	await postgres.run(sql`
		UPDATE days SET generation = nextval('generations'), sealed_batch = last_batch, sealed_at = now()
		WHERE website_id = ${value(websiteId)} AND date = ${value(first)}::date`);
	assert.equal(await s.isDirty(day), true);
	assert.deepEqual(await s.seal([day]), [day]);
	assert.deepEqual([await s.isDirty(day), await viewsOf(websiteId, first)], [false, 1]);
});

test('[C-HIDE-1] a day that was sealed while events were hidden is sealed with them after an undo', async () => {
	const websiteId = await s.website();
	const day = { websiteId, date: first };
	await s.write([view(websiteId, first, '/secret'), view(websiteId, first, '/')]);
	const { id } = await (await look(websiteId))();
	await s.seal([day]);
	assert.equal(await viewsOf(websiteId, first), 1);
	await postgres.transaction((tx) => undoDeletion(tx, { now: () => s.clock.now, principal, websiteId }, id));
	assert.deepEqual(await s.seal([day]), [day]);
	assert.equal(await viewsOf(websiteId, first), 2);
});

test('[C-HIDE-14] events that two deletions hide count again when both are undone, in any order', async () => {
	for (const order of [
		[0, 1],
		[1, 0],
	]) {
		const websiteId = await s.website();
		const days = [first, second].map((date) => ({ websiteId, date }));
		await s.write([view(websiteId, first, '/secret'), view(websiteId, second, '/secret')]);
		const counted = async () => {
			await s.seal(days);
			return Promise.all(days.map(({ date }) => viewsOf(websiteId, date)));
		};
		assert.deepEqual(await counted(), [1, 1]);
		const one = await (await look(websiteId))();
		assert.deepEqual(await counted(), [0, 0]);
		// Selects only what is hidden already.
		const other = await (await look(websiteId, 'starts_with'))();
		assert.deepEqual([other.events, other.alreadyHidden, other.dates], [0, 2, [first, second]]);
		assert.deepEqual(await counted(), [0, 0]);
		const undo = (id: number) =>
			postgres.transaction((tx) => undoDeletion(tx, { now: () => s.clock.now, principal, websiteId }, id));
		const ids = [one.id, other.id];
		const [early = 0, late = 0] = order.map((index) => ids[index] ?? 0);
		await undo(early);
		assert.deepEqual(await counted(), [0, 0]);
		await undo(late);
		assert.deepEqual(await counted(), [1, 1]);
	}

	// The first one is undone between the search and the commit of the second one.
	const websiteId = await s.website();
	const day = { websiteId, date: first };
	await s.write([view(websiteId, first, '/secret')]);
	const { id } = await (await look(websiteId))();
	const hide = await look(websiteId, 'starts_with');
	await postgres.transaction((tx) => undoDeletion(tx, { now: () => s.clock.now, principal, websiteId }, id));
	await s.seal([day]);
	assert.equal(await viewsOf(websiteId, first), 1);
	const other = await hide();
	await s.seal([day]);
	assert.equal(await viewsOf(websiteId, first), 0);
	await postgres.transaction((tx) =>
		undoDeletion(tx, { now: () => s.clock.now, principal, websiteId }, other.id),
	);
	await s.seal([day]);
	assert.equal(await viewsOf(websiteId, first), 1);
});

test('[C-HIDE-14] the first of two deletions that is final deletes from disk what both hide', async () => {
	const { websiteId, day, run } = await openDeletion();
	await postgres.run(sql`
		UPDATE deletions SET delete_at = ${value(s.clock.now)}::timestamptz + interval '30 days' WHERE website_id = ${value(websiteId)}`);
	const other = await (await look(websiteId, 'starts_with'))(0);
	assert.deepEqual([other.events, other.alreadyHidden], [0, 1]);
	await s.seal([day]);
	assert.deepEqual(await run(), ['hidden', 1]);
	const [{ id } = { id: 0 }] = await postgres.rows<{ id: number }>(
		sql`SELECT id FROM deletions WHERE website_id = ${value(websiteId)} AND state = 'hidden'`,
	);
	await postgres.transaction((tx) => undoDeletion(tx, { now: () => s.clock.now, principal, websiteId }, id));
	await s.seal([day]);
	assert.equal(await viewsOf(websiteId, first), 1);
});

test('[C-HIDE-4] a deletion leaves out days that data retention deletes between the look for them and its commit', async () => {
	const websiteId = await s.website();
	await s.write([view(websiteId, first, '/secret'), view(websiteId, second, '/secret')]);
	await s.seal([first, second].map((date) => ({ websiteId, date })));
	const hide = await look(websiteId);
	await postgres.run(sql`
		UPDATE websites SET raw_from = ${value(second)}::date, retention_months = 1 WHERE id = ${value(websiteId)}`);
	const { dates, events, deleteAt, selection } = await hide();
	assert.deepEqual([dates, events], [[second], 1]);
	assert.equal(deleteAt.toISOString(), '2026-07-15T00:00:00.000Z');
	// Their totals still have the value.
	assert.deepEqual(selection.totals, { before: second });

	const other = await s.website();
	await s.write([view(other, first, '/secret'), view(other, second, '/')]);
	await s.seal([first, second].map((date) => ({ websiteId: other, date })));
	const hideNothing = await look(other);
	await postgres.run(sql`UPDATE websites SET raw_from = ${value(second)}::date WHERE id = ${value(other)}`);
	await assert.rejects(hideNothing(), { code: 'validation_failed' });
});

/** A website with hidden events that may be deleted from disk, and one that counts. */
async function openDeletion({ hidden = 1 } = {}) {
	const websiteId = await s.website();
	const day = { websiteId, date: first };
	await s.write([
		...Array.from({ length: hidden }, () => view(websiteId, first, '/secret')),
		view(websiteId, first, '/'),
	]);
	await s.seal([day]);
	const { id } = await (await look(websiteId))(0);
	return {
		...{ websiteId, day },
		/** Runs the job and returns the state of the deletion and how many events are on disk. */
		async run(oldest?: { appendedAt: Date }) {
			await deleteHiddenEvents({
				...s.services,
				eventLog: { ...s.services.eventLog, oldest: async () => oldest && { seq: 1, ...oldest } },
			});
			const [deletion] = await postgres.rows<{ state: string }>(
				sql`SELECT state FROM deletions WHERE id = ${value(id)}`,
			);
			const [left] = await clickhouse.rows<{ events: string }>(
				sql`SELECT count() AS events FROM events WHERE website_id = ${param('UInt32', websiteId)}`,
			);
			return [deletion?.state, Number(left?.events)];
		},
	};
}

test('[C-HIDE-6] hidden events stay on disk while a seal counts them', async () => {
	const { day, run } = await openDeletion();
	assert.deepEqual(await run(), ['hidden', 2]);
	await s.seal([day]);
	assert.deepEqual(await run(), ['deleted', 1]);
	assert.equal(await viewsOf(day.websiteId, first), 1);
});

test('[C-HIDE-6] hidden events stay on disk while more may arrive', async () => {
	const { websiteId, day, run } = await openDeletion();
	await s.seal([day]);
	const before = new Date(s.clock.now.getTime() - hourMs);
	assert.deepEqual(await run({ appendedAt: before }), ['hidden', 2], 'they may be in the event log');
	const late = [view(websiteId, first, '/secret')];
	const open = await s.number(late);
	assert.deepEqual(await run(), ['hidden', 2], 'a batch is open');
	await s.insert(late);
	await s.close(open);
	assert.deepEqual(await run(), ['deleted', 1]);
});

test('[C-HIDE-6] a deletion that fails does not keep others waiting', async () => {
	const [failing, other] = [await openDeletion(), await openDeletion()];
	await s.seal([failing.day, other.day]);
	// No column has this name.
	await postgres.run(sql`
		UPDATE deletions SET selection = jsonb_set(selection, '{conditions,0,field}', '"nothing"')
		WHERE website_id = ${value(failing.websiteId)}`);
	assert.deepEqual(await other.run(), ['deleted', 1]);
	assert.deepEqual(await failing.run(), ['deleting', 2]);
	assert.match(s.log(), /hidden events could not be deleted; retrying later/);
	await postgres.run(sql`
		UPDATE deletions SET selection = jsonb_set(selection, '{conditions,0,field}', '"path"')
		WHERE website_id = ${value(failing.websiteId)}`);
	assert.deepEqual(await failing.run(), ['deleted', 1]);
});

test('[C-HIDE-6][T117] ClickHouse keeps no statement with the values of events that it deleted', async () => {
	// More than one field of ids.
	const { day, run } = await openDeletion({ hidden: 4_500 });
	await s.seal([day]);
	assert.deepEqual(await run(), ['deleted', 1]);
	const kept = await clickhouse.rows<{ command: string }>(
		sql`SELECT command FROM system.mutations WHERE database = currentDatabase()`,
	);
	assert.ok(kept.length > 0);
	assert.deepEqual(
		kept.filter(({ command }) => command.includes('secret')),
		[],
	);
});

test('[F56] lost events are noticed beside hidden ones', async () => {
	const websiteId = await s.website();
	const days = [{ websiteId, date: first }];
	const visible = view(websiteId, first, '/');
	await s.write([view(websiteId, first, '/secret'), view(websiteId, first, '/secret'), visible]);
	await s.seal(days);
	const { id } = await (await look(websiteId))();
	assert.deepEqual(await findLoss(s.services, days), []);
	await s.seal(days);
	assert.deepEqual(await findLoss(s.services, days), []);
	await clickhouse.command(
		sql`ALTER TABLE events DELETE WHERE website_id = ${param('UInt32', websiteId)} AND event_id = ${param('UInt64', BigInt(visible.event_id))}`,
		{ settings: { mutations_sync: '2' } },
	);
	assert.deepEqual(await findLoss(s.services, days), [{ websiteId, date: first, views: 1, events: 0 }]);
	await postgres.transaction((tx) => undoDeletion(tx, { now: () => s.clock.now, principal, websiteId }, id));
	assert.deepEqual(await findLoss(s.services, days), [], 'the seal counted one event, and there are two');
});

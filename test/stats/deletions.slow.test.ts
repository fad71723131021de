import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { checkDays } from '../../server/derive/check.ts';
import type { EventSelection } from '../../server/derive/hidden-events.ts';
import { createOpenDays } from '../../server/derive/open-days.ts';
import { blankEvent, type Event } from '../../server/ingest/event.ts';
import { createDeletion, undoDeletion } from '../../server/items/deletions.ts';
import { findSelected, lastBatch } from '../../server/items/selected-events.ts';
import { deleteHiddenEvents } from '../../server/jobs/delete-hidden-events.ts';
import { minuteMs } from '../../server/lib/durations.ts';
import { answer, type StatsServices } from '../../server/stats/answer/answer.ts';
import { listPropertyNames } from '../../server/stats/answer/property-names.ts';
import { createResultCache } from '../../server/stats/answer/result-cache.ts';
import type { Question, StatsWebsite } from '../../server/stats/question/question.ts';
import { getStatsContext } from '../../server/stats/question/stats-context.ts';
import { param, sql, value } from '../../server/store/sql.ts';
import { compareAnswer } from '../support/compare-answer.ts';
import { randomConditions, selects } from '../support/deletion-oracle.ts';
import { type Random, seededRandom } from '../support/random.ts';
import { sample } from '../support/sample.ts';
import { openSealing } from '../support/sealing.ts';
import { countOf } from '../support/stats-oracle.ts';
import { type About, randomQuestion, randomStatsEvents } from '../support/stats-questions.ts';

/** At least so many; `DELETION_ROUNDS=96` asks more than 2,000 questions. */
const rounds = sample('DELETION_ROUNDS', 3, 12);
const questionsAtOnce = 4;

type Sealing = Awaited<ReturnType<typeof openSealing>>;
type Stored = Event & { is_late?: true };

/** A website with random events, of which some days are sealed. */
async function openRound(s: Sealing, random: Random) {
	const { postgres } = s;
	const id = await s.website();
	const made = randomStatsEvents(random, { websiteIds: [id] });
	const [first] = made.asked;
	assert.ok(first);
	// No seal has counted them.
	const goals = first.website.goals.map((goal, index) => ({ ...goal, revision: index + 1 }));
	const about = { ...first.about, goals };
	const website: StatsWebsite = { ...first.website, goals, resetAt: null, hiddenImports: [] };
	await s.configure(website);
	const events: Stored[] = made.events.filter(({ website_id }) => website_id === id);
	const [account] = await postgres.rows<{ id: number }>(
		sql`SELECT account_id AS id FROM websites WHERE id = ${value(id)}`,
	);
	const principal = { kind: 'account', accountId: account?.id ?? 0, isOperator: false } as const;
	s.clock.now = new Date(about.now + 3 * 24 * 3_600_000);
	return { id, website, about, events, context: { now: () => s.clock.now, principal, websiteId: id } };
}

type Round = Awaited<ReturnType<typeof openRound>>;

async function sealSome(s: Sealing, random: Random, { id }: Round, share = 0.6) {
	const days = await s.days(id);
	await s.seal(days.filter(() => random.next() < share).map(({ date }) => ({ websiteId: id, date })));
}

/** The website as questions see it: what PostgreSQL hides, and the goals of the random questions. */
async function nowOf({ postgres }: Sealing, { website }: Round): Promise<StatsWebsite> {
	const { website: stored } = await getStatsContext(
		postgres,
		{ kind: 'nobody' },
		{ id: website.id, domain: '' },
	);
	return { ...website, hidden: stored.hidden ?? null };
}

const signal = new AbortController().signal;

async function hide(s: Sealing, round: Round, selection: EventSelection) {
	const { postgres } = s;
	const batch = await lastBatch(postgres, round.id);
	const subject = { selection, ruleId: null, name: null };
	const found = await findSelected(s, await nowOf(s, round), subject, signal);
	const deletion = await postgres.transaction((tx) =>
		createDeletion(tx, round.context, { ...found, batch, keepDays: 30 }),
	);
	return { deletion, days: found.days };
}

/** Rows of all current totals: what a restored deletion must restore. */
async function totalsOf(s: Sealing, { id }: Round) {
	const days = await s.days(id);
	await s.seal(days.map(({ date }) => ({ websiteId: id, date })));
	const sealed = await s.days(id);
	const rows = await Promise.all(
		sealed.map(async ({ date, generation }) => [
			date,
			(await s.totals(id, date, generation)).map((row) => ({ ...row, generation: 0 })),
		]),
	);
	return rows;
}

function openServices(t: TestContext, s: Sealing) {
	const { postgres, clickhouse, services } = s;
	const openDays = createOpenDays({ postgres, clickhouse, now: services.now, log: services.log });
	t.after(() => openDays.close());
	return { postgres, clickhouse, openDays, results: createResultCache(), now: services.now };
}

/** Statistics that read events themselves, and not visits. */
async function propertiesOf(stats: StatsServices, website: StatsWebsite, { dates }: About) {
	const span = { from: dates[0] ?? '', to: dates.at(-1) ?? '', startMs: null, endMs: null };
	const question: Question = {
		...{ website, span, compared: null, buckets: null, comparedBuckets: null },
		...{ metrics: [], filter: null, goal: null, breakdowns: [] },
	};
	const { names } = await listPropertyNames(question, 'people', stats, signal);
	return new Map(names.map(({ name, events }) => [name, events] as const).toSorted());
}

function countProperties(events: readonly Event[]) {
	const active = events.filter(({ kind }) => kind === 'pageview' || kind === 'custom');
	const byName = Map.groupBy(
		active.flatMap(({ properties }) => Object.keys(properties)),
		(name) => name,
	);
	return new Map([...byName].map(([name, { length }]) => [name, length] as const).toSorted());
}

test('[C-HIDE-1] hidden events count nowhere, and restored ones exactly as before', async (t) => {
	const s = await openSealing(t);
	const stats = openServices(t, s);
	const { seed } = seededRandom();
	t.diagnostic(`SEED=${seed}`);
	let [questions, hidden, purged, undone] = [0, 0, 0, 0];
	for (let n = 0; n < rounds || (n < rounds + 40 && (purged === 0 || undone === 0)); n++) {
		const random = seededRandom(seed + n);
		const round = await openRound(s, random);
		const { id, events, about } = round;
		// Some arrive after the first deletion.
		const late = events.filter(() => random.next() < 0.1);
		let written = events.filter((event) => !late.includes(event));
		await s.write(written);
		await sealSome(s, random, round);

		const askSome = async (counted: readonly Event[], state: string) => {
			const website = await nowOf(s, round);
			for (let left = questionsAtOnce; left > 0; left--) {
				const question = randomQuestion(random, website, about);
				const got = await answer({ ...question, website }, stats);
				compareAnswer(question, got, countOf(counted, question), `SEED=${seed + n} ${state}`);
				questions++;
			}
		};
		await askSome(written, 'before');
		const totals = await totalsOf(s, round);
		await sealSome(s, random, round, 0.3);

		const active: { id: number; conditions: EventSelection['conditions'] }[] = [];
		const visible = () =>
			written.filter((event) => !active.some(({ conditions }) => selects(conditions, event)));
		for (let count = random.pick([1, 2]); count > 0; count--) {
			const conditions = randomConditions(random, written);
			const expected = visible().filter((event) => selects(conditions, event));
			const selection = { conditions, from: null, to: null, untilMs: s.clock.now.getTime() };
			const already = written.filter((event) => selects(conditions, event)).length - expected.length;
			const isRepeated = active.some(
				(other) => JSON.stringify(other.conditions) === JSON.stringify(conditions),
			);
			if (expected.length === 0 && (already === 0 || isRepeated)) {
				await assert.rejects(hide(s, round, selection), { code: 'validation_failed' });
				continue;
			}
			const { deletion, days } = await hide(s, round, selection);
			assert.equal(
				days.reduce((sum, day) => sum + day.events, 0),
				expected.length,
				`SEED=${seed + n} ${JSON.stringify(conditions)}`,
			);
			assert.deepEqual([deletion.events, deletion.alreadyHidden], [expected.length, already]);
			active.push({ id: deletion.id, conditions });
			hidden += expected.length;
			await askSome(visible(), `hidden by ${JSON.stringify(conditions)}`);
		}
		await sealSome(s, random, round);
		await askSome(visible(), 'sealed while hidden');
		assert.deepEqual((await checkDays(s.services, { websiteId: id }, () => undefined)).differences, []);
		assert.deepEqual(await propertiesOf(stats, await nowOf(s, round), about), countProperties(visible()));

		if (random.next() < 0.5) {
			await s.write(late);
			written = [...written, ...late];
			// While events arrive, the visits of open days are used for some time, but not for more than five minutes.
			s.clock.now = new Date(s.clock.now.getTime() + 6 * minuteMs);
			await askSome(visible(), 'late events');
			await sealSome(s, random, round);
		}
		if (random.next() < 0.5) {
			for (const { id: deletionId } of active.splice(0))
				await s.postgres.transaction((tx) => undoDeletion(tx, round.context, deletionId));
			await askSome(written, 'undone');
			if (written.length + late.length === events.length)
				assert.deepEqual(await totalsOf(s, round), totals, `SEED=${seed + n}: totals as before`);
			await askSome(written, 'undone and sealed');
			undone++;
		} else if (active.length > 0) {
			s.clock.now = new Date(s.clock.now.getTime() + 31 * 24 * 3_600_000);
			const before = visible();
			await deleteHiddenEvents(s.services);
			await askSome(before, 'not yet deleted: some days are not sealed');
			const days = await s.days(id);
			await s.seal(days.map(({ date }) => ({ websiteId: id, date })));
			await deleteHiddenEvents(s.services);
			const [left] = await s.clickhouse.rows<{ events: string }>(
				sql`SELECT count() AS events FROM events WHERE website_id = ${param('UInt32', id)}`,
			);
			assert.equal(Number(left?.events), before.length, 'only visible events are left on disk');
			written = before;
			active.splice(0);
			await askSome(written, 'deleted');
			assert.deepEqual((await checkDays(s.services, { websiteId: id }, () => undefined)).differences, []);
			purged++;
		}
	}
	t.diagnostic(
		`${questions} questions, ${hidden} events hidden, ${purged} times deleted and ${undone} undone`,
	);
	assert.ok(purged > 0 && undone > 0 && hidden > 0);
});

/** A website with page views of these paths, one per visitor. */
async function openViews(t: TestContext) {
	const s = await openSealing(t);
	const id = await s.website();
	const [account] = await s.postgres.rows<{ id: number }>(
		sql`SELECT account_id AS id FROM websites WHERE id = ${value(id)}`,
	);
	const principal = { kind: 'account', accountId: account?.id ?? 0, isOperator: false } as const;
	s.clock.now = new Date('2026-11-15T12:00:00.000Z');
	const context = { now: () => s.clock.now, principal, websiteId: id };
	let views = 0;
	const viewOf = (date: string, path: string): Event => ({
		...blankEvent,
		...{ website_id: id, visitor_id: `${++views}`, event_id: `${views}`, kind: 'pageview', name: 'pageview' },
		...{ date, time: `${date} 10:00:00.000`, hostname: 'w.example', path },
	});
	return {
		...s,
		id,
		viewOf,
		async hide(test: 'is' | 'starts_with', path: string, keepDays = 30) {
			const condition = { field: 'path', property: null, test, values: [path] } as const;
			const selection = { conditions: [condition], from: null, to: null, untilMs: s.clock.now.getTime() };
			const { website } = await getStatsContext(s.postgres, { kind: 'nobody' }, { id, domain: '' });
			const batch = await lastBatch(s.postgres, id);
			const found = await findSelected(s, website, { selection, ruleId: null, name: null }, signal);
			return (): Promise<number> =>
				s.postgres.transaction(
					async (tx) => (await createDeletion(tx, context, { ...found, batch, keepDays })).id,
				);
		},
		undo: (deletion: number) => s.postgres.transaction((tx) => undoDeletion(tx, context, deletion)),
		/** The totals of each day, after all that must be sealed is. */
		async views() {
			const dirty = (await s.days(id)).filter((day) => day.last_batch > day.sealed_batch);
			await s.seal(dirty.map(({ date }) => ({ websiteId: id, date })));
			assert.deepEqual((await checkDays(s.services, { websiteId: id }, () => undefined)).differences, []);
			const days = await s.days(id);
			return Promise.all(
				days.map(async ({ date, generation }) => {
					const rows = await s.totals(id, date, generation);
					return Number(rows.find(({ dimension }) => dimension === '')?.views ?? 0);
				}),
			);
		},
	};
}

test('[C-HIDE-1] an undo restores events that an earlier deletion had hidden when this one was made', async (t) => {
	const s = await openViews(t);
	await s.write([s.viewOf('2026-11-13', '/x'), s.viewOf('2026-11-14', '/x/y')]);
	assert.deepEqual(await s.views(), [1, 1]);
	const first = await (await s.hide('is', '/x'))();
	const second = await (await s.hide('starts_with', '/x'))();
	assert.deepEqual(await s.views(), [0, 0]);
	await s.undo(first);
	assert.deepEqual(await s.views(), [0, 0]);
	await s.undo(second);
	assert.deepEqual(await s.views(), [1, 1]);

	// The first one is undone between the search and the commit of the second one.
	const third = await (await s.hide('is', '/x'))();
	const create = await s.hide('starts_with', '/x');
	await s.undo(third);
	assert.deepEqual(await s.views(), [1, 1]);
	const last = await create();
	assert.deepEqual(await s.views(), [0, 0]);
	await s.undo(last);
	assert.deepEqual(await s.views(), [1, 1]);
});

test('[C-HIDE-1] a batch that is being written when events are looked for is hidden and restored', async (t) => {
	const s = await openViews(t);
	await s.write([s.viewOf('2026-11-13', '/x')]);
	const open = [s.viewOf('2026-11-14', '/x')];
	const batch = await s.number(open);
	const create = await s.hide('is', '/x');
	await s.insert(open);
	await s.close(batch);
	assert.deepEqual(await s.views(), [1, 1]);
	const deletion = await create();
	assert.deepEqual(await s.views(), [0, 0]);
	await s.undo(deletion);
	assert.deepEqual(await s.views(), [1, 1]);
});

test('[C-HIDE-1] a selected event that arrives while events are deleted from disk counts afterwards', async (t) => {
	const s = await openViews(t);
	await s.write([s.viewOf('2026-11-13', '/x'), s.viewOf('2026-11-13', '/y'), s.viewOf('2026-11-14', '/y')]);
	await (await s.hide('is', '/x', 0))();
	assert.deepEqual(await s.views(), [1, 1]);
	const { clickhouse } = s;
	const arriving: typeof clickhouse = {
		...clickhouse,
		async command(statement, options) {
			await clickhouse.command(statement, options);
			if (options?.name !== 'delete hidden events') return;
			await s.write([s.viewOf('2026-11-14', '/x')]);
			assert.deepEqual(await s.views(), [1, 1]);
		},
	};
	assert.equal(await deleteHiddenEvents({ ...s.services, clickhouse: arriving }), 1);
	assert.deepEqual(await s.views(), [1, 2]);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createOpenDays } from '../../server/derive/open-days.ts';
import { blankEvent, type Event } from '../../server/ingest/event.ts';
import { answerFunnel, type FunnelStep, type StoredStep, toSteps } from '../../server/stats/answer/funnel.ts';
import { createResultCache } from '../../server/stats/answer/result-cache.ts';
import type { Goal, StatsWebsite } from '../../server/stats/question/question.ts';
import { dateOf } from '../../server/websites/zones.ts';
import { type Random, seededRandom } from '../support/random.ts';
import { sample } from '../support/sample.ts';
import { daysOf, openSealing } from '../support/sealing.ts';
import { meets, selectVisits } from '../support/stats-oracle.ts';
import { randomQuestion, randomStatsEvents } from '../support/stats-questions.ts';

/** How many random funnels are tried at least. */
const most = sample('FUNNELS', 80, 320);
const perWebsite = 20;

/** Visits of many events, two in the same instant here and there: random ones are short. */
function longVisits(random: Random, { id, zones }: StatsWebsite, now: number): Event[] {
	return Array.from({ length: 30 }, (_, visit) => {
		let ms = now - random.whole(5 * 24 * 60) * 60_000;
		return Array.from({ length: 3 + random.whole(8) }, (__, n): Event => {
			ms = Math.min(now, ms + random.pick([0, 1_000, 60_000, 10 * 60_000]));
			const kind = random.pick(['pageview', 'pageview', 'custom'] as const);
			return {
				...blankEvent,
				website_id: id,
				// Some visitors come twice.
				visitor_id: String(500 + (visit % 20)),
				event_id: String(1_000_000 + visit * 100 + random.pick([n, 99 - n])),
				kind,
				name: kind === 'custom' ? random.pick(['signup', 'Kauf']) : kind,
				path: random.pick(['/', '/a', '/a.b', '/A']),
				country: random.pick(['DE', 'NP']),
				date: dateOf(zones, ms).date,
				time: new Date(ms).toISOString().replace('T', ' ').slice(0, -1),
			};
		});
	}).flat();
}

function randomSteps(random: Random, goals: readonly Goal[]): StoredStep[] {
	const page = () => ({ page: random.pick(['/', '/', '/a', '/a*', '*', '*', '/A', '/*b', '/none']) });
	return Array.from({ length: random.pick([2, 2, 3, 3, 4, 5, 8]) }, () =>
		goals.length > 0 && random.next() < 0.5 ? { goal: random.pick(goals).id } : page(),
	);
}

/** Whether some events from this one on, in their order, meet these steps one after the other: every way is tried. */
function isReached(events: readonly Event[], steps: readonly FunnelStep[]): boolean {
	const [first, ...rest] = steps;
	if (!first) return true;
	return events.some((event, index) => meets(event, first.goal) && isReached(events.slice(index + 1), rest));
}

function countFunnel(visits: readonly Event[][], steps: readonly FunnelStep[]) {
	return steps.map((_, index) => {
		const there = visits.filter((events) => isReached(events, steps.slice(0, index + 1)));
		const visitors = new Set(there.map(([first]) => `${first?.date} ${first?.visitor_id}`));
		return { visits: there.length, visitors: visitors.size };
	});
}

test('[C-STEP-2] a visit reaches a step when it has met all steps up to it, one after the other', async (t) => {
	const s = await openSealing(t);
	const { postgres, clickhouse, services } = s;
	const openDays = createOpenDays({ postgres, clickhouse, now: services.now, log: services.log });
	t.after(() => openDays.close());
	const { seed } = seededRandom();
	t.diagnostic(`SEED=${seed}`);
	const { signal } = new AbortController();
	let [asked, reached, last, filtered] = [0, 0, 0, 0];
	const areEnough = () => reached > most / 10 && last > most / 20 && filtered > most / 20;
	for (let round = 0; asked < most || (asked < 5 * most && !areEnough()); round++) {
		const random = seededRandom(seed + round);
		const ids = [await s.website(), await s.website()];
		const { events, asked: websites } = randomStatsEvents(random, { websiteIds: ids });
		for (const { website } of websites) await s.configure(website);
		const ours = [
			...events.filter(({ website_id }) => ids.includes(website_id)),
			...websites.flatMap(({ website, about }) => longVisits(random, website, about.now)),
		];
		await s.write(ours);
		// Some days are sealed, the others open.
		await s.seal(daysOf(ours).filter(() => random.next() < 0.5));
		for (const { website, about } of websites)
			for (let n = 0; n < perWebsite; n++) {
				const made = randomQuestion(random, website, about);
				const question = { ...made, website, filter: random.next() < 0.5 ? made.filter : null };
				const steps = toSteps(randomSteps(random, website.goals), website.goals);
				const { steps: found } = await answerFunnel(
					question,
					steps,
					{ postgres, clickhouse, openDays, results: createResultCache(), now: services.now },
					signal,
				);
				const expected = countFunnel(selectVisits(ours, question), steps);
				assert.deepEqual(
					found,
					expected,
					`SEED=${seed + round} ${JSON.stringify({ steps, filter: question.filter, span: question.span })}`,
				);
				asked++;
				if (question.filter && (expected[0]?.visits ?? 0) > 0) filtered++;
				if ((expected[1]?.visits ?? 0) > 0) reached++;
				if ((expected.at(-1)?.visits ?? 0) > 0) last++;
			}
	}
	t.diagnostic(`${asked} funnels, ${reached} with visits at the second step, ${last} at the last`);
	assert.ok(areEnough(), 'the funnels were empty');
});

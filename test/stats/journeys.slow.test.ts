import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createOpenDays } from '../../server/derive/open-days.ts';
import { blankEvent, type Event } from '../../server/ingest/event.ts';
import type { Anchor, Journey } from '../../server/stats/answer/journey-paths.ts';
import { answerJourney, type JourneyAnswer } from '../../server/stats/answer/journeys.ts';
import { createResultCache } from '../../server/stats/answer/result-cache.ts';
import type { StatsWebsite } from '../../server/stats/question/question.ts';
import { dateOf } from '../../server/websites/zones.ts';
import { followJourney } from '../support/journey-oracle.ts';
import { type Random, seededRandom } from '../support/random.ts';
import { sample } from '../support/sample.ts';
import { daysOf, openSealing } from '../support/sealing.ts';
import { randomQuestion, randomStatsEvents } from '../support/stats-questions.ts';

/** How many random journeys are tried at least; more, if too few of them have visits. */
const most = sample('JOURNEYS', 120, 480);
const perWebsite = 30;

const paths = ['/', '/a', '/a.b', '/A', '/ä', 'p', '/pricing'];
const names = ['signup', 'Kauf', "it's"];

/** Visits of many events, with the same page several times in a row here and there: random ones are short. */
function longVisits(random: Random, { id, zones }: StatsWebsite, now: number): Event[] {
	return Array.from({ length: 60 }, (_, visit) => {
		let ms = now - random.whole(6 * 24 * 60) * 60_000;
		let path = random.pick(paths);
		return Array.from({ length: 1 + random.whole(9) }, (__, n): Event => {
			ms = Math.min(now, ms + random.pick([0, 1_000, 60_000, 10 * 60_000]));
			if (random.next() < 0.7) path = random.pick(paths);
			const kind = random.pick(['pageview', 'pageview', 'pageview', 'custom'] as const);
			return {
				...blankEvent,
				website_id: id,
				// Some visitors come twice.
				visitor_id: String(500 + (visit % 40)),
				event_id: String(1_000_000 + visit * 100 + random.pick([n, 99 - n])),
				kind,
				name: kind === 'custom' ? random.pick(names) : kind,
				path,
				country: random.pick(['DE', 'NP']),
				date: dateOf(zones, ms).date,
				time: new Date(ms).toISOString().replace('T', ' ').slice(0, -1),
			};
		});
	}).flat();
}

function randomJourney(random: Random, { goals, pathRules }: StatsWebsite): Journey {
	const groups = ['/', '/a', '/p/[id]', ...pathRules.map(({ target }) => target)];
	const anchors: (() => Anchor)[] = [
		() => ({ kind: 'page', value: random.pick(['/', '/', '/a', '/a', '/none', '']) }),
		() => ({ kind: 'event', value: random.pick(['signup', 'Kauf', 'none']) }),
		() => ({ kind: 'page_group', value: random.pick(groups) }),
	];
	if (goals.length > 0) anchors.push(() => ({ kind: 'goal', goal: random.pick(goals) }));
	return {
		anchor: random.pick(anchors)(),
		direction: random.pick(['after', 'before']),
		steps: 1 + random.whole(5),
		isFolded: random.next() < 0.5,
		nodes: random.pick(['pages', 'pages', 'all']),
		isGrouped: random.next() < 0.4,
		maxNodes: random.pick([1, 2, 3, 8, 20]),
		maxPaths: random.pick([1, 3, 10, 100]),
	};
}

type Found = NonNullable<JourneyAnswer['journey']>;

/** Equal counts of links are in the order of their texts, which is not promised. */
const comparable = ({ steps, ...rest }: Found) => ({
	...rest,
	steps: steps.map(({ links, ...step }) => ({
		...step,
		links: links.map((link) => JSON.stringify([link.from, link.to, link.visits, link.compared])).toSorted(),
	})),
});

/** Every visit with the anchor is in exactly one place of each step, and takes the links that its nodes say. */
function assertSums({ anchor, steps }: Found, about: string): void {
	const sum = (counts: readonly { visits: number; compared: number | null }[]) => [
		counts.reduce((total, { visits }) => total + visits, 0),
		counts.reduce((total, { compared }) => total + (compared ?? 0), 0),
	];
	const write = (node: unknown) => JSON.stringify(node);
	for (const [index, { nodes, ended, links }] of steps.entries()) {
		assert.deepEqual(sum([...nodes, ended]), sum([anchor]), `${about}: step ${index + 1}`);
		for (const node of nodes) {
			const into = links.filter(({ to }) => write(to) === write(node.node));
			assert.deepEqual(sum(into), sum([node]), `${about}: into ${write(node)}`);
			const out = steps[index + 1]?.links.filter(({ from }) => write(from) === write(node.node));
			if (out && node.node.kind !== 'exit')
				assert.deepEqual(sum(out), sum([node]), `${about}: out of ${write(node)}`);
		}
	}
}

test('[C-JRN-2][C-JRN-3] the steps of visits after or before an anchor, counted one visit after another', async (t) => {
	const s = await openSealing(t);
	const { postgres, clickhouse, services } = s;
	const openDays = createOpenDays({ postgres, clickhouse, now: services.now, log: services.log });
	t.after(() => openDays.close());
	const { seed } = seededRandom();
	t.diagnostic(`SEED=${seed}`);
	const { signal } = new AbortController();
	let [journeys, found, deep, filtered, compared, others] = [0, 0, 0, 0, 0, 0];
	/** Random filters and anchors often select nothing. */
	const areEnough = () =>
		found > most / 4 &&
		deep > most / 20 &&
		filtered > most / 20 &&
		compared > most / 20 &&
		others > most / 20;
	for (let round = 0; journeys < most || (journeys < 5 * most && !areEnough()); round++) {
		const random = seededRandom(seed + round);
		const ids = [await s.website(), await s.website()];
		const { events, asked: websites } = randomStatsEvents(random, { websiteIds: ids });
		for (const { website } of websites) await s.configure(website);
		const ours = [
			...events.filter(({ website_id }) => ids.includes(website_id)),
			...websites.flatMap(({ website, about }) => longVisits(random, website, about.now)),
		];
		await s.write(ours);
		// All days are sealed, none, or some.
		const sealed = random.pick([0, 0.5, 0.5, 1]);
		await s.seal(daysOf(ours).filter(() => random.next() < sealed));
		for (const { website, about } of websites)
			for (let n = 0; n < perWebsite; n++) {
				const made = randomQuestion(random, website, about);
				const question = { ...made, website, filter: random.next() < 0.4 ? made.filter : null };
				const journey = randomJourney(random, website);
				const text = `SEED=${seed + round} ${JSON.stringify({ journey, filter: question.filter, span: question.span, compared: question.compared })}`;
				const answer = await answerJourney(
					question,
					journey,
					{ postgres, clickhouse, openDays, results: createResultCache(), now: services.now },
					signal,
				);
				assert.ok(answer.journey, text);
				const expected = followJourney(ours, question, journey);
				assert.deepEqual(comparable(answer.journey), comparable(expected), text);
				assertSums(answer.journey, text);
				journeys++;
				const { anchor, steps } = expected;
				if (anchor.visits > 0) found++;
				if (anchor.visits > 0 && question.filter) filtered++;
				if ((anchor.compared ?? 0) > 0) compared++;
				if ((steps[2]?.nodes.length ?? 0) > 1) deep++;
				if (steps.some(({ nodes }) => nodes.some(({ node }) => node.kind === 'other'))) others++;
			}
	}
	t.diagnostic(
		`${journeys} journeys: ${found} with visits, ${filtered} filtered, ${compared} compared, ${deep} of several ways at the third step, ${others} with others`,
	);
	assert.ok(areEnough(), 'the journeys were empty');
});

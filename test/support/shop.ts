import assert from 'node:assert/strict';
import type { Answer, Call } from './client.ts';
import { assertProblem, freshDomain, websiteOf } from './contract.ts';
import { world } from './world.ts';

const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';

type ShopEvent = Record<string, unknown> & { at: string; path?: string; who?: number };

/** One visitor reads two pages on the first; two come on the second, one of them by a search engine, and buys. */
const week: ShopEvent[] = [
	{ at: '01T13:00', path: '/a' },
	{ at: '01T13:05', path: '/b' },
	{ at: '02T10:00', path: '/a' },
	{ at: '02T10:00', path: '/a', who: 8, referrer: 'https://www.google.com/', properties: { plan: 'none' } },
	{ at: '02T10:01', path: '/a', who: 8, name: 'signup', properties: { plan: 'pro' } },
	{ at: '02T10:02', path: '/thanks', who: 8, name: 'order', revenue: { amount: '49.90', currency: 'EUR' } },
];

/** The days of `week` and those after it. */
export const days = 'period=custom&from=2026-11-01&to=2026-11-07';

/** Noon of a Sunday; the first event that a server may still send is of the Sunday before. */
export const noon = Date.parse('2026-11-08T12:00:00.000Z');

export const csv = { headers: { accept: 'text/csv' } };
export const fiveMetrics = 'visitors,visits,pageviews,bounce_rate,visit_duration';

/** A service with the website of a shop, on which the events of `week` happened, and two goals. */
export async function openShop(
	t: { after(work: () => Promise<void>): void },
	now: () => number = () => noon,
) {
	const w = await world(t, { now: () => new Date(now()) });
	const owner = await w.account({ timezone: 'UTC' });

	async function website(events: readonly ShopEvent[], fields: Record<string, string> = {}) {
		const made = websiteOf(
			await owner.api('POST', '/websites', { form: { domain: freshDomain('s'), ...fields } }),
			201,
		);
		const sent = events.map(({ at, path = '/', who = 7, ...more }) => ({
			url: `https://${made.domain}${path}`,
			ip: `203.0.113.${who}`,
			user_agent: agent,
			time: `2026-11-${at}:00Z`,
			...more,
		}));
		if (sent.length > 0) {
			const answer = await owner.api('POST', `/websites/${made.id}/events`, { json: { events: sent } });
			// Some are of days whose salt is gone: how many depends on the clock of the test.
			const { accepted, dropped } = (answer.json as { data: { accepted: number; dropped: unknown[] } }).data;
			assert.deepEqual({ accepted, dropped }, { accepted: sent.length, dropped: [] });
			await w.drain();
		}
		return made;
	}

	const shop = await website(week);
	async function goal(
		websiteId: number,
		name: string,
		kind: 'page' | 'event',
		pattern: string,
	): Promise<number> {
		const [row] = await w.sql<{ id: string }>(
			`INSERT INTO goals (website_id, revision, name, kind, pattern, created_at, updated_at)
			VALUES ($1, nextval('goal_revisions'), $2, $3, $4, now(), now()) RETURNING id`,
			[websiteId, name, kind, pattern],
		);
		return Number(row?.id);
	}

	const goals = {
		signup: await goal(shop.id, 'Signed up', 'event', 'signup'),
		reads: await goal(shop.id, 'Reads A', 'page', '/a*'),
	};
	return {
		w,
		owner,
		shop,
		...goals,
		website,
		goal,
		get: (path: string, call: Call = {}) => owner.api('GET', `/websites/${shop.id}/stats${path}`, call),
		page: (json: unknown, api = owner.api) => api('POST', `/websites/${shop.id}/stats/query`, { json }),
	};
}

export function bodyOf(answer: Answer): { data: never; links: never; meta: Record<string, unknown> } {
	assert.equal(answer.status, 200, answer.text);
	assert.match(answer.headers['content-type'] ?? '', /^application\/json/);
	// What it holds is compared whole by the tests.
	return answer.json as { data: never; links: never; meta: Record<string, unknown> };
}
export const dataOf = (answer: Answer): unknown => bodyOf(answer).data;
export const totalsOf = (answer: Answer): unknown => (bodyOf(answer).data as { totals: unknown }).totals;
export const valuesOf = (answer: Answer): string[] =>
	(bodyOf(answer).data as { value: string }[]).map(({ value }) => value);
export const problemOf = (answer: Answer, ...fields: string[]) =>
	assertProblem(answer, 'validation_failed', fields);

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { z } from 'zod';
import type { Event } from '../../server/ingest/event.ts';
import { freshDomain, websiteOf } from '../support/contract.ts';
import { seededRandom } from '../support/random.ts';
import { storeEvents } from '../support/stored-events.ts';
import { visitor } from '../support/visitor.ts';
import { world } from '../support/world.ts';

const w = await world({ after });
const owner = await w.account();
const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
const rows = z.array(z.object({ value: z.string(), country: z.string().optional() }));
const breakdownAnswer = z.object({ data: rows });
const queryAnswer = z.object({ data: z.object({ breakdowns: z.array(z.object({ rows })) }) });
const countriesOf = (list: z.output<typeof rows>) =>
	Object.fromEntries(list.map(({ value, country }) => [value, country]));

type Place = Pick<Event, 'city' | 'country' | 'region'>;
async function fill(places: readonly Place[]): Promise<number> {
	const form = { domain: freshDomain(), timezone: 'UTC', privacy: '0' };
	const { id } = websiteOf(await owner.api('POST', '/websites', { form }), 201);
	await storeEvents(
		w,
		id,
		places.map((place) => ({ date: yesterday, ...place })),
	);
	return id;
}
const ask = async (id: number, query = '') => {
	const answer = await owner.api('GET', `/websites/${id}/stats/city?period=7d&per_page=100${query}`);
	return countriesOf(breakdownAnswer.parse(answer.json).data);
};

test('[C-STAT-21] a city has the country with most of its events', async () => {
	const london: Place = { city: 'London', country: 'GB', region: 'GB-ENG' };
	const id = await fill([
		london,
		london,
		{ city: 'London', country: 'CA', region: 'CA-ON' },
		{ city: 'Hamburg', country: 'DE', region: 'DE-HH' },
		{ city: 'Nowhere', country: '', region: '' },
		{ city: '', country: 'DE', region: '' },
	]);
	assert.deepEqual(await ask(id), { London: 'GB', Hamburg: 'DE', Nowhere: undefined, '': undefined });
	const filtered = (json: unknown) => `&filters=${encodeURIComponent(JSON.stringify(json))}`;
	for (const filter of [
		['is', 'country', ['CA']],
		['is', 'region', ['CA-ON']],
		['and', ['is', 'city', ['London']], ['is_not', 'country', ['GB']]],
		['and', ['is', 'city', ['London']], ['and', ['is', 'country', ['CA']], ['is_not', 'device', ['tv']]]],
		['or', ['is', 'country', ['CA']], ['is', 'region', ['CA-ON']]],
	])
		assert.deepEqual(await ask(id, filtered(filter)), { London: 'CA' }, JSON.stringify(filter));
	const answer = await owner.api('POST', `/websites/${id}/stats/query`, {
		json: { period: '7d', breakdowns: [{ dimension: 'city' }, { dimension: 'country' }] },
	});
	const [cities, countries] = queryAnswer.parse(answer.json).data.breakdowns;
	assert.equal(countriesOf(cities?.rows ?? []).Hamburg, 'DE');
	assert.deepEqual(new Set(Object.values(countriesOf(countries?.rows ?? []))), new Set([undefined]));
});

test('[C-STAT-21] public statistics have no countries of cities', async () => {
	const id = await fill(
		Array.from({ length: 30 }, () => ({ city: 'Hamburg', country: 'DE', region: 'DE-HH' })),
	);
	assert.deepEqual(await ask(id), { Hamburg: 'DE' });
	const anyone = visitor(() => w.base);
	const answer = await anyone('GET', `/websites/${id}/stats/city?period=7d`);
	assert.deepEqual(countriesOf(breakdownAnswer.parse(answer.json).data), { Hamburg: undefined });
});

test('[C-STAT-21] random places are counted as by hand', async (t) => {
	const random = seededRandom();
	t.diagnostic(`SEED=${random.seed}`);
	const places = Array.from({ length: 400 }, () => ({
		city: `City ${random.whole(12)}`,
		country: ['DE', 'FR', 'US', 'CA', ''][random.whole(5)] ?? '',
		region: '',
	}));
	const expected: Record<string, string | undefined> = {};
	for (const [city, list] of Map.groupBy(places, (place) => place.city)) {
		const counts = new Map<string, number>();
		for (const { country } of list) if (country !== '') counts.set(country, (counts.get(country) ?? 0) + 1);
		expected[city] = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0]?.[0];
	}
	assert.deepEqual(await ask(await fill(places)), expected);
});

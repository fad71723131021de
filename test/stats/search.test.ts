import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { z } from 'zod';
import { freshDomain, websiteOf } from '../support/contract.ts';
import { storeEvents } from '../support/stored-events.ts';
import { world } from '../support/world.ts';

const w = await world({ after });
const owner = await w.account();
const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
const answered = z.object({ data: z.array(z.object({ value: z.string() })) });

/** Cases of a character can differ in the number of their bytes: ẞ and ß, the Kelvin sign and k, ſ and s. */
const finds: [search: string, cities: readonly string[]][] = [
	['straße', ['Straße']],
	['AẞE', ['Straße']],
	['strasse', []],
	['köln', ['Köln']],
	['KÖ', ['Köln']],
	['\u212aö', ['Köln']],
	['ſt', ['Straße']],
	['ΣΊΣ', ['Όασίς']],
	['%', []],
	['', ['Köln', 'Straße', 'Όασίς']],
];

test('[C-BRK-4] a search finds values in any case', async () => {
	const form = { domain: freshDomain(), timezone: 'UTC', privacy: '0' };
	const { id } = websiteOf(await owner.api('POST', '/websites', { form }), 201);
	await storeEvents(
		w,
		id,
		['Köln', 'Straße', 'Όασίς'].map((city) => ({ date: yesterday, city, country: 'DE', region: '' })),
	);
	for (const [search, cities] of finds) {
		const query = `period=7d&search=${encodeURIComponent(search)}`;
		const answer = await owner.api('GET', `/websites/${id}/stats/city?${query}`);
		assert.equal(answer.status, 200, answer.text);
		const found = answered.parse(answer.json).data.map(({ value }) => value);
		assert.deepEqual(found.toSorted(), [...cities].toSorted(), search);
	}
});

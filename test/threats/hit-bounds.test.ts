import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { blankEvent, type Event } from '../../server/ingest/event.ts';
import { runSteps } from '../../server/ingest/ingest.ts';
import { parseHit } from '../../server/ingest/parse-hit.ts';
import { Dropped } from '../../server/ingest/steps/step.ts';
import { fixtureGeo, eventOf as storedEventOf, trackedWebsite } from '../support/golden-hits.ts';

const website = trackedWebsite();
const now = new Date('2026-11-15T09:00:00Z');

const eventOf = (body: Record<string, unknown>, headers: Record<string, string> = {}) =>
	storedEventOf(body, { headers, address: '198.51.100.1' });

const lengths: Partial<Record<keyof Event, number>> = {
	name: 100,
	hostname: 253,
	path: 1_024,
	query: 1_024,
	title: 300,
	referrer: 1_024,
	source: 255,
	utm_source: 255,
	utm_medium: 255,
	utm_campaign: 255,
	utm_term: 255,
	utm_content: 255,
	click_id: 20,
	browser: 30,
	browser_version: 4,
	os: 20,
	os_version: 10,
	language: 3,
};

function assertBounded(event: Event) {
	for (const [name, value] of Object.entries(event))
		if (typeof value === 'string')
			assert.ok([...value].length <= (lengths[name as keyof Event] ?? 40), `${name}: ${value.slice(0, 80)}`);
	const properties = Object.entries(event.properties);
	assert.ok(properties.length <= 30);
	for (const [name, value] of properties) assert.ok([...name].length <= 100 && [...value].length <= 500);
}

test('[T27] nothing that is stored is longer or more than its bound', () => {
	const long = (sign: string) => `${sign}-`.repeat(30_000);
	for (const sign of ['a', 'é', '日', '🜁', '\u0301', '%F0%9F%9C%81', 'ﷺ', '\ud800']) {
		const campaign = ['source', 'medium', 'campaign', 'term', 'content']
			.map((name) => `utm_${name}=${long(sign).slice(0, 1_200)}`)
			.join('&');
		for (const u of [
			`https://example.com/${long(sign)}`,
			`https://example.com/?q=${long(sign)}`,
			`https://example.com/?${campaign}`,
			`https://example.com/?${`${sign}=${sign}&`.repeat(5_000)}`,
			`https://example.com/#/${long(sign)}`,
		])
			assertBounded(
				eventOf(
					{
						u,
						r: `https://other.example/${long(sign)}`,
						t: long(sign),
						n: `${sign}name`,
						p: Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`${n}${long(sign)}`, long(sign)])),
					},
					{ 'user-agent': long('Chrome/1'), 'accept-language': 'a'.repeat(10_000) },
				),
			);
	}
});

test('[T27] names are values, also those that every object has', () => {
	const names = [
		'__proto__',
		'constructor',
		'prototype',
		'toString',
		'hasOwnProperty',
		'__defineGetter__',
		'valueOf',
	];
	const body = JSON.parse(`{"p": {${names.map((name) => `"${name}": "x"`).join(',')}}}`);
	const { properties } = eventOf({ ...body, n: '__proto__' });
	assert.deepEqual(Object.keys(properties), names);
	assert.deepEqual(JSON.parse(JSON.stringify(properties)), body.p);
	assert.equal(({} as Record<string, unknown>).x, undefined);
	assert.equal(eventOf({ u: 'https://example.com/?__proto__=1&utm_source=__proto__' }).source, '__proto__');
});

test('[T27] whatever JSON is sent becomes a whole event, a drop or a fault', () => {
	const members = ['i', 'n', 'u', 'r', 't', 'x', 'p', 'm', 'c', 'k', 'o', 'd', 'e', 's', 'v', 'a', 'g'];
	const body = fc.dictionary(
		fc.oneof(fc.constantFrom(...members), fc.string()),
		fc.oneof(
			fc.jsonValue({ noUnicodeString: false }),
			fc.webUrl({ withQueryParameters: true, withFragments: true }),
			fc.constantFrom('e', 'v', 'https://example.com/'),
		),
	);
	let kept = 0;
	fc.assert(
		fc.property(body, (sent) => {
			const hit = parseHit(
				{ u: 'https://example.com/', ...sent },
				{ website, now, headers: {}, address: '' },
			);
			if ('fault' in hit) return;
			const event = runSteps(hit, { geo: fixtureGeo });
			if (event instanceof Dropped) return;
			kept++;
			assert.deepEqual(Object.keys(event).sort(), Object.keys(blankEvent).sort());
			assertBounded(event);
			assert.ok(JSON.stringify(event).isWellFormed());
			for (const value of Object.values(event))
				if (typeof value === 'number') assert.ok(Number.isFinite(value));
		}),
		{ numRuns: 2_000 },
	);
	assert.ok(kept > 200, `${kept}`);
});

test('[T32] what a body claims about address, user agent, country and time is not believed', () => {
	const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0' };
	const honest = eventOf({}, headers);
	const claims = {
		ip: '192.0.2.1',
		address: '192.0.2.1',
		ua: 'Googlebot',
		user_agent: 'Googlebot',
		userAgent: 'Googlebot',
		headers: { 'user-agent': 'Googlebot', 'x-forwarded-for': '192.0.2.1' },
		country: 'DE',
		region: 'x',
		city: 'x',
		time: '2016-01-01T00:00:00Z',
		ts: 1,
		timestamp: 1,
		date: '2016-01-01',
		visitor_id: '1',
		website_id: 2,
		website: { id: 2 },
		kind: 'vital',
		late: 1,
		source: 'x',
		channel: 'x',
		isServerSide: true,
	};
	assert.deepEqual(eventOf(claims, headers), honest);
	assert.equal(honest.country, 'US');
	assert.equal(honest.browser, 'Firefox');
});

test('[T34] no clock but ours dates an event, and ages are bounded', () => {
	const tenYears = 10 * 365 * 86_400_000;
	for (const claim of [{ d: tenYears }, { d: -tenYears }, { time: tenYears }])
		assert.equal(eventOf(claim).time, '2026-11-15 09:00:00.000', JSON.stringify(claim));
	assert.equal(eventOf({ a: tenYears }).time, '2026-11-15 08:59:00.000');
	assert.equal(eventOf({ a: -tenYears }).time, '2026-11-15 09:00:00.000');
	const engagement = { k: 'e', o: '1', e: 1 };
	assert.equal(eventOf({ ...engagement, d: 86_400_000, a: 60_000 }).time, '2026-11-14 08:59:00.000');
	assert.equal(eventOf({ ...engagement, d: -tenYears }).time, '2026-11-15 09:00:00.000');
	const old = parseHit({ ...engagement, d: tenYears }, { website, now, headers: {}, address: '' });
	assert.ok('fault' in old);
});

test('[T29] a page of another origin is refused, whatever it says of itself', () => {
	const send = (u: string, origin?: string) => {
		const hit = parseHit(
			{ u },
			{ website, now, headers: origin === undefined ? {} : { origin }, address: '' },
		);
		assert.ok(!('fault' in hit));
		const result = runSteps(hit, { geo: fixtureGeo });
		return result instanceof Dropped ? result.reason : 'kept';
	};
	const own = 'https://example.com/';
	assert.equal(send(own, 'https://example.com'), 'kept');
	assert.equal(send(own, 'https://shop.example.com'), 'kept');
	assert.equal(send(own, 'https://evil.test'), 'foreign_hostname');
	assert.equal(send(own, 'https://example.com.evil.test'), 'foreign_hostname');
	assert.equal(send('https://evil.test/', 'https://example.com'), 'foreign_hostname');
	// No browser, or a proxy that takes it away: the address alone decides.
	assert.equal(send(own), 'kept');
	assert.equal(send(own, 'null'), 'kept');
});

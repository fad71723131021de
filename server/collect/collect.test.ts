import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fixturePlaces, trackedWebsite } from '../../test/support/golden-hits.ts';
import { collect, steps } from './collect.ts';
import { parseHit } from './parse-hit.ts';
import { Dropped, type DropReason } from './step.ts';

test('the order of the steps', () => {
	assert.deepEqual(
		steps.map((step) => step.name),
		[
			'begin',
			'refusePrefetches',
			'refuseBots',
			'refuseExcludedAddresses',
			'refuseForeignHostnames',
			'honourPrivacySignals',
			'cleanUrl',
			'attributeSource',
			'describeDevice',
			'locate',
		],
	);
});

test('the first step that refuses gives the reason', () => {
	const website = trackedWebsite({ exclude_bots: true, exclude_ips: ['192.0.2.1'] });
	/** Each has one fault less than the one before. */
	const cases: [DropReason, { headers: Record<string, string>; address: string; u: string }][] = [
		[
			'prefetch',
			{ headers: { 'sec-purpose': 'prefetch', dnt: '1' }, address: '192.0.2.1', u: 'https://evil.test/' },
		],
		['bot', { headers: { dnt: '1' }, address: '192.0.2.1', u: 'https://evil.test/' }],
		['excluded_address', { headers: { dnt: '1' }, address: '192.0.2.1', u: 'https://evil.test/' }],
		['foreign_hostname', { headers: { dnt: '1' }, address: '', u: 'https://evil.test/' }],
		['bad_url', { headers: { dnt: '1' }, address: '', u: 'nothing' }],
		['privacy_signal', { headers: { dnt: '1' }, address: '', u: 'https://example.com/' }],
	];
	for (const [reason, { headers, address, u }] of cases) {
		const hit = parseHit(
			{ u },
			{ website, address, headers: { ...browser(reason), ...headers }, now: new Date(0) },
		);
		assert.ok(!('fault' in hit));
		const dropped = collect(hit, { places: fixturePlaces });
		assert.ok(dropped instanceof Dropped);
		assert.equal(dropped.reason, reason);
		assert.equal(dropped.hostname, reason === 'foreign_hostname' ? 'evil.test' : undefined);
	}
});

/** A bot is what says nothing of itself; everything behind that step has the user agent of a browser. */
const browser = (reason: DropReason): Record<string, string> =>
	reason === 'prefetch' || reason === 'bot'
		? {}
		: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0' };

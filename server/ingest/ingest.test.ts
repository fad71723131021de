import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fixtureGeo, trackedWebsite } from '../../test/support/golden-hits.ts';
import { runSteps, steps } from './ingest.ts';
import { parseHit } from './parse-hit.ts';
import { Dropped, type DropReason } from './steps/step.ts';

test('the order of the steps', () => {
	assert.deepEqual(
		steps.map((step) => step.name),
		[
			'copyHitFields',
			'refusePrefetches',
			'refuseBots',
			'refuseExcludedAddresses',
			'refuseForeignHostnames',
			'honourPrivacySignals',
			'cleanUrl',
			'attributeSource',
			'describeDevice',
			'locate',
			'applyTrafficRules',
		],
	);
});

test('the first step that refuses gives the reason', () => {
	const website = trackedWebsite({ exclude_bots: true, exclude_ips: ['192.0.2.1'] });
	/** Each case has one reason less than the case before. */
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
		const dropped = runSteps(hit, { geo: fixtureGeo });
		assert.ok(dropped instanceof Dropped);
		assert.equal(dropped.reason, reason);
		assert.deepEqual(dropped.detail, reason === 'foreign_hostname' ? { hostname: 'evil.test' } : undefined);
	}
});

/** Without a user agent a hit is taken for a bot; the later cases need one. */
const browser = (reason: DropReason): Record<string, string> =>
	reason === 'prefetch' || reason === 'bot'
		? {}
		: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0' };

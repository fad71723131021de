/** From hits to sealed days and back to answers, as an owner sees it. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { freshDomain, websiteOf } from '../support/contract.ts';
import { createLedger, eventIdOf, sendHit, userAgentOf } from '../support/ledger.ts';
import { seededRandom } from '../support/random.ts';
import { until } from '../support/service.ts';
import { world } from '../support/world.ts';

let now = Date.parse('2026-11-08T12:00:00.000Z');
const w = await world({ after }, { now: () => new Date(now) });
const owner = await w.account({ timezone: 'UTC' });
const random = seededRandom();

test('a day answers the same before and after it was sealed, and what comes late is added', async () => {
	const website = websiteOf(
		await owner.api('POST', '/websites', { form: { domain: freshDomain(), timezone: 'Europe/Berlin' } }),
		201,
	);
	const ledger = createLedger();
	for (let visitor = 0; visitor < 6; visitor++)
		for (let step = 0; step <= visitor; step++) {
			now += 1_000;
			const members = { u: `https://${website.domain}/page/${step}`, ...(step === 3 && { n: 'signup' }) };
			const headers = { 'user-agent': userAgentOf(visitor) };
			assert.equal(await sendHit(ledger, w.base, website, eventIdOf(random), { headers, members }), 202);
		}
	await w.drain();
	const day = 'period=custom&from=2026-11-08&to=2026-11-08';
	const asked = [
		`stats?${day}&metrics=visitors,visits,pageviews,events,bounce_rate,visit_duration`,
		...['page', 'entry_page', 'source', 'browser', 'hour', 'event'].map(
			(name) => `stats/${name}?${day}&metrics=visitors,visits,pageviews,events`,
		),
		`stats?${day}&filters=${encodeURIComponent('["is","page",["/page/2"]]')}`,
	];
	const ask = async () => {
		const answers: unknown[] = [];
		for (const path of asked) {
			const { status, json, text } = await owner.api('GET', `/websites/${website.id}/${path}`);
			assert.equal(status, 200, text);
			// What is said about the answer itself differs; the numbers must not.
			answers.push((json as { data: unknown }).data);
		}
		return answers;
	};
	const state = async () => {
		const [row] = await w.sql<{ sealed: boolean; generation: number; size: number }>(
			`SELECT last_batch <= sealed_batch AS sealed, generation::int, size::int FROM days WHERE website_id = $1`,
			[website.id],
		);
		return row;
	};
	assert.deepEqual([(await state())?.sealed, (await state())?.size], [false, 21]);

	// Midnight in Berlin and two hours more, less a minute.
	now = Date.parse('2026-11-09T00:59:00Z');
	await sleep(6_000);
	const open = await ask();
	assert.equal((await state())?.sealed, false);
	now = Date.parse('2026-11-09T01:00:00Z');
	await until(async () => (await state())?.sealed === true, 60_000, 'the day is sealed');
	assert.deepEqual(await ask(), open);

	const late = { url: `https://${website.domain}/late`, time: '2026-11-08T15:00:00Z', id: 'late' };
	const sent = await owner.api('POST', `/websites/${website.id}/events`, { json: late });
	assert.equal(sent.status, 202, sent.text);
	await w.drain();
	const first = (await state())?.generation ?? 0;
	const whole = async () => JSON.stringify((await ask())[0]);
	const dirty = await whole();
	assert.notEqual(dirty, JSON.stringify(open[0]), 'what came late counts at once');
	// Ten minutes later it is sealed again, however many more come.
	now += 11 * 60_000;
	await until(async () => ((await state())?.generation ?? 0) > first, 60_000, 'the day is sealed again');
	assert.equal(await whole(), dirty);
	assert.equal((await state())?.sealed, true);
});

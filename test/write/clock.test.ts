import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '../../server/store/sql.ts';
import { freshDomain, websiteOf } from '../support/contract.ts';
import { createLedger, eventIdOf, faultsOf, sendHit } from '../support/ledger.ts';
import { seededRandom } from '../support/random.ts';
import { world } from '../support/world.ts';

const start = Date.parse('2026-11-15T09:30:00Z');
const hour = 3_600_000;
let moment = start;
const w = await world({ after }, { now: () => new Date(moment) });
const random = seededRandom();

test('[F31] the clock jumps by hours, days and fifty years, forth and back: every event stands on the day that the clock shows', async () => {
	const owner = await w.account();
	const ledger = createLedger();
	const wanted: { event_id: string; date: string; time: string }[] = [];
	// Every zone is asked for its own date: one is a day ahead of the other for most of the day.
	for (const timezone of ['Pacific/Kiritimati', 'America/Los_Angeles']) {
		const form = { domain: freshDomain(), timezone };
		const website = websiteOf(await owner.api('POST', '/websites', { form }), 201);
		const dateIn = new Intl.DateTimeFormat('en-CA', { timeZone: timezone });
		for (const jump of [0, hour, -hour, 24 * hour, -24 * hour, 50 * 365.25 * 24 * hour, 0]) {
			moment = start + jump;
			const eventId = eventIdOf(random);
			assert.equal(await sendHit(ledger, w.base, website, eventId), 202, `${jump}`);
			const time = new Date(moment).toISOString().replace('T', ' ').slice(0, -1);
			wanted.push({ event_id: eventId, date: dateIn.format(moment), time });
			await w.drain();
		}
	}
	assert.deepEqual(faultsOf(await ledger.judge(w.clickhouse)), [], `seed ${random.seed}`);
	const rows = await w.clickhouse.rows<(typeof wanted)[number]>(
		sql`SELECT event_id, date, time FROM events`,
		{
			as: 'migrate',
		},
	);
	const byId = (one: { event_id: string }, other: { event_id: string }) =>
		one.event_id < other.event_id ? -1 : 1;
	assert.deepEqual(rows.sort(byId), wanted.sort(byId), `seed ${random.seed}`);
});

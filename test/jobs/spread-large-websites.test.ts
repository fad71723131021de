import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { spreadLargeWebsites } from '../../server/jobs/spread-large-websites.ts';
import { sql, value } from '../../server/store/sql.ts';
import { openSealing } from '../support/sealing.ts';

const s = await openSealing({ after });
const sent: string[] = [];
const services = {
	...s.services,
	clickhouse: {
		...s.clickhouse,
		cluster: 'c',
		script: async (text: string) => {
			sent.push(text);
		},
	},
};
const setDay = (websiteId: number, date: string, size: number) =>
	s.postgres.run(sql`
		INSERT INTO days (website_id, date, last_batch, size)
		VALUES (${value(websiteId)}, ${value(date)}, 1, ${value(size)})
		ON CONFLICT (website_id, date) DO UPDATE SET size = excluded.size`);

test('a large website is spread from the day after tomorrow on, and stays so', async () => {
	const [small, large, old] = [await s.website(), await s.website(), await s.website()];
	s.clock.now = new Date('2026-11-15T23:59:00Z');
	await setDay(small, '2026-11-14', 4_999_999);
	await setDay(large, '2026-11-10', 5_000_000);
	await setDay(old, '2026-11-01', 50_000_000);
	await spreadLargeWebsites(services);
	assert.equal(sent.length, 2);
	assert.match(sent[0] ?? '', new RegExp(`\\[toUInt32\\(${large}\\)\\], \\[toDate\\('2026-11-17'\\)\\]`));

	s.clock.now = new Date('2026-11-16T12:00:00Z');
	await spreadLargeWebsites(services);
	assert.deepEqual(
		sent.slice(2),
		sent.slice(0, 2),
		'until its date has come it is said again, and is the same',
	);

	await setDay(small, '2026-11-16', 6_000_000);
	s.clock.now = new Date('2026-11-20T12:00:00Z');
	await spreadLargeWebsites(services);
	assert.match(sent.at(-1) ?? '', new RegExp(`\\[toUInt32\\(${small}\\), toUInt32\\(${large}\\)\\]`));
	assert.match(sent.at(-1) ?? '', /\[toDate\('2026-11-22'\), toDate\('2026-11-17'\)\]/);

	s.clock.now = new Date('2026-11-22T12:00:00Z');
	await spreadLargeWebsites(services);
	assert.equal(sent.length, 6, 'what holds is not said again');
});

test('one server spreads nothing', async () => {
	sent.length = 0;
	s.clock.now = new Date('2026-11-15T23:59:00Z');
	await spreadLargeWebsites({ ...services, clickhouse: { ...services.clickhouse, cluster: undefined } });
	assert.deepEqual(sent, []);
});

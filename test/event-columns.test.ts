import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { blankEvent, type Event } from '../server/ingest/event.ts';
import { toLine } from '../server/ingest/event-line.ts';
import { sql } from '../server/store/sql.ts';
import { engineFor } from './engine/engine.ts';

const migrations = ['0001_events', '0011_routes'].map((name) =>
	readFileSync(new URL(`../migrations/clickhouse/${name}.sql`, import.meta.url), 'utf8'),
);

const base: Event = {
	...blankEvent,
	website_id: 1,
	date: '2026-11-15',
	time: '2026-11-15 09:00:00.000',
	event_id: '1',
};

/** Everything that parsing lets through, at both ends. */
const boundaries: Partial<Event>[] = [
	{},
	{ website_id: 4_294_967_295 },
	{
		visitor_id: '18446744073709551615',
		event_id: '18446744073709551615',
		page_event_id: '18446744073709551615',
	},
	{ date: '1970-01-02', time: '1970-01-02 00:00:00.001' },
	{ date: '2100-12-31', time: '2100-12-31 23:59:59.999' },
	...(['pageview', 'custom', 'engagement', 'vital'] as const).map((kind) => ({ kind, name: kind })),
	{ late: 1 },
	{ route: '/product/[id]/{p0:String}' },
	{ revenue: '99999999999999.9999', currency: 'EUR' },
	{ revenue: '-99999999999999.9999', currency: 'JPY' },
	{ revenue: '0.0001', currency: 'KWD' },
	{ revenue: '19.9', currency: 'USD' },
	{ engaged_ms: 86_400_000, scroll: 100 },
	{ lcp_ms: 86_400_000, inp_ms: 86_400_000, cls: 999 },
	...[0, 0.0001, 0.1, 0.1234, 1.0001, 123.4567, 998.9999, -1].map((cls) => ({ cls })),
	{ country: 'DE', region: 'DE-BE', city: 'Zürich 市' },
	{ properties: JSON.parse('{"__proto__":"a","constructor":"b","":"c","emoji 👩‍👩‍👧":"\\"\'\\\\\\t\\n"}') },
	{
		path: '/\u0000\u202e<script>alert(1)</script>{p0:String}',
		title: "'; DROP TABLE events; --",
		query: '🜁'.repeat(1_024),
	},
];

test('[T75] an event is a row member by member, and every value is read back as it was written', async (t) => {
	const { clickhouse } = await engineFor(t);
	for (const migration of migrations) await clickhouse.script(migration);
	const events = boundaries.map((members, n): Event => ({ ...base, title: `case ${n}`, ...members }));
	for (const [n, event] of events.entries()) {
		const table = `case ${n}`;
		const written = await clickhouse.insert({
			table: 'events',
			lines: `${toLine(event)}\n`,
			token: table,
			// A member that is no column must not be passed over in silence.
			settings: { input_format_skip_unknown_fields: 0 },
		});
		assert.equal(written.writtenRows, 1, JSON.stringify(boundaries[n]));
	}
	const rows = await clickhouse.rows<Event>(sql`SELECT * FROM events`);
	assert.deepEqual(Object.keys(rows[0] ?? {}).sort(), Object.keys(blankEvent).sort());
	assert.deepEqual(rows.map(plain).sort(), events.map(plain).sort());
});

/** As text, because an object with a member `__proto__` is not compared by it. */
const plain = (event: Event): string =>
	JSON.stringify(
		Object.entries(event)
			.sort(([a], [b]) => (a < b ? -1 : 1))
			.map(([name, value]) => [name, typeof value === 'object' ? Object.entries(value).sort() : value]),
	);

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { pathRulesBody } from '../../api/path-groups.ts';
import { createMatcher, type PathRule, pageGroupsOf } from '../../server/stats/page-groups/rules.ts';
import { param, sql } from '../../server/store/sql.ts';
import { engineFor } from '../engine/engine.ts';
import { groupOf } from '../support/stats-oracle.ts';

// Few letters, so that patterns and paths meet often; the others are those that SQL or a regular expression might mind.
const letters = [...'aab11-\\%_\'"`.?+()[]{}|^$:#é東👋', '\\E', '\\1', '$1', '(?i)', '{p0:String}'];
const segment = fc
	.array(fc.constantFrom(...letters), { maxLength: 4 })
	.map((parts) => parts.join('').toWellFormed());
const path = fc.array(segment, { maxLength: 3 }).map((segments) => `/${segments.join('/')}`);
const pattern = fc
	.tuple(
		fc.array(fc.tuple(segment, fc.constantFrom('', '', '*'), segment), { maxLength: 3 }),
		fc.constantFrom('', '', '/**'),
	)
	.map(
		([segments, end]) =>
			`/${segments.map((parts) => parts.join('')).join('/')}${end}`.replace(/^\/\/\*\*/, '/**') || '/',
	);
const rules = fc.array(
	fc.record({
		pattern,
		target: fc.oneof(path, fc.constantFrom('/:id', '/$1', '$1$1', '/$2', '$2/$1', '$0$', 'All ü')),
	}),
	{ minLength: 1, maxLength: 8 },
);

/** What the API accepts, as it would be stored. */
const accepted = (sent: readonly PathRule[]): PathRule[] =>
	sent.flatMap((rule) => {
		const read = pathRulesBody.safeParse({ rules: [rule] });
		return read.success ? read.data.rules : [];
	});

test('[T113] ClickHouse groups paths as a person would, whatever is in rules and paths', async (t) => {
	const { clickhouse } = await engineFor(t);
	let grouped = 0;
	await fc.assert(
		fc.asyncProperty(rules, fc.array(path, { minLength: 10, maxLength: 10 }), async (sent, some) => {
			const list = accepted(sent);
			// Paths that fit as well: each wildcard filled with something.
			const paths = [
				...some,
				...list.flatMap((rule) => ['a', '1/é'].map((text) => rule.pattern.replaceAll(/\*+/g, text))),
			];
			const [row] = await clickhouse.rows<{ found: string[] }>(sql`
				SELECT ${pageGroupsOf(list)} AS found
				FROM (SELECT CAST(${param('Array(String)', paths)}, 'Array(LowCardinality(String))') AS paths, emptyArrayString() AS routes)`);
			const expected = paths.map((text) => groupOf(text, list));
			grouped += expected.filter((group, index) => group !== paths[index]).length;
			assert.deepEqual(row?.found, expected, JSON.stringify({ list, paths }));
			const find = createMatcher(list);
			assert.deepEqual(
				paths.map((text) => find(text)?.group ?? text),
				expected,
			);
		}),
		{ numRuns: 300 },
	);
	assert.ok(grouped > 1_000, `${grouped}`);
});

test('visits that were derived before routes existed are grouped by their paths', async (t) => {
	const { clickhouse } = await engineFor(t);
	const migrations = globSync('migrations/clickhouse/*.sql')
		.sort()
		.map((file) => readFileSync(file, 'utf8'));
	const isOfRoutes = (text: string) => /ADD COLUMN IF NOT EXISTS routes?\b/.test(text);
	for (const text of migrations.filter((text) => !isOfRoutes(text))) await clickhouse.script(text);
	// The version before, which knows no routes, and the same after the migration: both versions run side by side.
	const insert = (visitor: number) =>
		clickhouse.command(
			sql`INSERT INTO visits (website_id, date, generation, visitor_id, kinds, paths)
				VALUES (1, '2026-11-01', 1, ${param('UInt64', visitor)}, ['pageview', 'custom'], ['/p/1', '/x'])`,
			{ as: 'ingest' },
		);
	await insert(1);
	for (const text of migrations.filter(isOfRoutes)) await clickhouse.script(text);
	await insert(2);
	await clickhouse.command(
		sql`INSERT INTO visits (website_id, date, generation, visitor_id, kinds, paths, routes)
			VALUES (1, '2026-11-01', 1, 3, ['pageview', 'custom'], ['/p/1', '/x'], ['', '/[x]'])`,
		{ as: 'ingest' },
	);
	const rows = await clickhouse.rows<{ groups: string[] }>(
		sql`SELECT ${pageGroupsOf([{ pattern: '/p/*', target: '/p/:id' }])} AS groups FROM visits ORDER BY visitor_id`,
	);
	assert.deepEqual(
		rows.map(({ groups }) => groups),
		[
			['/p/:id', '/x'],
			['/p/:id', '/x'],
			['/p/:id', '/[x]'],
		],
	);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PathRule, pageGroupsOf } from '../../server/stats/page-groups/rules.ts';
import { type Sql, sql } from '../../server/store/sql.ts';
import { engineFor } from '../engine/engine.ts';
import { patience } from '../support/timeout-factor.ts';

const hundred = (ruleOf: (n: number) => PathRule) => Array.from({ length: 100 }, (_, n) => ruleOf(n));

/** As long as rules can be, and such that every one is compared to the end of each path. */
const kinds: Record<string, readonly PathRule[]> = {
	'a hundred of a shop': hundred((n) => ({
		pattern: `/section-${n}/product/*`,
		target: `/section-${n}/product/:id`,
	})),
	'many segments': hundred((n) => ({ pattern: `${'/*'.repeat(140)}/x${n}`, target: '/$1$2$3$4$5$6$7$8$9' })),
	'many ends': hundred((n) => ({ pattern: `/*${'ab'.repeat(140)}${n}`, target: '/$1$1$1$1$1$1$1$1$1$1' })),
	'the rest of the path': hundred((n) => ({ pattern: `${'/*'.repeat(60)}/${n}/**`, target: '/$9' })),
};

test('[T113] a hundred rules made to take for ever, over two thousand long paths', async (t) => {
	const { clickhouse } = await engineFor(t);
	const texts: Record<string, Sql> = {
		segments: sql`concat(repeat('/a', 500), toString(number))`,
		letters: sql`concat('/', repeat('ab', 500), toString(number))`,
	};
	for (const [name, rules] of Object.entries(kinds))
		for (const [what, text] of Object.entries(texts)) {
			const begin = performance.now();
			await clickhouse.rows(sql`
				SELECT sum(length(arrayStringConcat(${pageGroupsOf(rules)}))) AS found
				FROM (
					SELECT CAST([${text}], 'Array(LowCardinality(String))') AS paths, emptyArrayString() AS routes
					FROM numbers(2000)
				)`);
			const ms = performance.now() - begin;
			t.diagnostic(`${name}, ${what}: ${ms.toFixed()} ms`);
			assert.ok(ms < patience * 10_000, `${name}, ${what}: ${ms} ms`);
		}
});

test('a hundred rules are compared with each page of a website once, and not with each view', async (t) => {
	const { clickhouse } = await engineFor(t);
	await clickhouse.command(
		sql`CREATE TABLE views (paths Array(LowCardinality(String)), routes Array(LowCardinality(String))) ENGINE = MergeTree ORDER BY tuple()`,
		{ as: 'migrate' },
	);
	await clickhouse.command(
		sql`INSERT INTO views SELECT arrayMap(n -> concat('/section-', toString((number + n) % 20), '/product/', toString((number * 7 + n) % 100)), range(3)), ['', '', '']
			FROM numbers(1000000)`,
		{ as: 'ingest' },
	);
	const measure = async (rules: readonly PathRule[]) => {
		const begin = performance.now();
		await clickhouse.rows(sql`SELECT uniqExact(arrayJoin(${pageGroupsOf(rules)})) AS found FROM views`);
		return performance.now() - begin;
	};
	await measure([]);
	const [none, all] = [await measure([]), await measure(kinds['a hundred of a shop'] ?? [])];
	t.diagnostic(
		`3 million views of 2,000 pages: ${none.toFixed()} ms without rules, ${all.toFixed()} ms with a hundred`,
	);
	assert.ok(all < patience * (20 * none + 1_000));
});

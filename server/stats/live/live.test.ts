import assert from 'node:assert/strict';
import { test } from 'node:test';
import { render, type Sql } from '../../store/sql.ts';
import { toZones } from '../../websites/zones.ts';
import { countCurrentVisitors } from './live.ts';

test('[C-HIDE-5] websites that have just hidden events share no statement, which could have too many parameters', async () => {
	const now = new Date('2026-11-15T12:00:00.000Z');
	const values = Array.from({ length: 140 }, (_, n) => `/${n}/*`);
	const conditions = [{ field: 'path', property: null, test: 'wildcard', values }] as const;
	const selections = [{ conditions, from: null, to: null, untilMs: now.getTime() - 60_000 }];
	const websites = Array.from({ length: 12 }, (_, n) => ({
		...{ id: n + 1, zones: toZones([{ from: '0001-01-01', zone: 'UTC' }]), resetAt: null },
		hidden: n < 10 ? { revision: 1, selections } : null,
	}));
	const parameters: number[] = [];
	const ask = async <Row>(query: Sql): Promise<Row[]> => {
		parameters.push(Object.keys(render(query).query_params).length);
		return [];
	};
	await countCurrentVisitors(ask, websites, now);
	// `http_max_fields` of ClickHouse is 1,000.
	assert.ok(Math.max(...parameters) < 1_000, parameters.join(' '));
	assert.equal(parameters.length, 11);
});

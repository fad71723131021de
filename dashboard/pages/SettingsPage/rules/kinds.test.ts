import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as api from '../../../../api/deletions.ts';
import * as rules from '../../../../api/traffic-rules.ts';
import { comparisons, deletionFields, ruleKinds } from './kinds.ts';

test('conditions offer the fields and tests of the API', () => {
	assert.deepEqual(ruleKinds, rules.ruleKinds);
	assert.deepEqual(deletionFields, api.deletionFields);
	const expected = [...Object.entries(rules.testsOfKind), ...Object.entries(api.testsOfField)];
	assert.deepEqual(new Set(Object.keys(comparisons)), new Set(expected.map(([field]) => field)));
	const offered: Record<string, { tests: readonly string[] }> = comparisons;
	for (const [field, tests] of expected) assert.deepEqual(offered[field]?.tests, tests, field);
});

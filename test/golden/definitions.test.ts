import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { definitionsFile, describeDefinitions } from '../../scripts/definitions.ts';

test('docs/definitions.md is what the tables say; `npm run golden` writes it anew', () => {
	assert.equal(readFileSync(definitionsFile, 'utf8'), describeDefinitions());
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { before, test } from 'node:test';
import { buildProgramIfOld, programFile } from '../../scripts/build-program.ts';
import type { ListedCatalog } from '../../server/engine/catalog.ts';
import { readCatalog } from '../../server/engine/rights.ts';

before(() => buildProgramIfOld());

test('the built list of functions has those of the engine, without the refused categories', () => {
	const built: ListedCatalog = JSON.parse(
		readFileSync(join(dirname(programFile), 'engine-catalog.json'), 'utf8'),
	);
	assert.match(built.version, /^\d+\.\d+\.\d+/);
	const { functions, tableFunctions, combinators } = readCatalog(built.rows);
	assert.ok(functions.size > 1_000, `${functions.size} functions`);
	for (const name of ['uniqexact', 'tostartofday', 'any']) assert.ok(functions.has(name), name);
	for (const name of ['dictget', 'dictgetordefault', 'addresstoline', 'demangle'])
		assert.ok(!functions.has(name), name);
	assert.ok(tableFunctions.has('url') && tableFunctions.has('numbers'));
	assert.ok(combinators.includes('if'));
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { becomesOf, goldenFiles } from '../support/golden-hits.ts';

// What becomes of a hit. `npm run golden` writes the answers anew; read every line that changes.
const files = goldenFiles();

for (const { name, hits } of files)
	test(`hits: ${name}`, () => {
		for (const hit of hits) assert.deepEqual(becomesOf(hit), hit.becomes, hit.about);
	});

test('there are enough of them, each about something else', () => {
	const about = files.flatMap(({ hits }) => hits.map((hit) => hit.about));
	assert.ok(about.length >= 120, `${about.length}`);
	assert.deepEqual(
		about.filter((text, index) => about.indexOf(text) !== index),
		[],
	);
});

/** Writes the answers of the golden files anew. They are the specification: read every line that changes. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { becomesOf, goldenFiles } from '../test/support/golden-hits.ts';

let changed = 0;
let hits = 0;
const files = goldenFiles();
for (const { file, hits: goldens } of files) {
	const written = goldens.map((golden) => ({ ...golden, becomes: becomesOf(golden) }));
	hits += written.length;
	changed += written.filter(
		({ becomes }, index) => JSON.stringify(becomes) !== JSON.stringify(goldens[index]?.becomes),
	).length;
	writeFileSync(file, `${JSON.stringify(written, null, '\t')}\n`);
}
spawnSync('biome', ['format', '--write', ...files.map(({ file }) => file)], { stdio: 'inherit' });
console.log(`${hits} hits in ${files.length} files, ${changed} changed.`);

/** Writes the answers of the golden files anew. They are the specification: read every line that changes. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { becomesOf, goldenFiles } from '../test/support/golden-hits.ts';
import { committedSql, goldenSql } from '../test/support/golden-sql.ts';
import { definitionsFile, describeDefinitions } from './definitions.ts';

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

const before = committedSql();
const questions = goldenSql();
for (const { file, text } of questions) {
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, text);
}
const names = new Set(questions.map(({ name }) => name));
const folder = dirname(questions[0]?.file ?? '');
for (const name of Object.keys(before)) if (!names.has(name)) rmSync(join(folder, `${name}.sql`));
const rewritten = questions.filter(({ name, text }) => before[name] !== text).length;
console.log(`${questions.length} questions as SQL, ${rewritten} changed.`);

const definitions = describeDefinitions();
const isCurrent = readFileSync(definitionsFile, { encoding: 'utf8', flag: 'a+' }) === definitions;
writeFileSync(definitionsFile, definitions);
console.log(`${definitionsFile} ${isCurrent ? 'was current' : 'is new'}.`);

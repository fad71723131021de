/**
 * Prints files and folders that are larger than a reader likes, and fails on those without a reason in the list below.
 *
 * npm run sizes
 */
import { globSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';

const maxLines = 400;
const maxTestLines = 800;
const maxFilesOfFolder = 25;

/** Why a file is longer: it is a table. Never split a file only to meet the number. */
const reasons: Record<string, string> = {
	'server/config.ts': 'the table of all settings',
	'test/sabotage/faults.ts': 'a table of faults',
};

const reasonOf = (file: string): string | undefined =>
	reasons[file] ?? (file.startsWith('dashboard/texts/') ? 'a table of texts' : undefined);

const isTest = (file: string) => file.startsWith('test/') || /\.test\.tsx?$/.test(file);
const lengths = globSync('{api,bench,cli,dashboard,presentation,scripts,server,test,tracker}/**/*.{ts,tsx}')
	.filter((file) => !file.endsWith('.d.ts') && !file.startsWith('test/clients/generated'))
	.map((file) => ({ file, lines: readFileSync(file, 'utf8').split('\n').length - 1 }));
const long = lengths
	.filter(({ file, lines }) => lines > (isTest(file) ? maxTestLines : maxLines))
	.sort((a, b) => b.lines - a.lines);
const folders = new Map<string, number>();
for (const { file } of lengths)
	if (/^(server|dashboard|presentation)\//.test(file) && !isTest(file))
		folders.set(dirname(file), (folders.get(dirname(file)) ?? 0) + 1);
const full = [...folders].filter(([, files]) => files > maxFilesOfFolder);

const sum = (isIncluded: (file: string) => boolean) =>
	lengths.filter(({ file }) => isIncluded(file)).reduce((total, { lines }) => total + lines, 0);
console.log(
	`server: ${sum((file) => file.startsWith('server/') && !isTest(file))} lines, tests: ${sum(isTest)} lines`,
);
for (const { file, lines } of long)
	console.log(`${lines} lines  ${file}: ${reasonOf(file) ?? 'no reason given'}`);
for (const [folder, files] of full) console.log(`${files} files  ${folder}`);
const unknown = Object.keys(reasons).filter((file) => !long.some((entry) => entry.file === file));
for (const file of unknown)
	console.log(`${file} has a reason, but is not too long. Remove it from scripts/sizes.ts.`);
if (long.some(({ file }) => reasonOf(file) === undefined) || full.length > 0 || unknown.length > 0)
	process.exitCode = 1;

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Every rule that is written down has a test that names it, and every id in a test name is a rule that is
 * written down. Rules: the first cell of a table row (`| C-DOM-3 | …`, `| T05 | …`). Tests: an id in brackets
 * (`test('[C-DOM-3] …')`, also two: `[C-DOM-3][T18]`), or a case of a table that says `rule: 'C-DOM-3'`.
 * Run with `--list` to see how many tests name each rule.
 */
const root = join(import.meta.dirname, '..');
const ruleFiles = ['docs/contract/*.md', 'docs/threats.md', 'docs/faults.md'];
const testFiles = ['test', 'server', 'cli', 'api', 'presentation', 'dashboard', 'scripts'].map(
	(folder) => `${folder}/**/*.test.ts`,
);

const id = String.raw`(?:C-[A-Z]+-\d+|[TF]\d{2,3})`;
const ruleRow = new RegExp(String.raw`^\|\s*(${id})\s*\|`, 'gm');
const namedInTest = new RegExp(String.raw`\[(${id})\]|\brule:\s*['"](${id})['"]`, 'g');

function idsIn(globs: readonly string[], pattern: RegExp): { file: string; id: string }[] {
	return globSync([...globs], { cwd: root }).flatMap((file) =>
		[...readFileSync(join(root, file), 'utf8').matchAll(pattern)].map((match) => ({
			file,
			id: match[1] ?? match[2] ?? '',
		})),
	);
}

const rules = idsIn(ruleFiles, ruleRow);
const tests = idsIn(testFiles, namedInTest);
const ruleIds = new Set(rules.map((rule) => rule.id));
const testIds = new Set(tests.map((test) => test.id));

const twice = rules.filter((rule, index) => rules.findIndex((other) => other.id === rule.id) !== index);
const untested = rules.filter((rule) => !testIds.has(rule.id));
const unwritten = tests.filter((test) => !ruleIds.has(test.id));

if (process.argv.includes('--list'))
	for (const rule of rules) console.log(`${rule.id}\t${tests.filter((test) => test.id === rule.id).length}`);

const report = (title: string, found: readonly { file: string; id: string }[]) => {
	const lines = [...new Set(found.map((entry) => `  ${entry.id}  ${entry.file}`))];
	if (lines.length > 0) console.log(`${title}\n${lines.join('\n')}`);
};
report('Rules that no test names:', untested);
report('Tests that name no rule:', unwritten);
report('Ids that are given twice:', twice);
console.log(`${ruleIds.size} rules, ${testIds.size} of them named in ${tests.length} places of the tests.`);
if (untested.length + unwritten.length + twice.length > 0) process.exitCode = 1;

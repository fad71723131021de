import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { changeTexts } from '../../presentation/change-texts.ts';

/** By its folder: what puts them together is for browsers. */
const languages = readdirSync(import.meta.dirname, { withFileTypes: true })
	.filter((entry) => entry.isDirectory())
	.map(({ name }) => name);

/** Every text of a language by its key. */
async function textsOf(language: string): Promise<Map<string, string>> {
	const { core }: { core: unknown } = await import(`./${language}/core.ts`);
	const { pages }: { pages: unknown } = await import(`./${language}/pages.ts`);
	const found = new Map<string, string>();
	const walk = (tree: unknown, path: string) => {
		if (typeof tree === 'string') found.set(path, tree);
		else for (const [name, part] of Object.entries(tree ?? {})) walk(part, path ? `${path}.${name}` : name);
	};
	walk(core, '');
	walk(pages, '');
	return found;
}

const wordsIn = (text: string) =>
	[...new Set([...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name))].sort();
/** Of a plural, the form that every language has. */
const baseOf = (key: string) => key.replace(/_(zero|one|two|few|many)$/, '_other');

const english = await textsOf('en');

for (const language of languages)
	test(`${language}: every text is there, says something, and fills in what the English one does`, async () => {
		const texts = await textsOf(language);
		assert.ok(english.size > 500, 'the test found no texts to look at');
		assert.deepEqual(
			[...english.keys()].filter((key) => !texts.has(key)),
			[],
		);
		const faults = [...texts].flatMap(([key, text]) => {
			const original = english.get(key) ?? english.get(baseOf(key));
			if (original === undefined) return [`${key} is no text of ours`];
			if (text.trim() === '' && original.trim() !== '') return [`${key} says nothing`];
			const [own, wanted] = [wordsIn(text), wordsIn(original)];
			// One of something need not say that it is one.
			const isMissing = wanted.some((word) => !own.includes(word)) && !key.endsWith('_one');
			return isMissing || own.some((word) => !wanted.includes(word)) ? [`${key}: ${text}`] : [];
		});
		assert.deepEqual(faults, []);
	});

test('each language has the forms of plurals that it needs', async () => {
	for (const language of languages) {
		const texts = await textsOf(language);
		const needed = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
		const bases = [...english.keys()].filter((key) => key.endsWith('_other')).map((key) => key.slice(0, -6));
		assert.ok(bases.length > 0);
		const missing = bases.flatMap((base) =>
			needed.filter((form) => !texts.has(`${base}_${form}`)).map((form) => `${language} ${base}_${form}`),
		);
		assert.deepEqual(missing, []);
	}
});

for (const language of languages)
	test(`${language}: sentences about changes name metrics as the pages do`, async () => {
		const texts = await textsOf(language);
		const sentences = changeTexts[language];
		assert.ok(sentences);
		for (const [metric, label] of Object.entries(sentences.metrics))
			assert.equal(label, texts.get(`statistics.metrics.${metric}.label`), metric);
		assert.equal(sentences.direct, texts.get('statistics.values.direct'));
	});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ChangeFacts, changeSentence } from './change-sentence.ts';
import { changeTexts } from './change-texts.ts';

const visits: ChangeFacts = {
	metric: 'visits',
	currency: null,
	current: 2_701,
	compared: 2_289,
	difference: 412,
	cause: {
		...{ dimension: 'source', value: 'ChatGPT', difference: 389 },
		within: { dimension: 'entry_page', value: '/pricing', difference: 301 },
	},
	isDivided: true,
};
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ');

test('what changed, in nine languages', () => {
	assert.deepEqual(
		Object.fromEntries(Object.keys(changeTexts).map((name) => [name, plain(changeSentence(visits, name))])),
		{
			en: 'Visits rose by 412 (+18%), mostly from ChatGPT (+389), especially on /pricing (+301).',
			de: 'Besuche: 412 mehr (+18 %), vor allem über ChatGPT (+389), besonders auf /pricing (+301).',
			fr: 'Visites : hausse de 412 (+18 %), surtout via ChatGPT (+389), en particulier sur /pricing (+301).',
			es: 'Visitas: aumento de 412 (+18 %), sobre todo desde ChatGPT (+389), en particular en /pricing (+301).',
			zh: '访问增加 412（+18%），主要来自 ChatGPT（+389），尤其是 /pricing（+301）。',
			ja: '訪問が 412 増加しました（+18%）。主な内訳は ChatGPT（+389）、特に /pricing（+301）。',
			pl: 'Wizyty: wzrost o 412 (+18%), głównie z ChatGPT (+389), zwłaszcza na /pricing (+301).',
			pt: 'Visitas: aumento de 412 (+18%), principalmente via ChatGPT (+389), especialmente em /pricing (+301).',
			it: 'Visite: aumento di 412 (+18%), soprattutto da ChatGPT (+389), in particolare su /pricing (+301).',
		},
	);
});

test('a fall, nothing in common, no change, and nothing to compare', () => {
	const fallen: ChangeFacts = {
		...visits,
		...{ current: 100, compared: 0.5e3, difference: -400 },
		cause: { dimension: 'country', value: 'DE', difference: -390, within: null },
	};
	const show = (facts: Partial<ChangeFacts>, language = 'en') =>
		plain(changeSentence({ ...visits, cause: null, ...facts }, language));
	assert.equal(changeSentence(fallen, 'en-GB'), 'Visits fell by 400 (−80%), mostly Germany (−390).');
	assert.equal(show(fallen, 'fr'), 'Visites : baisse de 400 (−80 %), surtout Allemagne (−390).');
	assert.equal(show({}), 'Visits rose by 412 (+18%), with no single main cause.');
	assert.equal(show({}, 'ja'), '訪問が 412 増加しました（+18%）。特に大きな要因はありません。');
	assert.equal(show(fallen, 'zh'), '访问减少 400（−80%），主要是德国（−390）。');
	// Its parts are not available.
	assert.equal(show({ isDivided: false }), 'Visits rose by 412 (+18%).');
	assert.equal(show({ current: 412, compared: 0 }), 'Visits rose by 412, with no single main cause.');
	assert.equal(show({ difference: 0 }), 'Visits: no change (2,701).');
	assert.equal(show({ compared: null, difference: null }), 'Visits: nothing to compare with.');
	assert.equal(show({}, 'nl'), show({}, 'en'));
});

test('ratios, money and direct visits', () => {
	const rate = { ...visits, metric: 'bounce_rate', cause: null } as const;
	assert.equal(
		changeSentence({ ...rate, current: 0.46, compared: 0.4, difference: 0.06 }, 'en'),
		'Bounce rate rose from 40% to 46%.',
	);
	assert.equal(
		changeSentence({ ...rate, current: 0.4601, compared: 0.46, difference: 0.0001 }, 'en'),
		'Bounce rate: no change (46%).',
	);
	assert.equal(
		changeSentence(
			{
				...{ metric: 'revenue', currency: 'EUR', current: 20, compared: 30.5, difference: -10.5 },
				cause: { dimension: 'source', value: '', difference: -10.5, within: null },
				isDivided: true,
			},
			'en',
		),
		'Revenue fell by €10.50 (−34%), mostly Direct (−€10.50).',
	);
});

test('[T115] values are one short line without formatting characters', () => {
	const cause = (value: string) => ({ dimension: 'source', value, difference: 389, within: null });
	assert.equal(
		changeSentence({ ...visits, cause: cause('evil\r\nBcc: x\u202e\u0000') }, 'en'),
		'Visits rose by 412 (+18%), mostly from evil Bcc: x (+389).',
	);
	const long = changeSentence({ ...visits, cause: cause('x'.repeat(2_000)) }, 'en');
	assert.ok(long.length < 150 && long.includes('x…'));
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { accentShades, accentThemes, contrastOf, leastContrast, parseAccent } from './accent.ts';

const samples = [
	'#000000',
	'#ffffff',
	'#ffff00',
	'#ff0000',
	'#00ff00',
	'#0000ff',
	'#0a7f78',
	'#808080',
	'#7f4fc9',
];

test('[C-LABEL-4] text on and in every shade of an accent has a contrast of 4.5 to 1', () => {
	for (let index = 0; index < 4_096; index += 1)
		samples.push(`#${[...index.toString(16).padStart(3, '0')].map((digit) => digit + digit).join('')}`);
	for (const accent of samples)
		for (const theme of ['light', 'dark'] as const) {
			const { grounds, inks } = accentThemes[theme];
			const shades = accentShades(accent, theme);
			const pairs = [
				...grounds.flatMap((ground) => [
					['sea', shades.sea, ground],
					['sea-ink', shades['sea-ink'], ground],
				]),
				...[shades['sea-wash'], shades['sea-wash-2']].flatMap((wash) => [
					['sea-ink on a wash', shades['sea-ink'], wash],
					...inks.slice(0, 2).map((ink) => ['ink on a wash', ink, wash]),
				]),
				['ink-3 on a wash', inks[2], shades['sea-wash']],
				['on-sea', shades['on-sea'], shades.sea],
			] as [string, string, string][];
			for (const [name, ink, ground] of pairs)
				assert.ok(
					contrastOf(ink, ground) >= leastContrast,
					`${name} of ${accent}, ${theme}: ${contrastOf(ink, ground)}`,
				);
		}
});

test('[C-LABEL-4] a readable accent is used as it is', () => {
	assert.equal(accentShades('#0a7f78', 'light').sea, '#0a7f78');
	assert.equal(accentShades('#3fbfb2', 'dark').sea, '#3fbfb2');
	assert.equal(contrastOf('#000000', '#ffffff'), 21);
});

test('[T261] only six hexadecimal digits are a color', () => {
	assert.equal(parseAccent('#AABBCC'), '#aabbcc');
	for (const text of [
		'red',
		'#abc',
		'#aabbccdd',
		'aabbcc',
		'#aabbcc;',
		' #aabbcc',
		'#aabbcc\n',
		'#gggggg',
		'url(#aabbcc)',
	])
		assert.equal(parseAccent(text), undefined, text);
});

test('the grounds and inks are those of the style sheet', () => {
	const [light = '', dark = ''] = readFileSync('dashboard/styles/tokens.css', 'utf8').split(
		'[data-theme="dark"]',
	);
	for (const [theme, css] of [
		['light', light],
		['dark', dark],
	] as const) {
		const token = (name: string) => new RegExp(`--${name}: (#\\w+);`).exec(css)?.[1];
		assert.deepEqual(accentThemes[theme], {
			grounds: ['surface', 'paper'].map(token),
			inks: ['ink', 'ink-2', 'ink-3'].map(token),
		});
	}
});

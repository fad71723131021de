import { accentNames, accentShades } from '../../../presentation/accent.ts';

/** The colors of dashboard/styles/tokens.css, which emails cannot load: [light, dark]. */
export const colors = {
	paper: ['#f7f9f8', '#0b1212'],
	surface: ['#ffffff', '#101a1a'],
	ink: ['#0f1f1e', '#e8f0ee'],
	'ink-2': ['#50625f', '#a3b5b1'],
	'ink-3': ['#5f6f6b', '#8a9d98'],
	line: ['#e2e9e7', '#1f2c2b'],
	'line-2': ['#eef3f1', '#172222'],
	sea: ['#0a7f78', '#3fbfb2'],
	'sea-ink': ['#07645f', '#7fd9cf'],
	'sea-wash': ['#e0f1ee', '#122b29'],
	'sea-wash-2': ['#c8e6e1', '#1a403c'],
	'on-sea': ['#ffffff', '#06201d'],
	up: ['#176b42', '#58c28a'],
	down: ['#a83e34', '#e0837a'],
	note: ['#8f5d12', '#d9a548'],
	'note-wash': ['#faf1e0', '#2a2110'],
} as const satisfies Record<string, readonly [light: string, dark: string]>;

export type Color = keyof typeof colors;
export type Palette = Readonly<Record<Color, readonly [light: string, dark: string]>>;

/** With the shades of an accent color. */
export function paletteOf(accent: string | null | undefined): Palette {
	if (!accent) return colors;
	const [light, dark] = [accentShades(accent, 'light'), accentShades(accent, 'dark')];
	const shades = accentNames.map((name) => [name, [light[name], dark[name]]] as const);
	return { ...colors, ...Object.fromEntries(shades) };
}

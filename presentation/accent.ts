/**
 * The shades of an accent color that replace those of dashboard/styles/tokens.css. They keep its hue and are mixed with black or white
 * only as far as text needs it: 4.5 to 1 wherever text stands on a shade or has one.
 */
export const accentNames = ['sea', 'sea-ink', 'sea-wash', 'sea-wash-2', 'on-sea'] as const;
export type AccentName = (typeof accentNames)[number];
export type AccentShades = Record<AccentName, string>;

type Rgb = readonly [red: number, green: number, blue: number];

const black: Rgb = [0, 0, 0];
const white: Rgb = [255, 255, 255];
/** Text on a shade has `inks`; shades as text stand on `grounds`. From tokens.css, which a test compares. */
export const accentThemes = {
	light: { grounds: ['#ffffff', '#f7f9f8'], inks: ['#0f1f1e', '#50625f', '#5f6f6b'] },
	dark: { grounds: ['#101a1a', '#0b1212'], inks: ['#e8f0ee', '#a3b5b1', '#8a9d98'] },
} as const;
export type AccentTheme = keyof typeof accentThemes;

export const leastContrast = 4.5;

/** Undefined unless the text is a color such as `#0a7f78`. */
export const parseAccent = (text: string): string | undefined =>
	/^#[0-9a-f]{6}$/i.test(text) ? text.toLowerCase() : undefined;

export function accentShades(accent: string, theme: AccentTheme): AccentShades {
	const color = toRgb(accent);
	const grounds = accentThemes[theme].grounds.map(toRgb);
	const inks = accentThemes[theme].inks.map(toRgb);
	const [surface = white] = grounds;
	/** Away from the ground of the theme. */
	const far = theme === 'light' ? black : white;
	const wash = mixUntil(mix(color, surface, 0.86), surface, (shade) => isReadable(shade, inks));
	// Marks more than the other wash does, and nothing in the faintest ink stands on it.
	const wash2 = mixUntil(mix(color, surface, 0.76), surface, (shade) => isReadable(shade, inks.slice(0, 2)));
	const main = mixUntil(color, far, (shade) => isReadable(shade, grounds));
	const ink = mixUntil(mix(main, far, 0.2), far, (shade) => isReadable(shade, [...grounds, wash, wash2]));
	const onMain =
		theme === 'light' ? white : mixUntil(mix(color, black, 0.8), black, (shade) => isReadable(shade, [main]));
	return {
		sea: toHex(main),
		'sea-ink': toHex(ink),
		'sea-wash': toHex(wash),
		'sea-wash-2': toHex(wash2),
		'on-sea': toHex(onMain),
	};
}

/** The contrast of two colors as WCAG 2 defines it, from 1 to 21. */
export function contrastOf(first: string, second: string): number {
	return contrast(toRgb(first), toRgb(second));
}

const isReadable = (shade: Rgb, others: readonly Rgb[]): boolean =>
	others.every((other) => contrast(shade, other) >= leastContrast);

/** The mix with the least of `other` that is accepted; `other` itself always is. */
function mixUntil(color: Rgb, other: Rgb, isAccepted: (mixed: Rgb) => boolean): Rgb {
	for (let step = 0; step < 100; step++) {
		const mixed = mix(color, other, step / 100);
		if (isAccepted(mixed)) return mixed;
	}
	return other;
}

const mix = (color: Rgb, other: Rgb, share: number): Rgb => [
	Math.round(color[0] + (other[0] - color[0]) * share),
	Math.round(color[1] + (other[1] - color[1]) * share),
	Math.round(color[2] + (other[2] - color[2]) * share),
];

function contrast(first: Rgb, second: Rgb): number {
	const [a, b] = [luminance(first), luminance(second)];
	return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

function luminance(color: Rgb): number {
	const [red, green, blue] = color.map((part) => {
		const share = part / 255;
		return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
	}) as unknown as Rgb;
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Of a color that `parseAccent` accepts. */
function toRgb(color: string): Rgb {
	const number = Number.parseInt(color.slice(1), 16);
	return [number >> 16, (number >> 8) & 255, number & 255];
}

const toHex = (color: Rgb): string => `#${color.map((part) => part.toString(16).padStart(2, '0')).join('')}`;

import { useEffect, useLayoutEffect } from 'react';
import type { Branding } from '../../api/branding.ts';
import { BrandMark, type BrandMarkProps } from './BrandMark.tsx';

/** The mark of a page, which also has the colors of the brand and its icon while this is shown. */
export function PageBrandMark(props: BrandMarkProps) {
	const { colors, logo, dark_logo: dark } = props.brand;
	const icon = [logo, dark].find((image) => image && image.width < 2 * image.height);
	useLayoutEffect(() => (colors ? paint(colors) : undefined), [colors]);
	useEffect(() => (icon ? showIcon(icon) : undefined), [icon]);
	return <BrandMark {...props} />;
}

/** A constructed style sheet, because the policy of the page allows no style that is part of the document. */
function paint({ light, dark }: NonNullable<Branding['colors']>): () => void {
	const sheet = new CSSStyleSheet();
	// On paper all colors are the light ones.
	sheet.replaceSync(`[data-theme]{${declare(light)}}@media screen{[data-theme=dark]{${declare(dark)}}}`);
	document.adoptedStyleSheets.push(sheet);
	return () => {
		document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
	};
}

/** What is not a color is left out, so that no value can become another rule. */
const declare = (shades: Readonly<Record<string, string>>): string =>
	Object.entries(shades)
		.filter(([name, shade]) => /^[\w-]+$/.test(name) && /^#[0-9a-f]{6}$/.test(shade))
		.map(([name, shade]) => `--${name}:${shade};`)
		.join('');

type Image = NonNullable<Branding['logo']>;

/** In the browser's tab, where the image is about as high as it is wide. */
function showIcon({ url, type }: Image): (() => void) | undefined {
	const link = document.querySelector<HTMLLinkElement>('link[rel=icon]');
	if (!link) return undefined;
	const before = { href: link.href, type: link.type };
	Object.assign(link, { href: url, type });
	return () => void Object.assign(link, before);
}

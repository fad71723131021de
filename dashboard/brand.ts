import { createContext, useContext, useLayoutEffect } from 'react';
import type { Branding } from '../api/branding.ts';
import { useSession } from './session.tsx';

/** The brand of a page of somebody's websites; null: the page has none. Undefined: that of the account that the person works in. */
export const PageBrand = createContext<Branding | null | undefined>(undefined);

/** The brand of the page, with its colors put on the document. */
export function useBrand(): Branding | undefined {
	const ofPage = useContext(PageBrand);
	const ofAccount = useSession()?.brand;
	const brand = ofPage === undefined ? ofAccount : (ofPage ?? undefined);
	const colors = brand?.colors;
	useLayoutEffect(() => {
		if (!sheet && !colors) return;
		if (!sheet) {
			sheet = new CSSStyleSheet();
			document.adoptedStyleSheets.push(sheet);
		}
		// On paper all colors are the light ones.
		sheet.replaceSync(
			colors
				? `[data-theme]{${declare(colors.light)}}@media screen{[data-theme=dark]{${declare(colors.dark)}}}`
				: '',
		);
	}, [colors]);
	return brand;
}

/** A constructed style sheet, because the policy of the page allows no style that is part of the document. */
let sheet: CSSStyleSheet | undefined;

/** What is not a color is left out, so that no value can become another rule. */
const declare = (shades: Readonly<Record<string, string>>): string =>
	Object.entries(shades)
		.filter(([name, shade]) => /^[\w-]+$/.test(name) && /^#[0-9a-f]{6}$/.test(shade))
		.map(([name, shade]) => `--${name}:${shade};`)
		.join('');

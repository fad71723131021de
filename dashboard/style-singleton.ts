import { useEffect } from 'react';

/**
 * Replaces the package `react-style-singleton` (see vite.config.ts), which inserts a `<style>` element while a dialog
 * locks scrolling. The Content-Security-Policy allows no inline styles; it does not restrict constructed style sheets.
 */
export function styleSingleton() {
	let mounted = 0;
	let sheet: CSSStyleSheet | undefined;
	// biome-ignore lint/correctness/noComponentHookFactories: the package exports a factory of components
	return function Style({ styles }: { styles: string }) {
		// The first styles stay until the last user is gone: they hold the width of a scroll bar that is hidden afterwards.
		// biome-ignore lint/correctness/useExhaustiveDependencies: see above
		useEffect(() => {
			if (mounted++ === 0) {
				sheet = new CSSStyleSheet();
				sheet.replaceSync(`${styles}${withoutGutter()}`);
				document.adoptedStyleSheets.push(sheet);
			}
			return () => {
				if (--mounted === 0)
					document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
			};
		}, []);
		return null;
	};
}

/**
 * The page reserves a gutter for the scroll bar (base.css). Nothing can cover a gutter, so it would stay as a light strip beside
 * the backdrop. A margin takes its place while scrolling is locked. The package measures it only on pages that scroll.
 */
function withoutGutter(): string {
	const width = innerWidth - document.documentElement.getBoundingClientRect().width;
	return `html { scrollbar-gutter: auto; } body[data-scroll-locked] { margin-right: ${width}px !important; }`;
}

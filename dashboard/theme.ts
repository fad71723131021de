/** Color theme: the stored choice, otherwise the system setting. index.html applies it before the first paint. */
export type Theme = 'system' | 'light' | 'dark';

const storedAs = 'tidemark-theme';
const system = matchMedia('(prefers-color-scheme: dark)');

export function chosenTheme(): Theme {
	// An embedded page takes its theme from the URL.
	const stored = new URLSearchParams(location.search).get('theme') ?? read();
	return stored === 'light' || stored === 'dark' ? stored : 'system';
}

export function chooseTheme(theme: Theme): void {
	try {
		if (theme === 'system') localStorage.removeItem(storedAs);
		else localStorage.setItem(storedAs, theme);
	} catch {
		// Without storage the choice lasts until the page is closed.
	}
	show(theme);
}

export function followSystemTheme(): void {
	system.addEventListener('change', () => show(chosenTheme()));
}

function show(theme: Theme): void {
	document.documentElement.dataset.theme = theme === 'system' ? (system.matches ? 'dark' : 'light') : theme;
}

function read(): string | null {
	try {
		return localStorage.getItem(storedAs);
	} catch {
		return null;
	}
}

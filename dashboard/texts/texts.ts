import { createInstance, type ResourceLanguage } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { en } from './en/en.ts';

/** The languages there are, in their own words. English comes with the page, the others when they are chosen. */
export const languages = {
	en: { name: 'English', load: async () => en },
	de: { name: 'Deutsch', load: async () => (await import('./de/de.ts')).de },
} as const satisfies Record<string, { name: string; load(): Promise<Texts> }>;

export type Language = keyof typeof languages;

/** Every language has each text of the English one. */
export type Texts = TextsLike<typeof en>;
type TextsLike<T> = { readonly [K in keyof T]: T[K] extends string ? string : TextsLike<T[K]> };

const storedAs = 'tidemark-language';
const texts = createInstance();

export async function startTexts(): Promise<void> {
	const language = findLanguage([read(), ...navigator.languages]);
	await texts.use(initReactI18next).init({
		lng: language,
		fallbackLng: 'en',
		resources: { [language]: { translation: await loadTexts(language) }, en: { translation: en } },
		interpolation: { escapeValue: false },
		returnNull: false,
	});
	document.documentElement.lang = language;
}

/** The language of the account, or one that was chosen here. */
export async function chooseLanguage(wanted: string): Promise<void> {
	const language = findLanguage([wanted]);
	try {
		localStorage.setItem(storedAs, language);
	} catch {
		// Without storage it holds until the page is left.
	}
	if (language === texts.language) return;
	if (!texts.hasResourceBundle(language, 'translation'))
		texts.addResourceBundle(language, 'translation', await loadTexts(language));
	await texts.changeLanguage(language);
	document.documentElement.lang = language;
}

/** The first of what is wanted that there is: `de-AT` is content with `de`. */
export function findLanguage(wanted: readonly (string | null)[]): Language {
	for (const locale of wanted) {
		const language = locale?.toLowerCase().split(/[-_]/)[0];
		if (language !== undefined && isLanguage(language)) return language;
	}
	return 'en';
}

function isLanguage(name: string): name is Language {
	return Object.hasOwn(languages, name);
}

async function loadTexts(language: Language): Promise<ResourceLanguage> {
	// i18next's type for any tree of texts.
	return (await languages[language].load()) as unknown as ResourceLanguage;
}

function read(): string | null {
	try {
		return localStorage.getItem(storedAs);
	} catch {
		return null;
	}
}

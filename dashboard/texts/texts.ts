import { createInstance, type i18n } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { core } from './en/core.ts';
import type { en } from './en/en.ts';

/**
 * All languages, with their own names. `core` has the texts of the statistics page, `pages` the rest, which loads with the
 * pages that need it. The English core is always bundled.
 */
export const languages = {
	en: {
		name: 'English',
		core: async () => core,
		pages: async () => (await import('./en/pages.ts')).pages,
	},
	de: {
		name: 'Deutsch',
		core: async () => (await import('./de/core.ts')).core,
		pages: async () => (await import('./de/pages.ts')).pages,
	},
	fr: {
		name: 'Français',
		core: async () => (await import('./fr/core.ts')).core,
		pages: async () => (await import('./fr/pages.ts')).pages,
	},
	es: {
		name: 'Español',
		core: async () => (await import('./es/core.ts')).core,
		pages: async () => (await import('./es/pages.ts')).pages,
	},
	zh: {
		name: '简体中文',
		core: async () => (await import('./zh/core.ts')).core,
		pages: async () => (await import('./zh/pages.ts')).pages,
	},
	ja: {
		name: '日本語',
		core: async () => (await import('./ja/core.ts')).core,
		pages: async () => (await import('./ja/pages.ts')).pages,
	},
	pl: {
		name: 'Polski',
		core: async () => (await import('./pl/core.ts')).core,
		pages: async () => (await import('./pl/pages.ts')).pages,
	},
	pt: {
		name: 'Português (Brasil)',
		core: async () => (await import('./pt/core.ts')).core,
		pages: async () => (await import('./pt/pages.ts')).pages,
	},
	it: {
		name: 'Italiano',
		core: async () => (await import('./it/core.ts')).core,
		pages: async () => (await import('./it/pages.ts')).pages,
	},
} as const satisfies Record<
	string,
	{ name: string; core(): Promise<CoreTexts>; pages(): Promise<PageTexts> }
>;

export type Language = keyof typeof languages;

/** Every language has all texts of the English one. */
export type Texts = TextsLike<typeof en>;
type CoreTexts = Pick<Texts, keyof typeof core>;
type PageTexts = Omit<Texts, keyof typeof core>;
type TextsLike<T> = {
	readonly [K in keyof T]: T[K] extends string ? string : TextsLike<T[K]>;
} & MorePlurals<T>;
/** Plural forms that English lacks and Polish, for example, needs. */
type MorePlurals<T> = {
	readonly [K in keyof T as K extends `${infer Base}_other`
		? `${Base}_few` | `${Base}_many`
		: never]?: string;
};

const storageKey = 'tidemark-language';
/** In development, the instance is kept when this file or a text changes, so that open pages show the change. */
const texts: i18n = import.meta.hot?.data.texts ?? createInstance();

/** Whether a page that needs more than the core texts was opened. */
let arePagesNeeded = false;

export async function startTexts(): Promise<void> {
	const language = findLanguage([read(), ...navigator.languages]);
	await texts.use(initReactI18next).init({
		lng: language,
		fallbackLng: 'en',
		resources: { en: { translation: core } },
		interpolation: { escapeValue: false },
		returnNull: false,
		partialBundledLanguages: true,
	});
	await addTexts(language);
	document.documentElement.lang = language;
}

/** Loads the texts of pages outside the core, before such a page is shown. */
export async function loadPageTexts(): Promise<void> {
	arePagesNeeded = true;
	await addTexts(findLanguage([texts.language]));
}

/** Switches to the language of the account or of the language menu. */
export async function chooseLanguage(wanted: string): Promise<void> {
	const language = findLanguage([wanted]);
	try {
		localStorage.setItem(storageKey, language);
	} catch {
		// Without storage the choice lasts until the page is closed.
	}
	if (language === texts.language) return;
	await addTexts(language);
	await texts.changeLanguage(language);
	document.documentElement.lang = language;
}

const loaded = new Map<string, Promise<void>>();

/** Loads the needed bundles of a language, each once. */
async function addTexts(language: Language): Promise<void> {
	const add = (bundle: 'core' | 'pages') => {
		const key = `${language} ${bundle}`;
		const added = loaded.get(key) ?? addBundle(language, bundle);
		loaded.set(key, added);
		return added;
	};
	await Promise.all([add('core'), arePagesNeeded && add('pages')]);
}

async function addBundle(language: Language, bundle: 'core' | 'pages'): Promise<void> {
	try {
		texts.addResourceBundle(language, 'translation', await languages[language][bundle](), true, true);
	} catch (error) {
		// A file that failed to load is requested again when it is next needed.
		loaded.delete(`${language} ${bundle}`);
		throw error;
	}
}

/** The first requested language that exists: `de-AT` matches `de`. */
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

function read(): string | null {
	try {
		return localStorage.getItem(storageKey);
	} catch {
		return null;
	}
}

if (import.meta.hot) {
	import.meta.hot.data.texts = texts;
	import.meta.hot.accept();
	if (texts.isInitialized)
		void loadPageTexts().then(() => {
			texts.emit('languageChanged', texts.language);
		});
}

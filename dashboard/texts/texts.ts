import { createInstance } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { core } from './en/core.ts';
import type { en } from './en/en.ts';

/**
 * The languages there are, in their own words. What the statistics page says comes first, the rest with the pages that say
 * it; of English the first half is always there.
 */
export const languages = {
	en: {
		name: 'English',
		core: async () => core,
		rooms: async () => (await import('./en/rooms.ts')).rooms,
	},
	de: {
		name: 'Deutsch',
		core: async () => (await import('./de/core.ts')).core,
		rooms: async () => (await import('./de/rooms.ts')).rooms,
	},
	fr: {
		name: 'Français',
		core: async () => (await import('./fr/core.ts')).core,
		rooms: async () => (await import('./fr/rooms.ts')).rooms,
	},
	es: {
		name: 'Español',
		core: async () => (await import('./es/core.ts')).core,
		rooms: async () => (await import('./es/rooms.ts')).rooms,
	},
	zh: {
		name: '简体中文',
		core: async () => (await import('./zh/core.ts')).core,
		rooms: async () => (await import('./zh/rooms.ts')).rooms,
	},
	ja: {
		name: '日本語',
		core: async () => (await import('./ja/core.ts')).core,
		rooms: async () => (await import('./ja/rooms.ts')).rooms,
	},
	pl: {
		name: 'Polski',
		core: async () => (await import('./pl/core.ts')).core,
		rooms: async () => (await import('./pl/rooms.ts')).rooms,
	},
	pt: {
		name: 'Português (Brasil)',
		core: async () => (await import('./pt/core.ts')).core,
		rooms: async () => (await import('./pt/rooms.ts')).rooms,
	},
	it: {
		name: 'Italiano',
		core: async () => (await import('./it/core.ts')).core,
		rooms: async () => (await import('./it/rooms.ts')).rooms,
	},
} as const satisfies Record<
	string,
	{ name: string; core(): Promise<CoreTexts>; rooms(): Promise<RoomTexts> }
>;

export type Language = keyof typeof languages;

/** Every language has each text of the English one. */
export type Texts = TextsLike<typeof en>;
type CoreTexts = Pick<Texts, keyof typeof core>;
type RoomTexts = Omit<Texts, keyof typeof core>;
type TextsLike<T> = {
	readonly [K in keyof T]: T[K] extends string ? string : TextsLike<T[K]>;
} & MorePlurals<T>;
/** Forms that English lacks, as Polish has them, beside those it has. */
type MorePlurals<T> = {
	readonly [K in keyof T as K extends `${infer Base}_other`
		? `${Base}_few` | `${Base}_many`
		: never]?: string;
};

const storedAs = 'tidemark-language';
const texts = createInstance();

/** Whether a page was opened that says more than the first half. */
let areRoomsWanted = false;

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

/** For a page that says more than the statistics page does: before it is shown. */
export async function loadRooms(): Promise<void> {
	areRoomsWanted = true;
	await addTexts(findLanguage([texts.language]));
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
	await addTexts(language);
	await texts.changeLanguage(language);
	document.documentElement.lang = language;
}

const halves = new Map<string, Promise<void>>();

/** What is wanted of a language, each half once. */
async function addTexts(language: Language): Promise<void> {
	const add = (half: 'core' | 'rooms') => {
		const key = `${language} ${half}`;
		const added = halves.get(key) ?? addHalf(language, half);
		halves.set(key, added);
		return added;
	};
	await Promise.all([add('core'), areRoomsWanted && add('rooms')]);
}

async function addHalf(language: Language, half: 'core' | 'rooms'): Promise<void> {
	try {
		texts.addResourceBundle(language, 'translation', await languages[language][half](), true, true);
	} catch (error) {
		// A file that could not be had is asked for again when it is next wanted.
		halves.delete(`${language} ${half}`);
		throw error;
	}
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

function read(): string | null {
	try {
		return localStorage.getItem(storedAs);
	} catch {
		return null;
	}
}

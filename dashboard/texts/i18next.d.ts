import type { en } from './en/en.ts';

// Keys are checked by the compiler: a text that is not there does not build.
declare module 'i18next' {
	// biome-ignore lint/style/useConsistentTypeDefinitions: only an interface can be added to
	interface CustomTypeOptions {
		resources: { translation: typeof en };
		returnNull: false;
	}
}

import type { en } from './en/en.ts';

// Makes the compiler check text keys.
declare module 'i18next' {
	// biome-ignore lint/style/useConsistentTypeDefinitions: only an interface can be added to
	interface CustomTypeOptions {
		resources: { translation: typeof en };
		returnNull: false;
	}
}

import type { Texts } from '../texts.ts';

export const signIn: Texts['signIn'] = {
	title: 'Anmelden',
};

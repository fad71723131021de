import type { Texts } from '../texts.ts';

export const people: Texts['people'] = {
	title: 'Personen',
};

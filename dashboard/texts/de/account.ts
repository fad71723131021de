import type { Texts } from '../texts.ts';

export const account: Texts['account'] = {
	title: 'Konto',
};

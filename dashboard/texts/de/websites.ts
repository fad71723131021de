import type { Texts } from '../texts.ts';

export const websites: Texts['websites'] = {
	title: 'Websites',
};

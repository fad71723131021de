import { keptToken } from '../../kept-token.ts';

export const {
	read: readInvitation,
	keep: keepInvitation,
	forget: forgetInvitation,
} = keptToken('tidemark-invitation');

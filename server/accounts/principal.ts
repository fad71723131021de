import type { Access } from './keys.ts';

/** The caller of a request. */
export type Principal =
	| { kind: 'nobody' }
	| AccountPrincipal
	| { kind: 'key'; accountId: number; keyId: number; access: Access; websiteIds: readonly number[] | null }
	| { kind: 'share'; websiteId: number };

/** `isOperator` is set only where it matters. It gives no permission on websites of others. */
export type AccountPrincipal = { kind: 'account'; accountId: number; isOperator?: boolean };

import type { Access } from './keys.ts';

/** Who asks. Exactly one of four; there is no principal with half of an identity. */
export type Principal =
	| { kind: 'nobody' }
	/** `isOperator` is looked up where it matters, and gives no right on anybody's websites. */
	| { kind: 'account'; accountId: number; isOperator?: boolean }
	| { kind: 'key'; accountId: number; keyId: number; access: Access; websiteIds: readonly number[] | null }
	| { kind: 'share'; websiteId: number };

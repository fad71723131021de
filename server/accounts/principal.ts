import type { Access } from './keys.ts';

/** Who asks. Exactly one of four; there is no principal with half of an identity. */
export type Principal =
	| { kind: 'nobody' }
	| { kind: 'account'; accountId: number }
	| { kind: 'key'; accountId: number; keyId: number; access: Access; websiteIds: readonly number[] | null }
	| { kind: 'share'; websiteId: number };

import type { Access } from './keys.ts';

/** Who asks. Exactly one of four; there is no principal with half of an identity. */
export type Principal =
	| { kind: 'nobody' }
	/** `isFirst`: whoever set the service up. It is asked for where it matters, and is no right on anybody's websites. */
	| { kind: 'account'; accountId: number; isFirst?: boolean }
	| { kind: 'key'; accountId: number; keyId: number; access: Access; websiteIds: readonly number[] | null }
	| { kind: 'share'; websiteId: number };

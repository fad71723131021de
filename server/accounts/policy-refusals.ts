/** Which policies a session does not meet, and what it can still do. */
import { AppError } from '../lib/app-error.ts';
import { blockListOf, listHas } from '../lib/networks.ts';

/** `second_factor`: also by a provider that asks for one. */
export const signInRules = ['any', 'second_factor', 'provider'] as const;
export type SignInRule = (typeof signInRules)[number];

export type PolicyCode = 'network_not_allowed' | 'provider_required' | 'second_factor_required';

/** `accountId` is null for the policy of the service, which holds in every account. */
export type Refusal = { accountId: number | null; code: PolicyCode };

export type AppliedPolicy = { accountId: number | null; signIn: SignInRule; networks: string[] | null };

/** How a session was opened. */
export type SignInMethod = {
	/** With a second factor: of the person, or of a provider that asks for one. */
	hasSecondFactor: boolean;
	/** The provider of OpenID Connect, if it was opened with one. */
	providerId: number | null;
};

export const isInNetworks = (networks: readonly string[], address: string): boolean =>
	listHas(blockListOf(networks), address);

/** At most one refusal for each policy: the first that must be resolved. */
export function findRefusals(
	policies: readonly AppliedPolicy[],
	{ hasSecondFactor, providerId, address }: SignInMethod & { address: string },
): Refusal[] {
	const codeOf = ({ signIn, networks }: AppliedPolicy): PolicyCode | undefined => {
		if (networks && !isInNetworks(networks, address)) return 'network_not_allowed';
		if (signIn === 'provider' && providerId === null) return 'provider_required';
		return signIn === 'second_factor' && !hasSecondFactor ? 'second_factor_required' : undefined;
	};
	return policies.flatMap((policy) => {
		const code = codeOf(policy);
		return code === undefined ? [] : [{ accountId: policy.accountId, code }];
	});
}

/** Those of the service and of these accounts. */
export const refusalsIn = (
	refusals: readonly Refusal[] | undefined,
	accountIds: readonly number[],
): readonly Refusal[] =>
	(refusals ?? []).filter(({ accountId }) => accountId === null || accountIds.includes(accountId));

const messages: Record<PolicyCode, string> = {
	network_not_allowed:
		'This network is not allowed. Ask an owner of the account, or the operator of this service.',
	provider_required:
		'This account requires sign-in with an identity provider. Sign out, and sign in with it.',
	second_factor_required:
		'This account requires a second factor. Set one up in your account, or sign in with the one that you have.',
};

export const policyError = (code: PolicyCode): AppError => new AppError(code, messages[code]);

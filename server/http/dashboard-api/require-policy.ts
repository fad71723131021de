import { readPolicy } from '../../accounts/policies.ts';
import { isInNetworks, policyError, type Refusal, refusalsIn } from '../../accounts/policy-refusals.ts';
import type { Session } from '../../accounts/sessions.ts';
import { readSecondFactors } from '../../accounts/two-factor.ts';
import { listLinkedProviders } from '../../oidc/identities.ts';
import type { Queries } from '../../store/postgres.ts';
import type { SessionRoute, SessionServices } from './session-route.ts';

/**
 * The only place that decides what a session can reach here that does not meet a policy of the service or of the account that it works in.
 * For websites, `authorize` decides.
 */
export async function requirePolicy(
	route: SessionRoute,
	{ session, address }: { session: Session | undefined; address: string },
	services: SessionServices,
): Promise<void> {
	if (route.reach === 'always') return;
	const refusals = session
		? refusalsIn(session.refusals, [session.accountId])
		: await refusalsOfService(services.postgres, address);
	const refusal = refusals.find((candidate) => !isReachable(route, candidate));
	if (refusal) throw policyError(refusal.code);
	if (session) await requireKnownFactor(route, session, services);
}

/** Of a request without a session. */
async function refusalsOfService(postgres: Queries, address: string): Promise<Refusal[]> {
	const { networks } = await readPolicy(postgres, null);
	return networks && !isInNetworks(networks, address)
		? [{ accountId: null, code: 'network_not_allowed' }]
		: [];
}

function isReachable({ reach, isPublic }: SessionRoute, { accountId, code }: Refusal): boolean {
	// Nobody signs in from a network that the service does not allow.
	if (accountId === null && code === 'network_not_allowed') return false;
	if (isPublic || reach === 'own') return true;
	if (code === 'second_factor_required') return reach === 'factors';
	return code === 'provider_required' && reach === 'providers';
}

/**
 * Whoever only knows the password of someone must not be able to add a second factor or a provider of their own, in order to meet a
 * policy, if the person has one already. This holds in every account that the session can work in.
 */
async function requireKnownFactor(
	{ reach, methods }: SessionRoute,
	{ personId, policies, hasSecondFactor, providerId }: Session,
	{ postgres, passkeys }: SessionServices,
): Promise<void> {
	if ((reach !== 'factors' && reach !== 'providers') || methods[0] === 'GET') return;
	if (!hasSecondFactor && policies.some(({ signIn }) => signIn === 'second_factor')) {
		const rpId = passkeys.relyingParty().id;
		const factors = await readSecondFactors(postgres, { personId, rpId });
		if (factors.isRequired || factors.passkeys > 0) throw policyError('second_factor_required');
	}
	if (reach === 'providers' && providerId === null && policies.some(({ signIn }) => signIn === 'provider')) {
		const providers = await listLinkedProviders(postgres, personId);
		if (providers.some(({ linkedAt }) => linkedAt !== null)) throw policyError('provider_required');
	}
}

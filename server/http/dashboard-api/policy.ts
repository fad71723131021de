import { type AccountPolicyRecord, type PolicyRecord, policyBody } from '../../../api/policy.ts';
import { requirePermission } from '../../accounts/authorize.ts';
import { holdOwnership } from '../../accounts/owners.ts';
import { type Policy, readPolicy, savePolicy } from '../../accounts/policies.ts';
import { findRefusals, type PolicyCode } from '../../accounts/policy-refusals.ts';
import { requireProof } from '../../accounts/sign-in.ts';
import { invalid } from '../../lib/app-error.ts';
import { json } from '../api/route.ts';
import {
	parseProven,
	type SessionRequest,
	type SessionResponse,
	type SessionRoute,
	type SessionServices,
} from './session-route.ts';

const toRecord = ({ signIn, idleMinutes, sessionHours, networks }: Policy): PolicyRecord => ({
	sign_in: signIn,
	session_idle_minutes: idleMinutes,
	session_hours: sessionHours,
	networks,
});

async function showPolicy(
	{ principal, address }: SessionRequest,
	{ postgres }: SessionServices,
): Promise<SessionResponse> {
	const [own, ofService] = await Promise.all([
		readPolicy(postgres, principal.accountId),
		readPolicy(postgres, null),
	]);
	const { networks, ...service } = toRecord(ofService);
	const record: AccountPolicyRecord = {
		policy: toRecord(own),
		service: { ...service, has_networks: networks !== null },
		address,
	};
	return json(200, { data: record });
}

/** What would lock out the person who saves it, as errors of fields. */
function lockoutOf(policy: Policy, { session, address }: SessionRequest): Record<string, string[]> {
	const [refusal] = findRefusals([{ accountId: null, ...policy }], { ...session, address });
	const errors: Record<PolicyCode, Record<string, string[]>> = {
		network_not_allowed: {
			networks: [
				`Your address ${address} is not in this list. Add it, so that you do not lock yourself out.`,
			],
		},
		provider_required: {
			sign_in: ['Sign in with your identity provider first, so that you do not lock yourself out.'],
		},
		second_factor_required: {
			sign_in: [
				'Turn on two-factor authentication or sign in with a passkey first, so that you do not lock yourself out.',
			],
		},
	};
	return refusal ? errors[refusal.code] : {};
}

async function changePolicy(call: SessionRequest, services: SessionServices): Promise<SessionResponse> {
	const { postgres, now, forgetKeys } = services;
	const { principal } = call;
	requirePermission(principal, 'account.change');
	const { values, proof } = parseProven(policyBody, call);
	const policy: Policy = {
		signIn: values.sign_in,
		idleMinutes: values.session_idle_minutes,
		sessionHours: values.session_hours,
		networks: values.networks,
	};
	await requireProof(services, principal.personId, proof);
	await postgres.transaction(async (tx) => {
		await holdOwnership(tx, principal);
		await savePolicy(tx, now, principal.accountId, policy);
		const lockout = lockoutOf(policy, call);
		if (Object.keys(lockout).length > 0) throw invalid(lockout);
	});
	forgetKeys();
	return showPolicy(call, services);
}

/** What an account requires of people who work with its websites. */
export const policyRoutes: readonly SessionRoute[] = [
	{
		methods: ['GET'],
		path: '/policy',
		handle: async (call, services) => {
			requirePermission(call.principal, 'account.read');
			return showPolicy(call, services);
		},
	},
	{ methods: ['PUT'], path: '/policy', operation: 'changePolicy', handle: changePolicy },
];

/** The calls of api-client.ts that are about the policy of an account. */
import type { AccountPolicyRecord, PolicyRecord } from '../api/policy.ts';
import { get, type Proof, send } from './api-client.ts';

export type { AccountPolicyRecord, PolicyRecord };

export const policyKey = ['policy'] as const;

export const policy = {
	get: () => get<AccountPolicyRecord>('/policy'),
	change: (body: PolicyRecord & Proof) => send<AccountPolicyRecord>('PUT', '/policy', body),
};

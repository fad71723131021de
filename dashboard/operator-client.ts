/** The calls of api-client.ts that only the pages of the operator, and signing up, need. */
import type {
	CreatedAccount,
	OperatedAccount,
	OperatorEntryRecord,
	SignUpPolicyRecord,
} from '../api/operator.ts';
import { call, type Fields, get, type List, type Parameters, type Proof, send } from './api-client.ts';

export type { OperatedAccount, OperatorEntryRecord, SignUpPolicyRecord };

export const operator = {
	accounts: (query: Parameters) => call<List<OperatedAccount>>('GET', '/operator/accounts', { query }),
	createAccount: (body: Fields) => send<CreatedAccount>('POST', '/operator/accounts', body),
	setLimits: (id: number, body: Fields) =>
		send<OperatedAccount>('PUT', `/operator/accounts/${id}/limits`, body),
	disable: (id: number, proof: Proof) =>
		send<OperatedAccount>('POST', `/operator/accounts/${id}/disable`, proof),
	enable: (id: number) => send<OperatedAccount>('POST', `/operator/accounts/${id}/enable`, {}),
	deleteAccount: (id: number, proof: Proof) => send<unknown>('DELETE', `/operator/accounts/${id}`, proof),
	policy: () => get<SignUpPolicyRecord>('/operator/sign-up'),
	setPolicy: (body: Fields) => send<SignUpPolicyRecord>('PUT', '/operator/sign-up', body),
	activity: (query: Parameters) => call<List<OperatorEntryRecord>>('GET', '/operator/activity', { query }),
};

export const signUp = {
	isOpen: async () => (await get<{ is_open: boolean }>('/session/sign-up')).is_open,
	ask: (body: Fields) => send<{ mailed: boolean }>('POST', '/session/sign-up', body),
	link: (token: string) => send<{ email: string }>('POST', '/session/sign-up/link', { token }),
	create: (body: Fields) => send<{ person_id: number }>('PUT', '/session/sign-up', body),
};

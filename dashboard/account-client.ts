/** The calls of api-client.ts that only the pages of the account, and those for signing in, need. */
import type { AccountRecord } from '../api/account.ts';
import type { Branding } from '../api/branding.ts';
import type { PasskeyRecord, PasskeysRecord } from '../api/passkeys.ts';
import type {
	AddressRecord,
	BrowserRecord,
	DeletionRecord,
	PublicAddress,
	SessionRecord,
} from '../api/session.ts';
import {
	call,
	type Fields,
	get,
	type Key,
	type List,
	type Parameters,
	type Passkey,
	type Proof,
	type ShownKey,
	send,
} from './api-client.ts';

export const account = { get: () => get<AccountRecord>('/account') };

const logoPath = '/account/branding/logo';
export const branding = {
	get: () => get<Branding>('/account/branding'),
	change: (body: Fields) => send<Branding>('PUT', '/account/branding', body),
	upload: (background: 'light' | 'dark', file: Blob) =>
		call<{ data: Branding }>('PUT', logoPath, { query: { background }, file }),
	remove: (background: 'light' | 'dark') =>
		call<{ data: Branding }>('DELETE', logoPath, { query: { background } }),
};

/** What people do with their own sign-in and data. */
export const security = {
	address: () => get<AddressRecord>('/session/address'),
	signIn: (body: { email: string; password: string; code?: string; passkey?: Passkey }) =>
		send<{ person_id: number }>('POST', '/session', body),
	/** Whether there is no account yet. */
	needsSetUp: async () => (await get<{ is_needed: boolean }>('/session/set-up')).is_needed,
	setUpLink: (token: string) =>
		send<{ public_address: PublicAddress }>('POST', '/session/set-up/link', { token }),
	setUp: (body: Fields) => send<{ account_id: number }>('POST', '/session/set-up', body),
	canMail: () => get<{ can_mail: boolean }>('/session/forgotten'),
	mailReset: (email: string) => send<{ can_mail: boolean }>('POST', '/session/forgotten', { email }),
	link: (token: string) =>
		send<{ purpose: 'reset' | 'invitation'; email: string }>('POST', '/session/link', { token }),
	setPasswordByLink: (body: { token: string; password: string; revoke_keys: boolean }) =>
		send<unknown>('PUT', '/session/link', body),
	changePassword: (body: Proof & { new_password: string }) => send<unknown>('PUT', '/session/password', body),
	changePerson: (body: Pick<SessionRecord['person'], 'name' | 'locale' | 'week_start'>) =>
		send<SessionRecord>('PUT', '/session/person', body),
	changeAccount: (body: Pick<SessionRecord['account'], 'name' | 'timezone'>) =>
		send<SessionRecord>('PUT', '/session/account', body),
	confirmAddress: (token: string) => send<SessionRecord>('PUT', '/session/confirmation', { token }),
	askForAddress: (body: Proof & { email: string }) =>
		send<{ mailed: boolean }>('POST', '/session/address', body),
	cancelAddress: () => send<unknown>('DELETE', '/session/address'),
	planDeletion: () => get<DeletionRecord>('/session/deletion'),
	deletePerson: (accounts: readonly number[], proof: Proof) =>
		send<unknown>('DELETE', '/session/person', { ...proof, account_ids: accounts }),
	browsers: () => get<BrowserRecord[]>('/session/browsers'),
	endBrowser: (id: number) => send<unknown>('DELETE', `/session/browsers/${id}`),
	endOtherBrowsers: () => send<unknown>('DELETE', '/session/browsers'),
	showTwoFactor: (proof: Proof) =>
		send<{ secret: string; uri: string }>('POST', '/session/two-factor', proof),
	confirmTwoFactor: (code: string) =>
		send<{ recovery_codes: string[] }>('PUT', '/session/two-factor', { code }),
	requirePasskeys: (proof: Proof) =>
		send<{ recovery_codes: string[] }>('POST', '/session/two-factor/passkeys', proof),
	removeTwoFactor: (proof: Proof) => send<unknown>('DELETE', '/session/two-factor', proof),
	renewRecoveryCodes: (proof: Proof) =>
		send<{ recovery_codes: string[] }>('POST', '/session/recovery-codes', proof),
};

export const passkeys = {
	/** Where the service accepts passkeys; null where it has none. */
	origin: async () => (await get<{ origin: string | null }>('/session/passkey')).origin,
	signInChallenge: () => send<PublicKeyCredentialRequestOptionsJSON>('POST', '/session/passkey/challenge'),
	signIn: (passkey: Passkey) => send<{ person_id: number }>('POST', '/session/passkey', { passkey }),
	list: () => get<PasskeysRecord>('/session/passkeys'),
	proofChallenge: () => send<PublicKeyCredentialRequestOptionsJSON>('POST', '/session/passkeys/challenge'),
	options: (proof: Proof) =>
		send<PublicKeyCredentialCreationOptionsJSON>('POST', '/session/passkeys/options', proof),
	add: (body: { name: string; passkey: Passkey }) => send<PasskeyRecord>('POST', '/session/passkeys', body),
	rename: (id: number, name: string) => send<PasskeyRecord>('PATCH', `/session/passkeys/${id}`, { name }),
	remove: (id: number, proof: Proof) => send<unknown>('DELETE', `/session/passkeys/${id}`, proof),
};

export const keys = {
	list: (query: Parameters = {}) => call<List<Key>>('GET', '/keys', { query }),
	create: (body: Fields) => send<ShownKey>('POST', '/keys', body),
	update: (id: number, body: Fields) => send<Key>('PUT', `/keys/${id}`, body),
	rotate: (id: number, proof: Proof) => send<ShownKey>('POST', `/keys/${id}/rotate`, proof),
	revoke: (id: number) => send<unknown>('DELETE', `/keys/${id}`),
};

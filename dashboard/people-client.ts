/** The calls of api-client.ts that are about members, invitations and transfers. */
import type { ActivityEntryRecord } from '../api/activity.ts';
import type {
	InvitedRole,
	JoinRecord,
	MemberRole,
	MembershipRecord,
	OfferRecord,
	PeopleRecord,
	ReceivedOfferRecord,
	RoleRecord,
	ShownInvitation,
} from '../api/people.ts';
import { call, type Fields, get, type List, type Parameters, type Proof, send } from './api-client.ts';

/** Of one website, or of the whole account where none is named. */
const ofWebsite = (id: number | undefined): string => (id === undefined ? '' : `/websites/${id}`);

export const people = {
	list: (website?: number) => get<PeopleRecord>(`${ofWebsite(website)}/people`),
	invite: (website: number | undefined, body: Partial<Proof> & { role: InvitedRole; email: string }) =>
		send<ShownInvitation>('POST', `${ofWebsite(website)}/people/invitations`, body),
	withdraw: (invitation: number) => send<unknown>('DELETE', `/invitations/${invitation}`),
	changeRole: (member: number, role: MemberRole) => send<unknown>('PUT', `/members/${member}`, { role }),
	/** Also to leave. */
	remove: (member: number) => send<unknown>('DELETE', `/members/${member}`),
	makePrimaryOwner: (owner: number, proof: Proof) => send<unknown>('PUT', `/owners/${owner}/primary`, proof),
	/** Without proof only to leave. */
	removeOwner: (owner: number, proof?: Proof) => send<unknown>('DELETE', `/owners/${owner}`, proof),
	memberships: () => get<MembershipRecord[]>('/memberships'),
	/** On the websites of others. */
	roles: () => get<RoleRecord[]>('/roles'),
	invitation: (token: string) => send<JoinRecord>('POST', '/join/look', { token }),
	join: (token: string) => send<{ website_id: number | null }>('POST', '/join', { token }),
	joinAsNew: (body: Fields) => send<{ person_id: number }>('POST', '/join/account', body),
	changes: (website: number | undefined, query: Parameters) =>
		call<List<ActivityEntryRecord>>('GET', `${ofWebsite(website)}/activity`, { query }),
};

export const offers = {
	/** Recipient of a pending transfer; null: none. */
	get: (website: number) => get<OfferRecord | null>(`/websites/${website}/offer`),
	make: (website: number, body: Proof & { email: string }) =>
		send<OfferRecord>('PUT', `/websites/${website}/offer`, body),
	withdraw: (website: number) => send<unknown>('DELETE', `/websites/${website}/offer`),
	received: () => get<ReceivedOfferRecord[]>('/offers'),
	accept: (website: number) => send<{ website_id: number }>('POST', `/offers/${website}/accept`),
	decline: (website: number) => send<unknown>('DELETE', `/offers/${website}`),
};

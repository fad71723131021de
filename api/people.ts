import { z } from 'zod';
import { pageParameters } from './envelopes.ts';
import { shortText } from './fields.ts';
import { newPassword } from './session.ts';

/** What the dashboard says and hears of members, invitations, moved websites and changes; it is not for programs. */
export const memberRoles = ['viewer', 'editor', 'admin'] as const;

const role = z.enum(memberRoles, { error: `The role field must be one of: ${memberRoles.join(', ')}.` });
export const email = shortText('email', 254).refine(
	(address) => z.email().safeParse(address).success,
	'This is not an email address.',
);
const token = shortText('token', 100);

const invitedRoles = [...memberRoles, 'owner'] as const;

/** Inviting an owner also needs a proof, because an owner can do everything that the inviter can. */
export const inviteBody = z.object({
	role: z.enum(invitedRoles, { error: `The role field must be one of: ${invitedRoles.join(', ')}.` }),
	email: z.preprocess((input) => (input === '' || input === null ? undefined : input), email.optional()),
});

export const changeRoleBody = z.object({ role });

export const joinBody = z.object({ token });

export const joinAsNewBody = z.object({
	token,
	name: shortText('name', 200),
	email: shortText('email', 254).optional(),
	password: newPassword,
	locale: shortText('locale', 40).optional(),
	timezone: shortText('timezone', 60).optional(),
});

/** With a proof: a website that was given away does not come back. */
export const offerBody = z.object({ email });

export const listChangesQuery = z.object(pageParameters);

export type MemberRole = (typeof memberRoles)[number];
export type InvitedRole = (typeof invitedRoles)[number];

export type PersonRecord = { name: string; email: string };

/** `of`: what the role holds for; `website` is this one alone, `account` all of the owner's. */
export type MemberRecord = {
	id: number;
	person: PersonRecord;
	role: MemberRole;
	of: 'website' | 'account';
	created_at: string;
};

export type InvitationRecord = {
	id: number;
	role: InvitedRole;
	/** null: anyone with the link can accept. */
	email: string | null;
	invited_by: string;
	created_at: string;
	expires_at: string;
};

/** `link` is shown this once; `mailed`: it was also mailed to the address. */
export type ShownInvitation = InvitationRecord & { link: string; mailed: boolean };

/** The primary owner's address is the address of the account. */
export type OwnerRecord = { id: number; person: PersonRecord; is_primary: boolean; created_at: string };

/** Who may see or change a website, or all websites of an account. The primary owner comes first. */
export type PeopleRecord = {
	owners: OwnerRecord[];
	members: MemberRecord[];
	invitations: InvitationRecord[];
};

/** What an invitation shows before it is accepted. */
export type JoinRecord = {
	role: InvitedRole;
	invited_by: string;
	owner: string;
	/** null: all websites of the owner. */
	website: { id: number; domain: string } | null;
	email: string | null;
	expires_at: string;
};

/** Where a person is a member. */
export type MembershipRecord = {
	id: number;
	owner: PersonRecord;
	website: { id: number; domain: string } | null;
	role: MemberRole;
};

/** The role on a website of another account. */
export type RoleRecord = { website_id: number; role: MemberRole; owner: PersonRecord };

/** A pending transfer of a website. */
export type OfferRecord = { website_id: number; domain: string; email: string; offered_at: string };
export type ReceivedOfferRecord = {
	website_id: number;
	domain: string;
	from: PersonRecord;
	offered_at: string;
};

/** `by` is null for what the operator did at the command line. What is gone since has no name any more. */
export type ChangeRecord = {
	id: number;
	at: string;
	what: string;
	by: { person_id: number; name: string | null; email: string | null } | null;
	key: { id: number; name: string | null } | null;
	website: { id: number; domain: string | null } | null;
	/** Whom it was done to: a member. */
	subject: { person_id: number; name: string | null } | null;
};

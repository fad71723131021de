import { z } from 'zod';
import { pageParameters } from './envelopes.ts';
import { shortText } from './fields.ts';
import { newPassword, proofBody } from './session.ts';

/** What the dashboard says and hears of members, invitations, moved websites and changes; it is not for programs. */
export const memberRoles = ['viewer', 'editor', 'admin'] as const;

const role = z.enum(memberRoles, { error: `The role field must be one of: ${memberRoles.join(', ')}.` });
export const email = shortText('email', 254).refine(
	(address) => z.email().safeParse(address).success,
	'This is not an email address.',
);
const token = shortText('token', 100);

export const inviteBody = z.object({
	role,
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

/** A website that was given away does not come back: a session must prove who it is. */
export const offerBody = proofBody.extend({ email });

export const listChangesQuery = z.object(pageParameters);

export type MemberRole = (typeof memberRoles)[number];

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
	role: MemberRole;
	/** null: anyone with the link can accept. */
	email: string | null;
	invited_by: string;
	created_at: string;
	expires_at: string;
};

/** `link` is shown this once; `mailed`: it was also mailed to the address. */
export type ShownInvitation = InvitationRecord & { link: string; mailed: boolean };

/** Who may see or change a website, or all websites of an account. */
export type PeopleRecord = {
	owner: PersonRecord;
	members: MemberRecord[];
	invitations: InvitationRecord[];
};

/** What an invitation shows before it is accepted. */
export type JoinRecord = {
	role: MemberRole;
	invited_by: string;
	owner: string;
	/** null: all websites of the owner. */
	website: { id: number; domain: string } | null;
	email: string | null;
	expires_at: string;
};

/** Where an account is a member. */
export type MembershipRecord = {
	id: number;
	owner: PersonRecord;
	website: { id: number; domain: string } | null;
	role: MemberRole;
};

/** The account's role on a website of another account. */
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
	by: { account_id: number; name: string | null; email: string | null } | null;
	key: { id: number; name: string | null } | null;
	website: { id: number; domain: string | null } | null;
	/** Whom it was done to: a member. */
	subject: { account_id: number; name: string | null } | null;
};

import { z } from 'zod';
import { deleted } from './envelopes.ts';
import { shortText } from './fields.ts';
import { newPassword } from './session.ts';

export const memberRoles = ['viewer', 'editor', 'admin'] as const;

const role = z.enum(memberRoles, { error: `The role field must be one of: ${memberRoles.join(', ')}.` });
export const email = shortText('email', 254).refine(
	(address) => z.email().safeParse(address).success,
	'This is not an email address.',
);
const token = shortText('token', 100);

const invitedRoles = [...memberRoles, 'owner'] as const;

/** Only a session can invite an owner, with a proof, because an owner can do everything that the inviter can. */
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

export type MemberRole = (typeof memberRoles)[number];
export type InvitedRole = (typeof invitedRoles)[number];

const id = z.int().positive();
const time = z.iso.datetime({ precision: 3 });
const person = z.object({ name: z.string(), email: z.string() });

export const memberRecord = z
	.object({
		id: id.meta({ description: 'Id of the membership, not of the person.' }),
		person,
		role,
		of: z.enum(['website', 'account']).meta({
			description: 'What the role is for: `website`, this one alone, or `account`, all of its websites.',
		}),
		created_at: time,
	})
	.meta({ id: 'Member' });

export const invitationRecord = z
	.object({
		id,
		role: z.enum(invitedRoles),
		email: z
			.string()
			.nullable()
			.meta({ description: 'The only address that can accept. Null: anyone with the link.' }),
		invited_by: z
			.string()
			.meta({ description: 'The name of a person, or of the account if an API key invited.' }),
		created_at: time,
		expires_at: time,
	})
	.meta({ id: 'Invitation' });

export const shownInvitation = invitationRecord
	.extend({
		link: z.string().meta({ description: 'Shown only in this response.' }),
		mailed: z.boolean().meta({ description: 'Whether another link was mailed to `email`.' }),
	})
	.meta({ id: 'ShownInvitation' });

export const ownerRecord = z
	.object({
		id: id.meta({ description: 'Id of the person.' }),
		person,
		is_primary: z.boolean().meta({ description: 'Their email address is that of the account.' }),
		created_at: time,
	})
	.meta({ id: 'Owner' });

export const peopleRecord = z
	.object({
		owners: z.array(ownerRecord).meta({ description: 'The primary owner first.' }),
		members: z.array(memberRecord),
		invitations: z.array(invitationRecord).meta({ description: 'Open invitations, newest first.' }),
	})
	.meta({ id: 'People' });

export const deletedMember = deleted('member', 'DeletedMember');
export const deletedInvitation = deleted('invitation', 'DeletedInvitation');

export type PersonRecord = z.output<typeof person>;
export type MemberRecord = z.output<typeof memberRecord>;
export type InvitationRecord = z.output<typeof invitationRecord>;
export type ShownInvitation = z.output<typeof shownInvitation>;
export type OwnerRecord = z.output<typeof ownerRecord>;
export type PeopleRecord = z.output<typeof peopleRecord>;

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
export const offerRecord = z
	.object({ website_id: id, domain: z.string(), email: z.string(), offered_at: time })
	.meta({ id: 'Offer' });
export const deletedOffer = deleted('offer', 'DeletedOffer');
export type OfferRecord = z.output<typeof offerRecord>;
export type ReceivedOfferRecord = {
	website_id: number;
	domain: string;
	from: PersonRecord;
	offered_at: string;
};

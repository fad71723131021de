/**
 * An invitation is a link that makes one person a member or an owner, within seven days. The link is shown once, and only its digest is
 * stored. It stops working when the inviter, a person or an API key, loses the permission to invite. A mailed invitation has a second token that is
 * only in the mail, so using it confirms the address.
 */
import type { InvitedRole } from '../../api/people.ts';
import { authorize, notFound } from '../accounts/authorize.ts';
import { confirmAddress } from '../accounts/confirmation.ts';
import { scopesMissingFor } from '../accounts/key-limits.ts';
import { digestOf, findKey, makeToken } from '../accounts/keys.ts';
import { addOwner, isOwner } from '../accounts/owners.ts';
import { canSignIn } from '../accounts/people.ts';
import type { Principal } from '../accounts/principal.ts';
import { AppError, invalid } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import type { Postgres, Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import { addMember, requireRoleToGive, requireScope, type Scope } from './members.ts';

const lifetimeMs = 7 * 86_400_000;
/** Keeps the list of invitations readable. */
const maxInvitations = 100;

export type Invitation = {
	id: number;
	role: InvitedRole;
	email: string | null;
	/** The name of the person, or of the account if an API key invited. */
	invitedBy: string;
	createdAt: Date;
	expiresAt: Date;
};

const invitedBy = sql`coalesce(
	(SELECT name FROM people WHERE people.id = i.invited_by), (SELECT name FROM accounts WHERE accounts.id = i.owner_id))`;

const columns = sql`i.id, i.role, i.email, ${invitedBy} AS "invitedBy", i.created_at AS "createdAt", i.expires_at AS "expiresAt"`;

/** Runs in the transaction that creates an invitation. */
export async function invite(
	tx: Queries,
	now: Clock,
	principal: Principal,
	fields: { websiteId: number | null; role: InvitedRole; email: string | undefined; isMailed: boolean },
): Promise<{ invitation: Invitation; token: string; mailedToken: string | undefined; scope: Scope }> {
	const token = makeToken();
	const mailedToken = fields.isMailed ? makeToken() : undefined;
	const moment = now();
	const scope = await requireScope(tx, principal, fields.websiteId, 'change');
	requireRoleToGive(principal, fields.role);
	// The lock serializes the invitations of an owner, so that two at once cannot exceed the limit.
	await tx.run(sql`SELECT 1 FROM accounts WHERE id = ${value(scope.ownerId)} FOR NO KEY UPDATE`);
	await tx.run(sql`DELETE FROM invitations WHERE expires_at <= ${value(moment)}`);
	const [held] = await tx.rows<{ count: number }>(
		sql`SELECT count(*) AS count FROM invitations WHERE owner_id = ${value(scope.ownerId)}`,
	);
	if ((held?.count ?? 0) >= maxInvitations)
		throw new AppError(
			'limit_reached',
			`There are already ${maxInvitations} open invitations. Withdraw one first.`,
		);
	const [invitation] = await tx.rows<Invitation>(sql`
		WITH i AS (
			INSERT INTO invitations (digest, mailed_digest, owner_id, website_id, role, email, invited_by, key_id, created_at, expires_at)
			VALUES (${value(digestOf(token))}, ${value(mailedToken === undefined ? null : digestOf(mailedToken))}, ${value(scope.ownerId)}, ${value(scope.websiteId)}, ${value(fields.role)},
				${value(fields.email ?? null)}, ${value(principal.kind === 'person' ? principal.personId : null)},
				${value(principal.kind === 'key' ? principal.keyId : null)}, ${value(moment)},
				${value(new Date(moment.getTime() + lifetimeMs))})
			RETURNING *
		)
		SELECT ${columns} FROM i`);
	if (!invitation) throw notFound();
	return { invitation, token, mailedToken, scope };
}

/** The open invitations to this website, or with null to the whole account. */
export function listInvitations(
	postgres: Queries,
	now: Clock,
	{ ownerId, websiteId }: Scope,
): Promise<Invitation[]> {
	return postgres.rows<Invitation>(sql`
		SELECT ${columns} FROM invitations i
		WHERE i.owner_id = ${value(ownerId)} AND i.website_id IS NOT DISTINCT FROM ${value(websiteId)}::bigint
			AND i.expires_at > ${value(now())}
		ORDER BY i.id DESC`);
}

export async function withdrawInvitation(
	postgres: Postgres,
	principal: Principal,
	id: number,
): Promise<Scope> {
	return postgres.transaction(async (tx) => {
		const [scope] = await tx.rows<Scope>(sql`
			SELECT owner_id AS "ownerId", website_id AS "websiteId" FROM invitations WHERE id = ${value(id)} FOR UPDATE`);
		if (!scope) throw notFound();
		const { ownerId } = await requireScope(tx, principal, scope.websiteId, 'change');
		if (ownerId !== scope.ownerId) throw notFound();
		await tx.run(sql`DELETE FROM invitations WHERE id = ${value(id)}`);
		return scope;
	});
}

export type OpenInvitation = Scope & {
	id: number;
	role: InvitedRole;
	email: string | null;
	invitedBy: string;
	ownerName: string;
	domain: string | null;
	/** Whether this link was only in the mail to `email`. */
	provesAddress: boolean;
	expiresAt: Date;
};

const deadLink = () =>
	new AppError('link_dead', 'This invitation was used, has expired, or was withdrawn. Ask for a new one.');

/** The inviter can sign in, and owns the account, or is an admin of the website or of the whole account. A key is asked about by `mayKeyInvite`. */
const stillMayInvite = sql`(
	i.key_id IS NOT NULL
	OR ${canSignIn(sql`i.invited_by`)} AND (
		EXISTS (SELECT 1 FROM account_owners a WHERE a.account_id = i.owner_id AND a.person_id = i.invited_by)
		OR i.website_id IS NOT NULL AND EXISTS (
			SELECT 1 FROM members m WHERE m.owner_id = i.owner_id AND m.member_id = i.invited_by AND m.role = 'admin'
				AND (m.website_id IS NULL OR m.website_id = i.website_id))))`;

/** Whether the key that invited could still invite like this. */
async function mayKeyInvite(
	queries: Queries,
	now: Clock,
	{ ownerId, websiteId, role, keyId }: Scope & { role: InvitedRole; keyId: number },
): Promise<boolean> {
	const key = await findKey(queries, { accountId: ownerId, id: keyId });
	if (!key || role === 'owner' || (key.expiresAt !== null && key.expiresAt <= now())) return false;
	const principal: Principal = { kind: 'key', ...key, keyId };
	const decision =
		websiteId === null
			? authorize(principal, 'people.change')
			: authorize(principal, 'members.change', { id: websiteId, accountId: ownerId, role: null });
	return decision === 'allowed' && scopesMissingFor(role, key).length === 0;
}

/** The invitation of a token, without using it. */
export async function getInvitation(queries: Queries, now: Clock, token: string): Promise<OpenInvitation> {
	const [found] = await queries.rows<OpenInvitation & { keyId: number | null }>(sql`
		SELECT i.id, i.owner_id AS "ownerId", i.website_id AS "websiteId", i.role, i.email, ${invitedBy} AS "invitedBy",
			i.key_id AS "keyId",
			o.name AS "ownerName", w.domain, i.expires_at AS "expiresAt",
			coalesce(i.mailed_digest = ${value(digestOf(token))}, false) AS "provesAddress"
		FROM invitations i
		JOIN accounts o ON o.id = i.owner_id AND o.disabled_at IS NULL
		LEFT JOIN websites w ON w.id = i.website_id
		WHERE ${stillMayInvite} AND (i.digest = ${value(digestOf(token))} OR i.mailed_digest = ${value(digestOf(token))}) AND i.expires_at > ${value(now())}`);
	if (!found) throw deadLink();
	const { keyId, ...invitation } = found;
	if (keyId !== null && !(await mayKeyInvite(queries, now, { ...invitation, keyId }))) throw deadLink();
	return invitation;
}

/** Uses the invitation. Of two concurrent uses, one succeeds. */
export async function acceptInvitation(
	tx: Queries,
	now: Clock,
	token: string,
	person: { id: number; email: string },
): Promise<Scope & { role: InvitedRole }> {
	const invitation = await getInvitation(tx, now, token);
	if (await isOwner(tx, { accountId: invitation.ownerId, personId: person.id }))
		throw invalid({ token: ['This invitation is for your own websites. Send it to another person.'] });
	if (invitation.email !== null && invitation.email.toLowerCase() !== person.email.toLowerCase())
		throw new AppError('forbidden', `This invitation is for ${invitation.email}.`);
	const taken = await tx.run(sql`DELETE FROM invitations WHERE id = ${value(invitation.id)}`);
	if (taken === 0) throw deadLink();
	if (invitation.provesAddress) await confirmAddress(tx, now, person.id);
	const { ownerId, role } = invitation;
	if (role === 'owner') await addOwner(tx, now, { accountId: ownerId, personId: person.id });
	else await addMember(tx, now, { ...invitation, role, memberId: person.id });
	return invitation;
}

/**
 * An invitation is a link that makes whoever opens it a member, once and within seven days. It is shown when it is made;
 * what is stored is its digest. It is worth something only as long as whoever made it could make it again. An invitation that is
 * mailed has a second token, which is in the mail alone: whoever uses that one has proven the address.
 */
import { randomBytes } from 'node:crypto';
import type { MemberRole } from '../../api/people.ts';
import { notFound } from '../accounts/authorize.ts';
import { confirmAddress } from '../accounts/confirmation.ts';
import { digestOf } from '../accounts/keys.ts';
import type { AccountPrincipal } from '../accounts/principal.ts';
import { AppError, invalid } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import type { Postgres, Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import { addMember, requireScope, type Scope } from './members.ts';

const lifetimeMs = 7 * 86_400_000;
/** What a person can still look through. */
const maxInvitations = 100;

export type Invitation = {
	id: number;
	role: MemberRole;
	email: string | null;
	invitedBy: string;
	createdAt: Date;
	expiresAt: Date;
};

const columns = sql`i.id, i.role, i.email, b.name AS "invitedBy", i.created_at AS "createdAt", i.expires_at AS "expiresAt"`;

const makeToken = () => randomBytes(32).toString('base64url');

export async function invite(
	postgres: Postgres,
	now: Clock,
	principal: AccountPrincipal,
	fields: { websiteId: number | null; role: MemberRole; email: string | undefined; isMailed: boolean },
): Promise<{ invitation: Invitation; token: string; mailedToken: string | undefined; scope: Scope }> {
	const token = makeToken();
	const mailedToken = fields.isMailed ? makeToken() : undefined;
	const moment = now();
	return postgres.transaction(async (tx) => {
		const scope = await requireScope(tx, principal, fields.websiteId, 'change');
		// The lock makes those of an owner wait for each other, so that the limit cannot be passed by two at once.
		await tx.run(sql`SELECT 1 FROM accounts WHERE id = ${value(scope.ownerId)} FOR NO KEY UPDATE`);
		await tx.run(sql`DELETE FROM invitations WHERE expires_at <= ${value(moment)}`);
		const [held] = await tx.rows<{ count: number }>(
			sql`SELECT count(*) AS count FROM invitations WHERE owner_id = ${value(scope.ownerId)}`,
		);
		if ((held?.count ?? 0) >= maxInvitations)
			throw new AppError(
				'limit_reached',
				`There are ${maxInvitations} open invitations; withdraw one that is not needed.`,
			);
		const [invitation] = await tx.rows<Invitation>(sql`
			WITH i AS (
				INSERT INTO invitations (digest, mailed_digest, owner_id, website_id, role, email, invited_by, created_at, expires_at)
				VALUES (${value(digestOf(token))}, ${value(mailedToken === undefined ? null : digestOf(mailedToken))}, ${value(scope.ownerId)}, ${value(scope.websiteId)}, ${value(fields.role)},
					${value(fields.email ?? null)}, ${value(principal.accountId)}, ${value(moment)},
					${value(new Date(moment.getTime() + lifetimeMs))})
				RETURNING *
			)
			SELECT ${columns} FROM i JOIN accounts b ON b.id = i.invited_by`);
		if (!invitation) throw notFound();
		return { invitation, token, mailedToken, scope };
	});
}

/** Of exactly this website, or of the account as a whole. */
export function listInvitations(
	postgres: Queries,
	now: Clock,
	{ ownerId, websiteId }: Scope,
): Promise<Invitation[]> {
	return postgres.rows<Invitation>(sql`
		SELECT ${columns} FROM invitations i JOIN accounts b ON b.id = i.invited_by
		WHERE i.owner_id = ${value(ownerId)} AND i.website_id IS NOT DISTINCT FROM ${value(websiteId)}::bigint
			AND i.expires_at > ${value(now())}
		ORDER BY i.id DESC`);
}

export async function withdrawInvitation(
	postgres: Postgres,
	principal: AccountPrincipal,
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
	role: MemberRole;
	email: string | null;
	invitedBy: string;
	ownerName: string;
	domain: string | null;
	/** Whether this link was in the mail to `email` alone. */
	provesAddress: boolean;
	expiresAt: Date;
};

const deadLink = () =>
	new AppError('link_dead', 'This invitation was used, has expired, or was withdrawn. Ask for another one.');

/** What an invitation is for, without using it. */
export async function getInvitation(queries: Queries, now: Clock, token: string): Promise<OpenInvitation> {
	const [invitation] = await queries.rows<OpenInvitation>(sql`
		SELECT i.id, i.owner_id AS "ownerId", i.website_id AS "websiteId", i.role, i.email, b.name AS "invitedBy",
			o.name AS "ownerName", w.domain, i.expires_at AS "expiresAt",
			coalesce(i.mailed_digest = ${value(digestOf(token))}, false) AS "provesAddress"
		FROM invitations i
		JOIN accounts b ON b.id = i.invited_by AND b.disabled_at IS NULL
		JOIN accounts o ON o.id = i.owner_id AND o.disabled_at IS NULL
		LEFT JOIN websites w ON w.id = i.website_id
		WHERE (i.digest = ${value(digestOf(token))} OR i.mailed_digest = ${value(digestOf(token))}) AND i.expires_at > ${value(now())}`);
	if (!invitation) throw deadLink();
	return invitation;
}

/** Takes the invitation: of two who use it at once, one succeeds. */
export async function acceptInvitation(
	tx: Queries,
	now: Clock,
	token: string,
	account: { id: number; email: string },
): Promise<Scope & { role: MemberRole }> {
	const invitation = await getInvitation(tx, now, token);
	if (invitation.ownerId === account.id)
		throw invalid({ token: ['This is an invitation to your own websites; send it to somebody else.'] });
	if (invitation.email !== null && invitation.email.toLowerCase() !== account.email.toLowerCase())
		throw new AppError('forbidden', `This invitation is for ${invitation.email}.`);
	const taken = await tx.run(sql`DELETE FROM invitations WHERE id = ${value(invitation.id)}`);
	if (taken === 0) throw deadLink();
	if (invitation.provesAddress) await confirmAddress(tx, now, account.id);
	await addMember(tx, now, { ...invitation, memberId: account.id });
	return invitation;
}

/** Who a person is at a provider: its issuer and the subject that it uses for them, never their email address. */
import { AppError } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import type { Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import { applyGroupRoles } from './group-roles.ts';
import { isOidcRequired } from './providers.ts';

export type Identity = { issuer: string; subject: string };

export async function findPersonByIdentity(
	queries: Queries,
	providerId: number,
	{ issuer, subject }: Identity,
): Promise<number | undefined> {
	const [row] = await queries.rows<{ personId: number }>(sql`
		SELECT person_id AS "personId" FROM oidc_identities
		WHERE provider_id = ${value(providerId)} AND issuer = ${value(issuer)} AND subject = ${value(subject)}`);
	return row?.personId;
}

/** Returns false if the identity is another person's, or the person has another identity at the provider. */
export async function linkIdentity(
	tx: Queries,
	now: Clock,
	{ providerId, personId, issuer, subject }: Identity & { providerId: number; personId: number },
): Promise<boolean> {
	// The operator has changed the issuer of the provider, so nobody can sign in with an identity of the former one.
	if ((await findPersonByIdentity(tx, providerId, { issuer, subject })) === undefined)
		await tx.run(sql`
			DELETE FROM oidc_identities
			WHERE provider_id = ${value(providerId)} AND person_id = ${value(personId)} AND issuer <> ${value(issuer)}`);
	const linked = await tx.run(sql`
		INSERT INTO oidc_identities (provider_id, issuer, subject, person_id, created_at, last_used_at)
		VALUES (${value(providerId)}, ${value(issuer)}, ${value(subject)}, ${value(personId)}, ${value(now())}, ${value(now())})
		ON CONFLICT DO NOTHING`);
	return linked > 0 || (await findPersonByIdentity(tx, providerId, { issuer, subject })) === personId;
}

export const noteUse = (tx: Queries, now: Clock, providerId: number, { issuer, subject }: Identity) =>
	tx.run(sql`
		UPDATE oidc_identities SET last_used_at = ${value(now())}
		WHERE provider_id = ${value(providerId)} AND issuer = ${value(issuer)} AND subject = ${value(subject)}`);

export type LinkedProvider = { name: string; label: string; linkedAt: Date | null; lastUsedAt: Date | null };

/** All providers, with when the person linked them. */
export function listLinkedProviders(queries: Queries, personId: number): Promise<LinkedProvider[]> {
	return queries.rows<LinkedProvider>(sql`
		SELECT p.name, p.label, i.created_at AS "linkedAt", i.last_used_at AS "lastUsedAt"
		FROM oidc_providers p LEFT JOIN oidc_identities i ON i.provider_id = p.id AND i.person_id = ${value(personId)}
		ORDER BY p.id`);
}

const hasOtherWay = async (tx: Queries, personId: number): Promise<boolean> =>
	(
		await tx.rows(sql`
			SELECT 1 FROM people WHERE id = ${value(personId)}
				AND (password_hash IS NOT NULL OR EXISTS (SELECT 1 FROM passkeys WHERE person_id = people.id))`)
	).length > 0;

/** The roles that the provider's groups gave go with it. The last way to sign in cannot be removed. */
export async function unlinkIdentity(
	tx: Queries,
	now: Clock,
	{ providerId, personId }: { providerId: number; personId: number },
): Promise<boolean> {
	// The lock keeps two requests from removing the last two ways to sign in.
	await tx.run(sql`SELECT 1 FROM people WHERE id = ${value(personId)} FOR UPDATE`);
	const held = await tx.rows<{ providerId: number }>(sql`
		SELECT provider_id AS "providerId" FROM oidc_identities WHERE person_id = ${value(personId)}`);
	if (!held.some((identity) => identity.providerId === providerId)) return false;
	if (held.length === 1 && ((await isOidcRequired(tx)) || !(await hasOtherWay(tx, personId))))
		throw new AppError(
			'forbidden',
			'This is your only way to sign in. Set a password or link another provider first.',
		);
	await tx.run(sql`
		DELETE FROM oidc_identities WHERE provider_id = ${value(providerId)} AND person_id = ${value(personId)}`);
	await applyGroupRoles(tx, now, { providerId, personId, groups: [] });
	return true;
}

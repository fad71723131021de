/**
 * The providers of OpenID Connect that the operator added. They are read from PostgreSQL at each use, so a change takes effect at
 * once in every process. The client secret is encrypted with the secret of the service.
 */
import { endSessions } from '../accounts/sessions.ts';
import { AppError, invalid } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import { decrypt, encrypt } from '../lib/encrypt.ts';
import type { Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import { applyGroupRoles } from './group-roles.ts';
import { readProviderUrl } from './provider-fetch.ts';

/** Who may sign in without an account: people with an invitation, also those in a mapped group, or everyone. */
export const admissions = ['invited', 'groups', 'everyone'] as const;
export type Admission = (typeof admissions)[number];

export type Provider = {
	id: number;
	/** In URLs and commands. */
	name: string;
	/** On the button. */
	label: string;
	issuer: string;
	clientId: string;
	/** Encrypted; null for a public client. */
	clientSecret: Buffer | null;
	/** In lower case; empty: any address. */
	allowedDomains: string[];
	groupsClaim: string;
	admits: Admission;
	/** Whether the provider asks for a second factor, so that the service does not. */
	hasSecondFactor: boolean;
	createdAt: Date;
};

/** What the operator chooses. */
type ProviderFields = Pick<
	Provider,
	'issuer' | 'clientId' | 'allowedDomains' | 'groupsClaim' | 'admits' | 'hasSecondFactor'
> & {
	/** null: a public client. */
	secret: string | null;
};

/** Fields that are undefined stay as they are. */
type ProviderChanges = {
	[K in keyof ProviderFields | 'label']?: (ProviderFields & Pick<Provider, 'label'>)[K] | undefined;
};

const columns = sql`id, name, label, issuer, client_id AS "clientId", client_secret AS "clientSecret",
	allowed_domains AS "allowedDomains", groups_claim AS "groupsClaim", admits, has_second_factor AS "hasSecondFactor",
	created_at AS "createdAt"`;

/** What the key that encrypts client secrets is derived for. */
export const clientSecretPurpose = 'client secrets of providers';

const contextOf = (name: string) => `oidc provider ${name}`;

export function clientSecretOf(key: Buffer, { name, clientSecret }: Provider): string | undefined {
	if (clientSecret === null) return undefined;
	try {
		return decrypt(key, contextOf(name), clientSecret);
	} catch {
		throw new Error(
			`the client secret is encrypted with another secret of the service; run \`tidemark oidc update ${name} --secret\``,
		);
	}
}

export const listProviders = (queries: Queries): Promise<Provider[]> =>
	queries.rows<Provider>(sql`SELECT ${columns} FROM oidc_providers ORDER BY id`);

export async function findProvider(queries: Queries, name: string): Promise<Provider | undefined> {
	const [provider] = await queries.rows<Provider>(
		sql`SELECT ${columns} FROM oidc_providers WHERE name = ${value(name)}`,
	);
	return provider;
}

export async function getProvider(queries: Queries, name: string): Promise<Provider> {
	const provider = await findProvider(queries, name);
	if (!provider)
		throw new AppError('not_found', `There is no provider ${name}. Run \`tidemark oidc list\` to see all.`);
	return provider;
}

export async function addProvider(
	tx: Queries,
	now: Clock,
	key: Buffer,
	{ name, secret, ...fields }: ProviderFields & { name: string; label?: string | undefined },
): Promise<Provider> {
	check({ name, ...fields });
	if (await findProvider(tx, name))
		throw invalid({
			name: [`There is already a provider ${name}. Change it with \`tidemark oidc update\`.`],
		});
	const sealed = secret === null ? null : encrypt(key, contextOf(name), secret);
	await tx.run(sql`
		INSERT INTO oidc_providers
			(name, label, issuer, client_id, client_secret, allowed_domains, groups_claim, admits, has_second_factor, created_at)
		VALUES (${value(name)}, ${value(fields.label ?? name)}, ${value(fields.issuer)}, ${value(fields.clientId)}, ${value(sealed)},
			${value(fields.allowedDomains)}::text[], ${value(fields.groupsClaim)}, ${value(fields.admits)}, ${value(fields.hasSecondFactor)},
			${value(now())})`);
	return getProvider(tx, name);
}

export async function updateProvider(
	tx: Queries,
	key: Buffer,
	name: string,
	{ secret, ...fields }: ProviderChanges,
): Promise<Provider> {
	const current = await getProvider(tx, name);
	const defined = Object.fromEntries(Object.entries(fields).filter(([, field]) => field !== undefined));
	const changed: Provider = { ...current, ...defined };
	check(changed);
	if (secret !== undefined)
		changed.clientSecret = secret === null ? null : encrypt(key, contextOf(name), secret);
	await tx.run(sql`
		UPDATE oidc_providers SET label = ${value(changed.label)}, issuer = ${value(changed.issuer)},
			client_id = ${value(changed.clientId)}, client_secret = ${value(changed.clientSecret)},
			allowed_domains = ${value(changed.allowedDomains)}::text[], groups_claim = ${value(changed.groupsClaim)},
			admits = ${value(changed.admits)}, has_second_factor = ${value(changed.hasSecondFactor)}
		WHERE id = ${value(current.id)}`);
	return changed;
}

/** Its people are signed out, and lose the roles that its groups gave them. They keep their accounts. */
export async function removeProvider(tx: Queries, now: Clock, name: string): Promise<void> {
	const { id } = await getProvider(tx, name);
	const others = await tx.rows(sql`SELECT 1 FROM oidc_providers WHERE id <> ${value(id)}`);
	if (others.length === 0 && (await isOidcRequired(tx)))
		throw new AppError(
			'forbidden',
			'This is the only provider, and people can only sign in with a provider. Run `tidemark oidc require off` first.',
		);
	const people = await tx.rows<{ personId: number }>(
		sql`SELECT person_id AS "personId" FROM oidc_identities WHERE provider_id = ${value(id)} ORDER BY person_id`,
	);
	for (const { personId } of people) {
		await applyGroupRoles(tx, now, { providerId: id, personId, groups: [] });
		await endSessions(tx, personId);
	}
	await tx.run(sql`DELETE FROM oidc_providers WHERE id = ${value(id)}`);
}

function check(fields: {
	name: string;
	label?: string | undefined;
	issuer: string;
	clientId: string;
	allowedDomains: string[];
}) {
	const errors: Record<string, string[]> = {};
	if (!/^[a-z0-9][a-z0-9-]{0,39}$/.test(fields.name))
		errors.name = ['The name must have 1 to 40 lower-case letters, digits and hyphens.'];
	if (fields.label !== undefined && (fields.label.trim() === '' || fields.label.length > 60))
		errors.label = ['The label must have 1 to 60 characters.'];
	try {
		const { search, hash } = readProviderUrl(fields.issuer);
		if (search !== '' || hash !== '') errors.issuer = ['An issuer has neither a query nor a fragment.'];
	} catch (error) {
		errors.issuer = [error instanceof Error ? error.message : String(error)];
	}
	if (fields.clientId === '' || fields.clientId.length > 500)
		errors.clientId = ['The client id must have 1 to 500 characters.'];
	const odd = fields.allowedDomains.find((domain) => !/^[^\s@]+\.[^\s@.]+$/.test(domain));
	if (odd !== undefined) errors.allowedDomains = [`"${odd}" is not a domain such as example.com.`];
	if (Object.keys(errors).length > 0) throw invalid(errors);
}

/** Whether people can sign in with a provider only, and not with a password. */
export async function isOidcRequired(queries: Queries): Promise<boolean> {
	return (await queries.rows(sql`SELECT 1 FROM oidc_required`)).length > 0;
}

export async function requireOidc(tx: Queries, now: Clock, isRequired: boolean): Promise<void> {
	if (!isRequired) {
		await tx.run(sql`DELETE FROM oidc_required`);
		return;
	}
	if ((await listProviders(tx)).length === 0)
		throw new AppError(
			'forbidden',
			'There is no provider to sign in with. Add one with `tidemark oidc add` first.',
		);
	await tx.run(sql`INSERT INTO oidc_required (since) VALUES (${value(now())}) ON CONFLICT DO NOTHING`);
}

/** For every way of signing in that is not a provider. */
export async function refuseIfOidcRequired(queries: Queries): Promise<void> {
	if (await isOidcRequired(queries))
		throw new AppError(
			'forbidden',
			'Sign-in with a password or a passkey is turned off. Sign in with your identity provider.',
		);
}

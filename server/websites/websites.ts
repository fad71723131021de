import type { FieldErrors } from '../../api/errors.ts';
import { updateWebsiteBody } from '../../api/websites.ts';
import { accountOf, notFound, requirePermission } from '../accounts/authorize.ts';
import type { Principal } from '../accounts/principal.ts';
import { AppError, invalid } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import { withSharePasswordSlot } from '../lib/passwords.ts';
import type { Postgres, Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import { queueEvents } from '../webhooks/queue-events.ts';
import { announce } from './announce.ts';
import { setFavorite } from './favorites.ts';
import type { NewWebsite, WebsiteChange, WebsiteRename } from './fields.ts';
import { columnsFor, getWebsite, type LoadedWebsite, type Website } from './get-website.ts';
import { addTombstone } from './tombstones.ts';
import { changeZone, setFirstZone } from './zones.ts';

/** Whether the website is unchanged since the caller read it (If-Match). */
export type IsExpected = (website: LoadedWebsite) => boolean;

/** Hashing is slow, so it runs before the transaction and only for valid fields. */
export async function hashNewPassword(accountId: number, fields: NewWebsite): Promise<string | null> {
	if (fields.privacy === 2 && fields.password === undefined) throw passwordNeeded();
	return fields.password === undefined ? null : hashSharePassword(accountId, fields.password);
}

const hashSharePassword = (accountId: number, password: string): Promise<string> =>
	withSharePasswordSlot(`account ${accountId}`, (turn) => turn.hash(password));

/** Creates a website in the caller's transaction, which also stores the response of an idempotent request. */
export async function createWebsite(
	tx: Queries,
	now: Clock,
	accountId: number,
	fields: NewWebsite & { passwordHash: string | null },
): Promise<Website> {
	// The lock serializes the creates of an account, so that two at once cannot exceed the limit.
	const [account] = await tx.rows<{ count: number; limit: number | null; timezone: string }>(sql`
		SELECT website_count AS count, website_limit AS "limit", timezone FROM accounts
		WHERE id = ${value(accountId)} FOR NO KEY UPDATE`);
	if (!account) throw notFound();
	const created = now();
	const [website] = await tx.rows<Website>(sql`
		INSERT INTO websites (account_id, domain, domain_unicode, privacy, password_hash, email, exclude_bots,
			exclude_params, exclude_ips, timezone, created_at, updated_at)
		VALUES (${value(accountId)}, ${value(fields.domain.domain)}, ${value(fields.domain.unicode)}, ${value(fields.privacy ?? 0)},
			${value(fields.passwordHash)}, ${value(fields.email === 1)}, ${value(fields.exclude_bots !== 0)},
			${value(fields.exclude_params ?? null)}, ${value(fields.exclude_ips ?? null)},
			${value(fields.timezone ?? account.timezone)}, ${value(created)}, ${value(created)})
		ON CONFLICT (account_id, domain) DO NOTHING
		RETURNING ${columnsFor({ kind: 'account', accountId })}`);
	if (!website) throw await domainTaken(tx, accountId, fields.domain.domain);
	if (account.limit !== null && account.count >= account.limit) {
		const message = `The account has reached its limit of ${account.limit} websites.`;
		throw new AppError('limit_reached', message, { errors: { domain: [message] } });
	}
	await tx.run(sql`UPDATE accounts SET website_count = website_count + 1 WHERE id = ${value(accountId)}`);
	await setFirstZone(tx, website.id, website.timezone);
	await announce(tx, website.id);
	await queueEvents(tx, now, [
		{ type: 'website.created', accountId, websiteId: website.id, data: { website: namesOf(website) } },
	]);
	return website;
}

const namesOf = ({ id, domain, domainUnicode }: Website) => ({ id, domain: domainUnicode ?? domain });

const passwordFault = { password: ['Privacy mode 2 needs a password.'] };
const passwordNeeded = () => invalid(passwordFault);

/** The error for privacy mode 2 without a password. It also works if other fields are invalid. */
export function missingPassword(
	sent: Readonly<Record<string, unknown>>,
	stored: Website | undefined,
): FieldErrors {
	const privacy = updateWebsiteBody.shape.privacy.safeParse(sent.privacy).data ?? stored?.privacy;
	const isMissing = sent.password === '' || (sent.password === undefined && !stored?.passwordHash);
	return privacy === 2 && isMissing ? passwordFault : {};
}

export async function domainTaken(tx: Queries, accountId: number, domain: string): Promise<AppError> {
	const [existing] = await tx.rows<{ id: number }>(sql`
		SELECT id FROM websites WHERE account_id = ${value(accountId)} AND domain = ${value(domain)}`);
	const message = `The account already has a website ${domain}.`;
	return new AppError('domain_taken', message, {
		errors: { domain: [message] },
		members: existing ? { website_id: existing.id } : {},
	});
}

/** Changes only the fields that were sent. The row is locked, so concurrent changes of different fields are all kept. */
export async function updateWebsite(
	postgres: Postgres,
	now: Clock,
	principal: Principal,
	loaded: LoadedWebsite,
	change: { fields: WebsiteChange; isExpected: IsExpected },
): Promise<LoadedWebsite> {
	const { fields, isExpected } = change;
	// Hashing is slow, so the permission is checked first.
	if (fields.password !== undefined) requirePermission(principal, 'website.administer', loaded);
	const newHash = fields.password ? await hashSharePassword(accountOf(principal), fields.password) : null;
	return postgres.transaction(async (tx) => {
		const website = await getWebsite(tx, principal, 'website.update', loaded.id, sql`FOR NO KEY UPDATE`);
		if (!isExpected(website)) throw stale();
		return changeWebsite(tx, now, principal, website, fields, newHash);
	});
}

/** Changes a website that the caller has locked. `newHash`: of a password that was sent. */
export async function changeWebsite(
	tx: Queries,
	now: Clock,
	principal: Principal,
	website: LoadedWebsite,
	fields: WebsiteChange,
	newHash: string | null,
): Promise<LoadedWebsite> {
	const wanted: Website = {
		...website,
		privacy: fields.privacy ?? website.privacy,
		passwordHash: fields.password === undefined ? website.passwordHash : newHash,
		email: fields.email === undefined ? website.email : fields.email === 1,
		excludeBots: fields.exclude_bots === undefined ? website.excludeBots : fields.exclude_bots === 1,
		excludeParams: fields.exclude_params === undefined ? website.excludeParams : fields.exclude_params,
		excludeIps: fields.exclude_ips === undefined ? website.excludeIps : fields.exclude_ips,
		favorite: fields.favorite === undefined ? website.favorite : fields.favorite === 1,
		timezone: fields.timezone ?? website.timezone,
	};
	if (wanted.privacy !== website.privacy || fields.password !== undefined)
		requirePermission(principal, 'website.administer', website);
	if (wanted.privacy === 2 && wanted.passwordHash === null) throw passwordNeeded();
	return store(tx, now, principal, { before: website, wanted });
}

/** Changes the domain. The id and the statistics stay. */
export async function renameWebsite(
	postgres: Postgres,
	now: Clock,
	principal: Principal,
	{ id }: Website,
	change: { fields: WebsiteRename; isExpected: IsExpected },
): Promise<LoadedWebsite> {
	const { domain, unicode } = change.fields.domain;
	return postgres
		.transaction(async (tx) => {
			const website = await getWebsite(tx, principal, 'website.rename', id, sql`FOR UPDATE`);
			if (!change.isExpected(website)) throw stale();
			const [other] = await tx.rows(sql`
			SELECT id FROM websites
			WHERE account_id = ${value(website.accountId)} AND domain = ${value(domain)} AND id <> ${value(id)}`);
			if (other) throw await domainTaken(tx, website.accountId, domain);
			return store(tx, now, principal, {
				before: website,
				wanted: { ...website, domain, domainUnicode: unicode },
			});
		})
		.catch(async (error: unknown) => {
			// Another transaction has taken the domain since the SELECT.
			const isTaken =
				error instanceof Error && 'constraint' in error && error.constraint === 'websites_by_domain';
			if (!isTaken) throw error;
			// The owner or the permission may have changed too.
			const website = await getWebsite(postgres, principal, 'website.rename', id);
			throw await domainTaken(postgres, website.accountId, domain);
		});
}

/** Writes the record if it changed. `updated_at` always increases, even for two changes within a millisecond. */
async function store(
	tx: Queries,
	now: Clock,
	principal: Principal,
	{ before, wanted }: { before: LoadedWebsite; wanted: Website },
): Promise<LoadedWebsite> {
	if (principal.kind === 'person' && wanted.favorite !== before.favorite) {
		const { personId } = principal;
		await setFavorite(tx, { personId, websiteId: before.id, isFavorite: wanted.favorite });
		return store(tx, now, principal, { before: { ...before, favorite: wanted.favorite }, wanted });
	}
	// Object.keys forgets that the names are those of the type.
	const changed = (Object.keys(wanted) as (keyof Website)[]).some((name) => wanted[name] !== before[name]);
	if (!changed) return before;
	const updatedAt = new Date(Math.max(now().getTime(), before.updatedAt.getTime() + 1));
	const [website] = await tx.rows<LoadedWebsite>(sql`
		UPDATE websites SET domain = ${value(wanted.domain)}, domain_unicode = ${value(wanted.domainUnicode)},
			privacy = ${value(wanted.privacy)}, password_hash = ${value(wanted.passwordHash)}, email = ${value(wanted.email)},
			exclude_bots = ${value(wanted.excludeBots)}, exclude_params = ${value(wanted.excludeParams)},
			exclude_ips = ${value(wanted.excludeIps)}, favorite = ${principal.kind === 'person' ? sql`favorite` : value(wanted.favorite)},
			timezone = ${value(wanted.timezone)}, updated_at = ${value(updatedAt)}
		WHERE id = ${value(before.id)} RETURNING ${columnsFor(principal)}`);
	if (!website) throw notFound();
	if (wanted.timezone !== before.timezone)
		await changeZone(tx, website.id, wanted.timezone, updatedAt.getTime());
	await announce(tx, website.id);
	return website;
}

const stale = () =>
	new AppError(
		'precondition_failed',
		'The website has changed since you read it. Read it again and repeat the request.',
	);

export async function deleteWebsite(
	postgres: Postgres,
	now: Clock,
	principal: Principal,
	id: number,
	isExpected: IsExpected,
): Promise<void> {
	await postgres.transaction(async (tx) => {
		// The account is locked first, as in create. The other order could deadlock with a create of the same domain.
		await tx.run(sql`
			SELECT 1 FROM accounts WHERE id = (SELECT account_id FROM websites WHERE id = ${value(id)}) FOR NO KEY UPDATE`);
		const website = await getWebsite(tx, principal, 'website.delete', id, sql`FOR UPDATE`);
		if (!isExpected(website)) throw stale();
		await tx.run(sql`DELETE FROM websites WHERE id = ${value(id)}`);
		await addTombstone(tx, now, id, { isReset: false });
		await announce(tx, id);
		await tx.run(
			sql`UPDATE accounts SET website_count = website_count - 1 WHERE id = ${value(website.accountId)}`,
		);
		const { accountId } = website;
		await queueEvents(tx, now, [
			{ type: 'website.deleted', accountId, websiteId: id, data: { website: namesOf(website) } },
		]);
	});
}

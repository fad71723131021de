/**
 * Share links: read-only access to the statistics of a website for whoever has the link, limited to a filter, panels and dates.
 * The token is part of the URL. Its digest finds the link; the token itself is encrypted with a key of the service, so that the
 * dashboard can show the link again.
 */
import { z } from 'zod';
import { createShareLinkBody, updateShareLinkBody } from '../../api/share-links.ts';
import { digestOf, makeToken } from '../accounts/keys.ts';
import type { ShareLimits, SharePanel } from '../accounts/principal.ts';
import { AppError, invalid } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import { decrypt, encrypt } from '../lib/encrypt.ts';
import { type FilterJson, readFilter, writeFilter } from '../stats/question/read-filter.ts';
import { countValues, maxFixedValues, testsIn } from '../stats/question/shared-questions.ts';
import type { Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import { columnsFor, type LoadedWebsite } from '../websites/get-website.ts';
import type { Collection } from './items.ts';

export type ShareLinkFields = {
	name: string;
	filters: unknown[] | null;
	panels: SharePanel[] | null;
	from: string | null;
	to: string | null;
	last_days: number | null;
	password_hash: string | null;
	expires_at: Date | null;
	/** Encrypted. */
	token: Buffer | null;
	/** Read-only. */
	used_count: number;
	last_used_at: Date | null;
};

/** `key` encrypts tokens. */
export type ShareLinkVault = { key: Buffer; baseUrl(): string };

const encryptionContext = 'share link';

/** Undefined if the service had another secret when the link was created. */
export function urlOfLink({ key, baseUrl }: ShareLinkVault, token: Buffer): string | undefined {
	try {
		return `${baseUrl()}/s/${decrypt(key, encryptionContext, token)}`;
	} catch {
		return undefined;
	}
}

export const shareLinkNames = {
	singular: 'share link',
	plural: 'share links',
	changeAction: 'links.change',
	maxPerWebsite: 50,
} as const;

/** Each different filter costs the answers of the others another question. */
const maxFilters = 10;

const columns = sql`name, filters, panels, first_date::text AS "from", last_date::text AS "to", last_days, password_hash,
	expires_at, token, used_count, last_used_at`;

/** `passwordHash`: of the password that was sent, because hashing is too slow for a transaction. */
export function shareLinksIn(
	vault: ShareLinkVault,
	passwordHash: string | null | undefined,
): Collection<ShareLinkFields> {
	return {
		...shareLinkNames,
		columns,
		order: sql`id DESC`,
		createSchema: async () =>
			createShareLinkBody
				.extend({ filters: createShareLinkBody.shape.filters.transform(toCanonical) })
				.transform(
					({ password: _password, ...link }): ShareLinkFields => ({
						name: link.name,
						filters: link.filters ?? null,
						panels: link.panels ?? null,
						from: link.from ?? null,
						to: link.to ?? null,
						last_days: link.last_days ?? null,
						expires_at: link.expires_at ?? null,
						password_hash: passwordHash ?? null,
						token: null,
						used_count: 0,
						last_used_at: null,
					}),
				),
		updateSchema: async () =>
			updateShareLinkBody
				.extend({ filters: updateShareLinkBody.shape.filters.transform(toCanonical) })
				.transform(({ password, ...link }) => ({
					...link,
					...(password !== undefined && { password_hash: passwordHash ?? null }),
				})),
		toColumns: (wanted, stored) => ({
			name: sql`${value(wanted.name)}`,
			filters: sql`${value(wanted.filters && JSON.stringify(wanted.filters))}::jsonb`,
			panels: sql`${value(wanted.panels)}::text[]`,
			first_date: sql`${value(wanted.from)}::date`,
			last_date: sql`${value(wanted.to)}::date`,
			last_days: sql`${value(wanted.last_days)}`,
			password_hash: sql`${value(wanted.password_hash)}`,
			expires_at: sql`${value(wanted.expires_at)}`,
			...(!stored && newToken(vault)),
		}),
		refuse: async (tx, websiteId, wanted, ownId) => {
			refuseDates(wanted);
			await refuseFilters(tx, websiteId, wanted, ownId);
		},
	};
}

/** The columns of a new token. */
export function newToken({ key }: ShareLinkVault) {
	const token = makeToken();
	return {
		digest: sql`${value(digestOf(token))}`,
		token: sql`${value(encrypt(key, encryptionContext, token))}`,
	};
}

/** Goals and page groups can be redefined by people who may not change links. */
function toCanonical(
	json: unknown[] | null | undefined,
	context: z.RefinementCtx,
): unknown[] | null | undefined {
	if (json === null || json === undefined) return json;
	try {
		return toFixedFilter(json);
	} catch (error) {
		if (!(error instanceof AppError)) throw error;
		context.addIssue({ code: 'custom', message: error.message });
		return z.NEVER;
	}
}

/** The canonical form of a filter that is fixed for everyone with a link. Throws if it cannot be one. */
export function toFixedFilter(json: unknown): FilterJson {
	const filter = readFilter(json, []);
	const refuse = (sentence: string) => invalid({ filters: [sentence] });
	if (testsIn(filter).some(({ dimension }) => dimension.name === 'goal' || dimension.name === 'page_group'))
		throw refuse('The filter of a share link cannot use goals or page groups.');
	const values = countValues(filter);
	if (values > maxFixedValues)
		throw refuse(
			`The filter of a share link can have at most ${maxFixedValues} values; this one has ${values}.`,
		);
	return writeFilter(filter);
}

function refuseDates({ from, to, last_days: lastDays }: ShareLinkFields): void {
	if (lastDays !== null && (from !== null || to !== null))
		throw invalid({ last_days: ['The last_days field cannot be combined with from or to.'] });
	if (from !== null && to !== null && from > to)
		throw invalid({ to: [`The period ends (${to}) before it starts (${from}).`] });
}

async function refuseFilters(
	tx: Queries,
	websiteId: number,
	{ filters }: ShareLinkFields,
	ownId: number,
): Promise<void> {
	if (filters === null) return;
	const [row] = await tx.rows<{ count: number }>(sql`
		SELECT count(DISTINCT filters) AS count FROM share_links
		WHERE website_id = ${value(websiteId)} AND id <> ${value(ownId)} AND filters <> ${value(JSON.stringify(filters))}::jsonb`);
	if ((row?.count ?? 0) >= maxFilters)
		throw invalid({
			filters: [`The share links of a website can have at most ${maxFilters} different filters.`],
		});
}

/** A link that works, with its website. */
export type OpenedLink = {
	kind: 'website';
	id: number;
	website: LoadedWebsite;
	passwordHash: string | null;
	limits: ShareLimits;
};

/** Links do not work after they expired, and while the account of the website is disabled. */
export async function findShareLink(
	postgres: Queries,
	now: Clock,
	token: string,
): Promise<OpenedLink | undefined> {
	if (!/^[\w-]{43}$/.test(token)) return undefined;
	const [row] = await postgres.rows<
		LoadedWebsite & {
			linkId: number;
			linkHash: string | null;
			filters: unknown;
			panels: SharePanel[] | null;
			from: string | null;
			to: string | null;
			lastDays: number | null;
			otherFilters: unknown[] | null;
		}
	>(sql`
		SELECT w.*, l.id AS "linkId", l.password_hash AS "linkHash", l.filters, l.panels,
			l.first_date::text AS "from", l.last_date::text AS "to", l.last_days AS "lastDays", (
				SELECT json_agg(DISTINCT o.filters::text::jsonb) FROM share_links o
				WHERE o.website_id = l.website_id AND o.filters IS DISTINCT FROM l.filters AND o.filters IS NOT NULL
			) AS "otherFilters"
		FROM share_links l JOIN LATERAL (
			SELECT ${columnsFor({ kind: 'nobody' })} FROM websites WHERE websites.id = l.website_id
		) AS w ON true
		WHERE l.digest = ${value(digestOf(token))} AND (l.expires_at IS NULL OR l.expires_at > ${value(now())})
			AND EXISTS (SELECT 1 FROM accounts WHERE accounts.id = w."accountId" AND disabled_at IS NULL)`);
	if (!row) return undefined;
	const { linkId, linkHash, filters, panels, from, to, lastDays, otherFilters, ...website } = row;
	return {
		kind: 'website',
		id: linkId,
		website,
		passwordHash: linkHash,
		limits: { linkId, filter: filters, otherFilters: otherFilters ?? [], panels, from, to, lastDays },
	};
}

/** Counts an opening of the page. Nothing is stored about who opened it. */
export async function countUse(postgres: Queries, now: Clock, { id }: { id: number }): Promise<void> {
	await postgres.run(sql`
		UPDATE share_links SET used_count = used_count + 1, last_used_at = ${value(now())} WHERE id = ${value(id)}`);
}

/** The origins that may embed the page of a link. Without a password only, because cookies are not sent in a frame. */
export async function findLinkEmbedOrigins(
	postgres: Queries,
	{ website, passwordHash }: OpenedLink,
): Promise<string[]> {
	if (passwordHash !== null) return [];
	const [embed] = await postgres.rows<{ origins: string | null }>(sql`
		SELECT embed_origins AS origins FROM websites WHERE id = ${value(website.id)}`);
	return embed?.origins?.split('\n') ?? [];
}

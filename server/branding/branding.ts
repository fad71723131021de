/** How an account presents itself: its name, color and logos, which its pages and mails have instead of those of the service. */
import { hash } from 'node:crypto';
import { accentShades } from '../../presentation/accent.ts';
import type { Clock } from '../lib/clock.ts';
import type { Queries } from '../store/postgres.ts';
import { type Sql, sql, value } from '../store/sql.ts';
import type { LogoImage, LogoType } from './logo-image.ts';

export type Background = 'light' | 'dark';

export type Logo = { type: LogoType; width: number; height: number; digest: string };

export type Brand = {
	name: string | null;
	accent: string | null;
	isPoweredByShown: boolean;
	logo: Logo | undefined;
	darkLogo: Logo | undefined;
};

export const noBrand: Brand = {
	name: null,
	accent: null,
	isPoweredByShown: true,
	logo: undefined,
	darkLogo: undefined,
};

/** What an account shows on its pages. Undefined if it changed nothing. */
export async function findBrand(queries: Queries, accountId: number): Promise<Brand | undefined> {
	const [row] = await queries.rows<{
		name: string | null;
		accent: string | null;
		isPoweredByShown: boolean;
		logos: Partial<Record<Background, Logo>> | null;
	}>(sql`
		SELECT b.name, b.accent, b.powered_by AS "isPoweredByShown", (
			SELECT jsonb_object_agg(l.background, jsonb_build_object(
				'type', l.type, 'width', l.width, 'height', l.height, 'digest', encode(l.digest, 'hex')))
			FROM brand_logos l WHERE l.account_id = b.account_id
		) AS logos
		FROM brandings b WHERE b.account_id = ${value(accountId)}`);
	if (!row) return undefined;
	const { logos, ...brand } = row;
	const isChanged = brand.name !== null || brand.accent !== null || !brand.isPoweredByShown || logos !== null;
	return isChanged ? { ...brand, logo: logos?.light, darkLogo: logos?.dark } : undefined;
}

/** Undefined: unchanged. */
export type BrandChange = {
	name: string | null | undefined;
	accent: string | null | undefined;
	isPoweredByShown: boolean | undefined;
};

export async function changeBrand(
	tx: Queries,
	now: Clock,
	accountId: number,
	{ name, accent, isPoweredByShown }: BrandChange,
): Promise<void> {
	const or = (sent: string | boolean | null | undefined, stored: Sql): Sql =>
		sent === undefined ? stored : sql`${value(sent)}`;
	await addBrand(tx, now, accountId);
	await tx.run(sql`
		UPDATE brandings SET name = ${or(name, sql`name`)}, accent = ${or(accent, sql`accent`)},
			powered_by = ${or(isPoweredByShown, sql`powered_by`)}, updated_at = ${value(now())}
		WHERE account_id = ${value(accountId)}`);
}

export async function setLogo(
	tx: Queries,
	now: Clock,
	{ accountId, background }: { accountId: number; background: Background },
	{ type, width, height, content }: LogoImage,
): Promise<void> {
	const digest = hash('sha256', content, 'buffer');
	await addBrand(tx, now, accountId);
	await tx.run(sql`
		INSERT INTO brand_logos (account_id, background, type, width, height, content, digest)
		VALUES (${value(accountId)}, ${value(background)}, ${value(type)}, ${value(width)}, ${value(height)},
			${value(content)}, ${value(digest)})
		ON CONFLICT (account_id, background) DO UPDATE SET type = excluded.type, width = excluded.width,
			height = excluded.height, content = excluded.content, digest = excluded.digest`);
}

export async function deleteLogo(
	tx: Queries,
	{ accountId, background }: { accountId: number; background: Background },
): Promise<void> {
	await tx.run(
		sql`DELETE FROM brand_logos WHERE account_id = ${value(accountId)} AND background = ${value(background)}`,
	);
}

const addBrand = (tx: Queries, now: Clock, accountId: number) =>
	tx.run(sql`
		INSERT INTO brandings (account_id, updated_at) VALUES (${value(accountId)}, ${value(now())})
		ON CONFLICT (account_id) DO NOTHING`);

/** By the digest of the image, which only its own pages and mails name. Accounts may have the same image. */
export async function findLogo(
	queries: Queries,
	digest: string,
): Promise<{ type: LogoType; content: Buffer } | undefined> {
	if (!/^[0-9a-f]{64}$/.test(digest)) return undefined;
	const [logo] = await queries.rows<{ type: LogoType; content: Buffer }>(sql`
		SELECT type, content FROM brand_logos WHERE digest = ${value(Buffer.from(digest, 'hex'))} LIMIT 1`);
	return logo;
}

export const logoTypes = { png: 'image/png', jpeg: 'image/jpeg' } as const satisfies Record<LogoType, string>;

/** The path of a logo changes with the image, so it can be cached forever. */
const logoPath = ({ digest, type }: Logo): string => `/brands/${digest}.${type}`;

const toLogoRecord = (logo: Logo | undefined) =>
	logo ? { url: logoPath(logo), type: logoTypes[logo.type], width: logo.width, height: logo.height } : null;

/** As pages get it. */
export const toBranding = ({ name, accent, isPoweredByShown, logo, darkLogo }: Brand) => ({
	name,
	accent,
	powered_by: isPoweredByShown,
	logo: toLogoRecord(logo),
	dark_logo: toLogoRecord(darkLogo),
	colors:
		accent === null ? null : { light: accentShades(accent, 'light'), dark: accentShades(accent, 'dark') },
});

/** Of an account, for its pages. */
export async function findBranding(
	queries: Queries,
	accountId: number,
): Promise<{ brand?: ReturnType<typeof toBranding> }> {
	const brand = await findBrand(queries, accountId);
	return brand ? { brand: toBranding(brand) } : {};
}

/**
 * Goals, funnels, segments, notes, alerts, share links and traffic rules of a website: lists of records that are deleted with their website and changed by
 * those who may change it.
 *
 * Every change locks the row of the website until its commit. So limits are never exceeded, names stay unique, a goal is not
 * deleted while a funnel that uses it is being created, and of two goal revisions the later commit has the higher one. These
 * lists change a few times a day; collection and statistics never wait for the lock.
 */
import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { notFound } from '../accounts/authorize.ts';
import type { Principal } from '../accounts/principal.ts';
import { AppError, invalid } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import type { Postgres, Queries } from '../store/postgres.ts';
import { identifier, join, type Sql, sql, value } from '../store/sql.ts';
import { getWebsite, type Website } from '../websites/get-website.ts';

/** The fields of an item that users set. */
export type ItemFields = Readonly<Record<string, unknown>>;

export type Item<F extends ItemFields> = F & { id: number; createdAt: Date; updatedAt: Date };

/** The fields of an update. */
export type Changes<F extends ItemFields> = { [K in keyof F]?: F[K] | undefined };

/** One kind of item, with everything needed to store it. */
export type Collection<F extends ItemFields> = {
	/** Singular and plural. The plural is also the name of the table, with `_` for blanks. */
	singular: string;
	plural: string;
	/** The permission to change an item. */
	changeAction: 'website.update' | 'website.administer' | 'links.change';
	/** The maximum per website. */
	maxPerWebsite: number;
	/** The user's fields, as columns of a SELECT. */
	columns: Sql;
	order: Sql;
	/** Schemas for a new item and for a change; they may depend on other items of the website. */
	createSchema(tx: Queries, websiteId: number): Promise<z.ZodType<F>>;
	updateSchema(tx: Queries, websiteId: number, stored: F): Promise<z.ZodType<Changes<F>>>;
	/** The columns to store. */
	toColumns(wanted: F, stored: F | undefined): Readonly<Record<string, Sql>>;
	/** Throws if the website must not have this item in addition to its others. `ownId` is 0 for a new one. */
	refuse?(tx: Queries, websiteId: number, wanted: F, ownId: number): Promise<void>;
	/** Throws if other items use this one. */
	release?(tx: Queries, websiteId: number, id: number): Promise<void>;
	/** Called in the transaction of every change. */
	changed?(tx: Queries, websiteId: number): Promise<void>;
};

/** The context of a request. */
export type ItemContext = TransactionContext & { postgres: Postgres };

/** What a change in the caller's transaction needs. */
export type TransactionContext = { now: Clock; principal: Principal; websiteId: number };

/** Parses the request body with a schema; throws if it is invalid. */
export type ParseBody = <T>(schema: z.ZodType<T>) => T;

const tableOf = ({ plural }: { plural: string }): Sql => identifier(plural.replaceAll(' ', '_'));

const columnsOf = <F extends ItemFields>({ columns }: Collection<F>) =>
	sql`id, ${columns}, created_at AS "createdAt", updated_at AS "updatedAt"`;

export type ItemList = { page: number; perPage: number; conditions: readonly Sql[] };

/** One page and the total number, as of one moment. The caller checks that the principal may read the website. */
export async function listItems<F extends ItemFields>(
	postgres: Postgres,
	collection: Collection<F>,
	{ id }: Pick<Website, 'id'>,
	{ page, perPage, conditions }: ItemList,
): Promise<{ items: Item<F>[]; total: number }> {
	const where = join([sql`website_id = ${value(id)}`, ...conditions], ' AND ');
	const table = tableOf(collection);
	return postgres.snapshot(async (tx) => {
		const [row] = await tx.rows<{ total: number }>(
			sql`SELECT count(*) AS total FROM ${table} WHERE ${where}`,
		);
		const items = await tx.rows<Item<F>>(sql`
			SELECT ${columnsOf(collection)} FROM ${table} WHERE ${where}
			ORDER BY ${collection.order} LIMIT ${value(perPage)} OFFSET ${value((page - 1) * perPage)}`);
		return { items, total: row?.total ?? 0 };
	});
}

/** All items of a website, oldest first. The caller checks that the principal may read the website. */
export const listAllItems = <F extends ItemFields>(
	queries: Queries,
	collection: Collection<F>,
	websiteId: number,
): Promise<Item<F>[]> =>
	queries.rows<Item<F>>(sql`
		SELECT ${columnsOf(collection)} FROM ${tableOf(collection)} WHERE website_id = ${value(websiteId)} ORDER BY id`);

/** The caller checks that the principal may read the website. */
export async function getItem<F extends ItemFields>(
	queries: Queries,
	collection: Collection<F>,
	websiteId: number,
	id: number,
): Promise<Item<F>> {
	const [item] = await queries.rows<Item<F>>(sql`
		SELECT ${columnsOf(collection)} FROM ${tableOf(collection)}
		WHERE website_id = ${value(websiteId)} AND id = ${value(id)}`);
	if (!item) throw notFound();
	return item;
}

/**
 * Locks the website until the transaction commits, and checks the permission again. The route has checked it before, so that
 * others cannot take the lock.
 */
async function lockWebsite<F extends ItemFields>(
	tx: Queries,
	{ principal, websiteId }: TransactionContext,
	{ changeAction }: Collection<F>,
): Promise<void> {
	await getWebsite(tx, principal, changeAction, websiteId, sql`FOR NO KEY UPDATE`);
}

/** Runs in the caller's transaction. */
export async function createItem<F extends ItemFields>(
	tx: Queries,
	context: TransactionContext,
	collection: Collection<F>,
	parseBody: ParseBody,
): Promise<Item<F>> {
	await lockWebsite(tx, context, collection);
	const wanted = parseBody(await collection.createSchema(tx, context.websiteId));
	await refuseTakenName(tx, collection, context.websiteId, wanted, 0);
	return insertItem(tx, context, collection, wanted);
}

/** Changes the item with this name, or creates one. Repeating it changes nothing. Runs in the caller's transaction. */
export async function createOrUpdateItem<F extends ItemFields & { name: string }>(
	tx: Queries,
	context: TransactionContext,
	collection: Collection<F>,
	parseBody: ParseBody,
): Promise<Item<F>> {
	const { websiteId } = context;
	await lockWebsite(tx, context, collection);
	const wanted = parseBody(await collection.createSchema(tx, websiteId));
	const [stored] = await tx.rows<Item<F>>(sql`
		SELECT ${columnsOf(collection)} FROM ${tableOf(collection)}
		WHERE website_id = ${value(websiteId)} AND name = ${value(wanted.name)}`);
	return stored
		? storeItem(tx, context, collection, { stored, wanted: { ...stored, ...wanted } })
		: insertItem(tx, context, collection, wanted);
}

async function insertItem<F extends ItemFields>(
	tx: Queries,
	{ now, websiteId }: TransactionContext,
	collection: Collection<F>,
	wanted: F,
): Promise<Item<F>> {
	const table = tableOf(collection);
	await refuseMore(tx, collection, websiteId);
	await collection.refuse?.(tx, websiteId, wanted, 0);
	const created = sql`${value(now())}`;
	const columns = Object.entries({
		website_id: sql`${value(websiteId)}`,
		...collection.toColumns(wanted, undefined),
		created_at: created,
		updated_at: created,
	});
	const names = join(
		columns.map(([name]) => identifier(name)),
		', ',
	);
	const values = join(
		columns.map(([, column]) => column),
		', ',
	);
	const [item] = await tx.rows<Item<F>>(
		sql`INSERT INTO ${table} (${names}) VALUES (${values}) RETURNING ${columnsOf(collection)}`,
	);
	if (!item) throw new Error(`The new ${collection.singular} was not stored.`);
	await collection.changed?.(tx, websiteId);
	return item;
}

/** Changes only the fields that were sent. `updated_at` always increases, even for two changes within a millisecond. */
export async function updateItem<F extends ItemFields>(
	context: ItemContext,
	collection: Collection<F>,
	id: number,
	change: { parseBody: ParseBody; isExpected: (item: Item<F>) => boolean },
): Promise<Item<F>> {
	const { websiteId } = context;
	return context.postgres.transaction(async (tx) => {
		await lockWebsite(tx, context, collection);
		const stored = await getItem(tx, collection, websiteId, id);
		const changes = change.parseBody(await collection.updateSchema(tx, websiteId, stored));
		if (!change.isExpected(stored)) throw stale(collection);
		const sent = Object.fromEntries(Object.entries(changes).filter(([, field]) => field !== undefined));
		const wanted: Item<F> = { ...stored, ...sent };
		return storeItem(tx, context, collection, { stored, wanted });
	});
}

async function storeItem<F extends ItemFields>(
	tx: Queries,
	{ now, websiteId }: TransactionContext,
	collection: Collection<F>,
	{ stored, wanted }: { stored: Item<F>; wanted: Item<F> },
): Promise<Item<F>> {
	const { id } = stored;
	if (isDeepStrictEqual(wanted, stored)) return stored;
	await refuseTakenName(tx, collection, websiteId, wanted, id);
	await collection.refuse?.(tx, websiteId, wanted, id);
	const updated = new Date(Math.max(now().getTime(), stored.updatedAt.getTime() + 1));
	const columns = { ...collection.toColumns(wanted, stored), updated_at: sql`${value(updated)}` };
	const set = join(
		Object.entries(columns).map(([name, column]) => sql`${identifier(name)} = ${column}`),
		', ',
	);
	const [item] = await tx.rows<Item<F>>(sql`
		UPDATE ${tableOf(collection)} SET ${set} WHERE id = ${value(id)} RETURNING ${columnsOf(collection)}`);
	if (!item) throw notFound();
	await collection.changed?.(tx, websiteId);
	return item;
}

export async function deleteItem<F extends ItemFields>(
	context: ItemContext,
	collection: Collection<F>,
	id: number,
	isExpected: (item: Item<F>) => boolean,
): Promise<void> {
	await context.postgres.transaction(async (tx) => {
		await lockWebsite(tx, context, collection);
		const item = await getItem(tx, collection, context.websiteId, id);
		if (!isExpected(item)) throw stale(collection);
		await collection.release?.(tx, context.websiteId, id);
		await tx.run(sql`DELETE FROM ${tableOf(collection)} WHERE id = ${value(id)}`);
		await collection.changed?.(tx, context.websiteId);
	});
}

const stale = ({ singular }: { singular: string }) =>
	new AppError(
		'precondition_failed',
		`The ${singular} has changed since you read it. Read it again and repeat the request.`,
	);

/** Names are unique per website. */
async function refuseTakenName<F extends ItemFields>(
	tx: Queries,
	{ singular, plural }: Collection<F>,
	websiteId: number,
	{ name }: F,
	ownId: number,
): Promise<void> {
	if (name === undefined) return;
	const [other] = await tx.rows(sql`
		SELECT id FROM ${tableOf({ plural })}
		WHERE website_id = ${value(websiteId)} AND name = ${value(name)} AND id <> ${value(ownId)}`);
	if (other) throw invalid({ name: [`The website already has a ${singular} "${name}".`] });
}

async function refuseMore<F extends ItemFields>(
	tx: Queries,
	{ singular, plural, maxPerWebsite }: Collection<F>,
	websiteId: number,
): Promise<void> {
	const [row] = await tx.rows<{ count: number }>(
		sql`SELECT count(*) AS count FROM ${tableOf({ plural })} WHERE website_id = ${value(websiteId)}`,
	);
	if (!row || row.count < maxPerWebsite) return;
	const message = `A website can have at most ${maxPerWebsite} ${plural}. Delete one first.`;
	throw new AppError('limit_reached', message, {
		errors: { [singular.replaceAll(' ', '_')]: [message] },
	});
}

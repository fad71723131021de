/**
 * What the goals, funnels, segments and notes of a website have in common: each is a list of records that goes with its
 * website and is changed by whoever may change that.
 *
 * Every change holds the row of the website until its commit. So limits are never passed, a name is never given twice, a goal
 * does not vanish while a funnel that needs it is made, and of two revisions the later commit has the higher one. People change
 * these lists a few times a day; collection and statistics never wait for the lock.
 */
import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { type Action, notFound } from '../accounts/authorize.ts';
import type { Principal } from '../accounts/principal.ts';
import { AppError, invalid } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import type { Postgres, Queries } from '../store/postgres.ts';
import { join, type Sql, sql, value, word } from '../store/sql.ts';
import { getWebsite, type Website } from '../websites/websites.ts';

/** What its people say about an item; all else is ours. */
export type About = Readonly<Record<string, unknown>>;

export type Item<A extends About> = A & { id: number; createdAt: Date; updatedAt: Date };

/** What an update may say: some of it. */
export type Changes<A extends About> = { [K in keyof A]?: A[K] | undefined };

/** One kind of item: all that storing it takes. */
export type Collection<A extends About> = {
	/** One of them, and all of them: as the API says it and as the table is called. */
	one: string;
	many: string;
	/** On one website. */
	most: number;
	/** What its people said, as a SELECT. */
	columns: Sql;
	order: Sql;
	/** What a new one, or a change of a stored one, must be like on this website at this moment. */
	newRules(tx: Queries, websiteId: number): Promise<z.ZodType<A>>;
	changeRules(tx: Queries, websiteId: number, stored: A): Promise<z.ZodType<Changes<A>>>;
	/** Its columns as they shall be. */
	write(wanted: A, stored: A | undefined): Readonly<Record<string, Sql>>;
	/** Refuses what others still need. */
	release?(tx: Queries, websiteId: number, id: number): Promise<void>;
};

/** Where something is asked for, and by whom. */
export type Place = { postgres: Postgres; now: Clock; principal: Principal; websiteId: number };

/** Reads what was sent by the rules it is given, or refuses it. */
export type Read = <T>(rules: z.ZodType<T>) => T;

const columnsOf = <A extends About>({ columns }: Collection<A>) =>
	sql`id, ${columns}, created_at AS "createdAt", updated_at AS "updatedAt"`;

export type ItemList = { page: number; perPage: number; conditions: readonly Sql[] };

/** One page and how many there are in all, of one moment. That the website may be read is for the caller to know. */
export async function listItems<A extends About>(
	postgres: Postgres,
	collection: Collection<A>,
	{ id }: Pick<Website, 'id'>,
	{ page, perPage, conditions }: ItemList,
): Promise<{ items: Item<A>[]; total: number }> {
	const where = join([sql`website_id = ${value(id)}`, ...conditions], ' AND ');
	const table = word(collection.many);
	return postgres.snapshot(async (tx) => {
		const [row] = await tx.rows<{ total: number }>(
			sql`SELECT count(*) AS total FROM ${table} WHERE ${where}`,
		);
		const items = await tx.rows<Item<A>>(sql`
			SELECT ${columnsOf(collection)} FROM ${table} WHERE ${where}
			ORDER BY ${collection.order} LIMIT ${value(perPage)} OFFSET ${value((page - 1) * perPage)}`);
		return { items, total: row?.total ?? 0 };
	});
}

/** The item, if the principal may do this to its website. */
export async function getItem<A extends About>(
	{ postgres, principal, websiteId }: Place,
	collection: Collection<A>,
	action: Action,
	id: number,
): Promise<Item<A>> {
	await getWebsite(postgres, principal, action, websiteId);
	return readItem(postgres, collection, websiteId, id);
}

async function readItem<A extends About>(
	queries: Queries,
	collection: Collection<A>,
	websiteId: number,
	id: number,
): Promise<Item<A>> {
	const [item] = await queries.rows<Item<A>>(sql`
		SELECT ${columnsOf(collection)} FROM ${word(collection.many)}
		WHERE website_id = ${value(websiteId)} AND id = ${value(id)}`);
	if (!item) throw notFound();
	return item;
}

/** One transaction that has the website to itself. Rights come before the lock: nobody holds up what is not theirs. */
async function changing<T>(
	{ postgres, principal, websiteId }: Place,
	work: (tx: Queries) => Promise<T>,
): Promise<T> {
	await getWebsite(postgres, principal, 'website.update', websiteId);
	return postgres.transaction(async (tx) => {
		await getWebsite(tx, principal, 'website.update', websiteId, sql`FOR NO KEY UPDATE`);
		return work(tx);
	});
}

export async function createItem<A extends About>(
	place: Place,
	collection: Collection<A>,
	read: Read,
): Promise<Item<A>> {
	const { websiteId } = place;
	const table = word(collection.many);
	return changing(place, async (tx) => {
		const wanted = read(await collection.newRules(tx, websiteId));
		await refuseTakenName(tx, collection, websiteId, wanted, 0);
		await refuseMore(tx, collection, websiteId);
		const created = sql`${value(place.now())}`;
		const columns = Object.entries({
			website_id: sql`${value(websiteId)}`,
			...collection.write(wanted, undefined),
			created_at: created,
			updated_at: created,
		});
		const names = join(
			columns.map(([name]) => word(name)),
			', ',
		);
		const values = join(
			columns.map(([, of]) => of),
			', ',
		);
		const [item] = await tx.rows<Item<A>>(
			sql`INSERT INTO ${table} (${names}) VALUES (${values}) RETURNING ${columnsOf(collection)}`,
		);
		if (!item) throw new Error(`A new ${collection.one} was not stored.`);
		return item;
	});
}

/** Changes what is named and nothing else; `updated_at` moves with every change, even two within a millisecond. */
export async function updateItem<A extends About>(
	place: Place,
	collection: Collection<A>,
	id: number,
	change: { read: Read; isExpected: (item: Item<A>) => boolean },
): Promise<Item<A>> {
	const { websiteId } = place;
	return changing(place, async (tx) => {
		const stored = await readItem(tx, collection, websiteId, id);
		const changes = change.read(await collection.changeRules(tx, websiteId, stored));
		if (!change.isExpected(stored)) throw stale(collection);
		const named = Object.fromEntries(Object.entries(changes).filter(([, of]) => of !== undefined));
		const wanted: Item<A> = { ...stored, ...named };
		if (isDeepStrictEqual(wanted, stored)) return stored;
		await refuseTakenName(tx, collection, websiteId, wanted, id);
		const updated = new Date(Math.max(place.now().getTime(), stored.updatedAt.getTime() + 1));
		const columns = { ...collection.write(wanted, stored), updated_at: sql`${value(updated)}` };
		const set = join(
			Object.entries(columns).map(([name, of]) => sql`${word(name)} = ${of}`),
			', ',
		);
		const [item] = await tx.rows<Item<A>>(sql`
			UPDATE ${word(collection.many)} SET ${set} WHERE id = ${value(id)} RETURNING ${columnsOf(collection)}`);
		if (!item) throw notFound();
		return item;
	});
}

export async function deleteItem<A extends About>(
	place: Place,
	collection: Collection<A>,
	id: number,
	isExpected: (item: Item<A>) => boolean,
): Promise<void> {
	await changing(place, async (tx) => {
		const item = await readItem(tx, collection, place.websiteId, id);
		if (!isExpected(item)) throw stale(collection);
		await collection.release?.(tx, place.websiteId, id);
		await tx.run(sql`DELETE FROM ${word(collection.many)} WHERE id = ${value(id)}`);
	});
}

const stale = ({ one }: { one: string }) =>
	new AppError('precondition_failed', `The ${one} has changed since it was read.`);

/** Of what has a name no two have the same. */
async function refuseTakenName<A extends About>(
	tx: Queries,
	{ one, many }: Collection<A>,
	websiteId: number,
	{ name }: A,
	ownId: number,
): Promise<void> {
	if (name === undefined) return;
	const [other] = await tx.rows(sql`
		SELECT id FROM ${word(many)}
		WHERE website_id = ${value(websiteId)} AND name = ${value(name)} AND id <> ${value(ownId)}`);
	if (other) throw invalid({ name: [`The website already has a ${one} "${name}".`] });
}

async function refuseMore<A extends About>(
	tx: Queries,
	{ one, many, most }: Collection<A>,
	websiteId: number,
): Promise<void> {
	const [row] = await tx.rows<{ count: number }>(
		sql`SELECT count(*) AS count FROM ${word(many)} WHERE website_id = ${value(websiteId)}`,
	);
	if (!row || row.count < most) return;
	const message = `A website may have ${most} ${many} and this one has them.`;
	throw new AppError('limit_reached', message, { errors: { [one]: [message] } });
}

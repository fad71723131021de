/**
 * Fills a website with demo events, up to the current time.
 *
 * Events that exist are recognized by their id and not written again. So each run adds only the missing events, even if an
 * earlier run was interrupted, had fewer days or was a week ago.
 * Events do not go through the event log, which is for acknowledged hits. They are written in batches like those of the
 * writer, so that no day is sealed before its events are written, and the days are sealed again afterwards.
 */
import { setImmediate as breathe } from 'node:timers/promises';
import { type Account, createAccount, getAccountOf, listAccounts } from '../accounts/accounts.ts';
import { blankEvent, type Event } from '../ingest/event.ts';
import { AppError, invalid } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import { addDays, nextDate } from '../lib/local-dates.ts';
import type { ClickHouse } from '../store/clickhouse.ts';
import { namedLock } from '../store/locks.ts';
import type { Postgres, Queries } from '../store/postgres.ts';
import { param, sql, value } from '../store/sql.ts';
import { newWebsiteFields } from '../websites/fields.ts';
import { importWebsites } from '../websites/import-websites.ts';
import { dateOf, toZones, type Zones, zonesColumn } from '../websites/zones.ts';
import { addUsage, closeBatch, noLogRange, openBatch } from '../write/batch.ts';
import { queryIdOf } from '../write/insert.ts';
import { createDemoItems } from './demo-items.ts';
import { type DemoWebsite, expectedVisits, makeDay } from './make-events.ts';

export type DemoServices = { postgres: Postgres; clickhouse: ClickHouse; now: Clock };

export type DemoRequest = { email: string | undefined; domain: string; days: number };

export type Demo = {
	websiteId: number;
	domain: string;
	email: string;
	/** Local dates, both inclusive. */
	from: string;
	to: string;
	/** The number of events of these days, and how many of them were added. */
	events: number;
	added: number;
};

/** The account that was created for the demo, with its API key. */
export type DemoSaid = { email: string; secret: string };

type DemoCaller = {
	report(progress: { done: number; total: number }): void;
	tell(said: DemoSaid): void;
	gone: AbortSignal;
};

const demoEmail = 'demo@example.com';
const demoZone = 'Europe/Berlin';

/** About 5 MB of text in memory. */
const rowsOfABlock = 10_000;

export async function fillDemo(
	services: DemoServices,
	request: DemoRequest,
	caller: DemoCaller,
): Promise<Demo> {
	const { postgres, now } = services;
	const website = { domain: request.domain, timezone: demoZone, privacy: '1' };
	const fault = newWebsiteFields.safeParse(website).error?.issues[0]?.message;
	if (fault) throw invalid({ domain: [fault] });
	const account = await findOrMakeAccount(postgres, now, request.email, caller);
	const [made] = await importWebsites(postgres, now, account.id, [website], () => undefined);
	if (!made) throw new Error('The website was not created.');
	return withLock(postgres, made.id, async () => {
		const { zones, ...stored } = await readWebsite(postgres, made.id);
		await refuseRealWebsite(services, stored, zones);
		if (made.created) {
			const principal = { kind: 'account', accountId: account.id } as const;
			const context = { postgres, now, principal, websiteId: made.id };
			await postgres.transaction((tx) => createDemoItems(tx, context, stored.madeOn));
		}
		const to = dateOf(zones, now().getTime()).date;
		const from = addDays(to, 1 - request.days);
		const counts = await fillDays(services, stored, zones, { from, to, ...caller });
		return {
			websiteId: stored.id,
			domain: stored.domain,
			email: account.email,
			from,
			to,
			...counts,
		};
	});
}

async function findOrMakeAccount(
	postgres: Postgres,
	now: Clock,
	email: string | undefined,
	caller: DemoCaller,
): Promise<Account> {
	const accounts = await listAccounts(postgres);
	if (accounts.length === 0) {
		const wanted = { email: email ?? demoEmail, name: 'Demo', timezone: demoZone };
		const { account, secret } = await postgres.transaction((tx) => createAccount(tx, now, wanted));
		// Immediately, because the key is shown only once and the run may be interrupted.
		caller.tell({ email: account.email, secret });
		return account;
	}
	if (email !== undefined) return getAccountOf(postgres, email);
	const account =
		accounts.length === 1
			? accounts[0]
			: accounts.find((account) => account.email.toLowerCase() === demoEmail);
	if (!account)
		throw new AppError('bad_request', `There are ${accounts.length} accounts. Choose one with --account.`);
	return account;
}

/** Two concurrent runs would write the same events twice. */
async function withLock<T>(postgres: Postgres, websiteId: number, work: () => Promise<T>): Promise<T> {
	const holder = await postgres.dedicatedConnection(() => undefined);
	try {
		const [lock] = await holder.rows<{ taken: boolean }>(
			sql`SELECT pg_try_advisory_lock(${namedLock('demo', `demo ${websiteId}`)}) AS taken`,
		);
		if (!lock?.taken)
			throw new AppError(
				'unavailable',
				`Another command is filling website ${websiteId}. Wait until it has finished.`,
			);
		return await work();
	} finally {
		await holder.end();
	}
}

async function readWebsite(postgres: Queries, id: number): Promise<DemoWebsite & { zones: Zones }> {
	const [website] = await postgres.rows<{
		domain: string;
		createdAt: Date;
		zones: { from: string; zone: string }[];
		isReset: boolean;
	}>(sql`
		SELECT domain, created_at AS "createdAt", ${zonesColumn} AS zones,
			EXISTS (SELECT 1 FROM tombstones WHERE website_id = websites.id) AS "isReset"
		FROM websites WHERE id = ${value(id)}`);
	if (!website) throw gone(id);
	// Events from before a reset are hidden and later erased, so demo events would be erased too.
	if (website.isReset)
		throw new AppError(
			'precondition_failed',
			`The statistics of ${website.domain} were reset, so earlier days cannot be filled. Choose another --domain, or delete the website first.`,
		);
	const zones = toZones(website.zones);
	return { id, domain: website.domain, madeOn: dateOf(zones, website.createdAt.getTime()).date, zones };
}

const gone = (id: number) => new AppError('not_found', `Website ${id} was deleted.`);

/** Refuses a website with real events, because demo events could not be separated from them later. */
async function refuseRealWebsite(
	{ clickhouse }: DemoServices,
	website: DemoWebsite,
	zones: Zones,
): Promise<void> {
	const [first] = await clickhouse.rows<{ date: string }>(
		sql`SELECT toString(min(date)) AS date FROM events WHERE website_id = ${param('UInt32', website.id)} HAVING count() > 0`,
		{ name: 'demo' },
	);
	if (!first) return;
	const known = await knownIds(clickhouse, website.id, first.date, first.date);
	const isDemo = makeDay(website, first.date, zoneOf(zones, first.date)).some((event) =>
		known.has(event.event_id),
	);
	if (!isDemo)
		throw new AppError(
			'precondition_failed',
			`${website.domain} has real events, and demo events would falsify its statistics. Choose another --domain.`,
		);
}

async function knownIds(
	clickhouse: ClickHouse,
	websiteId: number,
	from: string,
	to: string,
): Promise<Set<string>> {
	const ids = new Set<string>();
	const rows = clickhouse.stream<{ event_id: string }>(
		sql`SELECT event_id FROM events WHERE website_id = ${param('UInt32', websiteId)}
			AND date BETWEEN ${param('Date', from)} AND ${param('Date', to)}`,
		{ name: 'demo' },
	);
	for await (const some of rows) for (const { event_id } of some) ids.add(event_id);
	return ids;
}

/** The time zone of a date. */
const zoneOf = (zones: Zones, date: string): string =>
	(zones.findLast(({ from }) => from <= date) ?? zones[0])?.zone ?? demoZone;

async function fillDays(
	services: DemoServices,
	website: DemoWebsite,
	zones: Zones,
	run: Pick<Demo, 'from' | 'to'> & Pick<DemoCaller, 'report' | 'gone'>,
): Promise<{ events: number; added: number }> {
	const dates = datesBetween(run.from, run.to);
	const total = dates.reduce((sum, date) => sum + expectedVisits(website, date), 0);
	const until = services.now().toISOString().replace('T', ' ').slice(0, -1);
	const counts = { events: 0, added: 0 };
	let done = 0;
	for (const month of Map.groupBy(dates, (date) => date.slice(0, 7)).values()) {
		const known = await knownIds(services.clickhouse, website.id, month[0] ?? '', month.at(-1) ?? '');
		// A block contains one month, so that ClickHouse writes it as one part, completely or not at all.
		let block: Event[] = [];
		for (const date of month) {
			for (const event of makeDay(website, date, zoneOf(zones, date))) {
				if (event.time > until) continue;
				counts.events++;
				if (known.has(event.event_id)) continue;
				counts.added++;
				block.push(event);
				if (block.length < rowsOfABlock) continue;
				await writeBlock(services, website.id, block);
				block = [];
			}
			done += expectedVisits(website, date);
			run.report({ done, total });
			// Lets the service handle other requests. Stops if the caller has disconnected.
			await breathe();
			if (run.gone.aborted) throw new AppError('unavailable', 'The command was interrupted.');
		}
		if (block.length > 0) await writeBlock(services, website.id, block);
	}
	return counts;
}

function datesBetween(from: string, to: string): string[] {
	const dates: string[] = [];
	for (let date = from; date <= to; date = nextDate(date)) dates.push(date);
	return dates;
}

async function writeBlock(
	{ postgres, clickhouse }: DemoServices,
	websiteId: number,
	events: readonly Event[],
): Promise<void> {
	const dates = Map.groupBy(events, (event) => event.date);
	const number = await postgres.transaction(async (tx) => {
		const there = await tx.rows(sql`SELECT 1 FROM websites WHERE id = ${value(websiteId)} FOR SHARE`);
		if (there.length === 0) throw gone(websiteId);
		return openBatch(
			tx,
			noLogRange,
			[...dates].map(([date, { length }]) => ({ websiteId, date, events: length })),
		);
	});
	try {
		const { writtenRows } = await clickhouse.insert({
			table: 'events',
			lines: events.map(toLine).join('\n'),
			token: `demo-${websiteId}-${number}`,
			queryId: queryIdOf(number),
		});
		if (writtenRows !== events.length)
			throw new Error(`ClickHouse wrote ${writtenRows} rows of ${events.length} of the demo.`);
	} catch (error) {
		await clickhouse.kill(queryIdOf(number)).catch(() => undefined);
		await closeBatch(postgres, number);
		throw error;
	}
	const views = Map.groupBy(
		events.filter(({ kind }) => kind === 'pageview'),
		({ time }) => `${time.slice(0, 7)}-01`,
	);
	await postgres.transaction(async (tx) => {
		for (const [month, ofMonth] of views) await addUsage(tx, month, new Map([[websiteId, ofMonth.length]]));
		await closeBatch(tx, number);
	});
}

const neutral: Record<string, unknown> = blankEvent;

/** Fields with their default value are omitted; ClickHouse has the same defaults. */
function toLine(event: Event): string {
	const fields: Record<string, unknown> = { kind: event.kind, name: event.name };
	for (const [name, field] of Object.entries(event)) if (field !== neutral[name]) fields[name] = field;
	return JSON.stringify(fields);
}

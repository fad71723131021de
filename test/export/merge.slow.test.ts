/**
 * Two installations with websites of every kind; one is merged into the other, and every number of both is what it was.
 * Killed in the midst and run again it is the same, and a second time it adds nothing.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fillEvents } from '../../bench/fill-events.ts';
import { listTables } from '../../server/backup/contents.ts';
import { examineBackup } from '../../server/backup/examine.ts';
import { createBackupFile, type Piece, readBackup } from '../../server/backup/file.ts';
import { mergeArchive } from '../../server/backup/merge.ts';
import { copiedTables } from '../../server/backup/merge-tables.ts';
import { takeBackup } from '../../server/backup/take.ts';
import { blankEvent } from '../../server/ingest/event.ts';
import type { AppError } from '../../server/lib/app-error.ts';
import { createLog } from '../../server/lib/log.ts';
import { hashPassword } from '../../server/lib/passwords.ts';
import { openStores, type Stores } from '../../server/main.ts';
import type { ClickHouse } from '../../server/store/clickhouse.ts';
import { param, sql, value } from '../../server/store/sql.ts';
import { type Client, client } from '../support/client.ts';
import { websiteOf } from '../support/contract.ts';
import { seededRandom } from '../support/random.ts';
import { type TestAccount, type World, world } from '../support/world.ts';

/** Tables that merge-records.ts fills, and tables whose rows have no meaning in another installation. */
const notCopied = [
	'accounts',
	'people',
	'account_owners',
	'favorites',
	'members',
	'api_keys',
	'account_usage',
	'report_recipients',
	'instance',
	'merged_accounts',
	'merged_people',
	'merged_websites',
	'event_log',
	'tombstones',
	'batches',
	'recent_events',
	'dead_generations',
	'dead_letters',
	'log_positions',
	'log_gaps',
	'large_websites',
	'secret_fingerprint',
	'oidc_providers',
	'oidc_group_roles',
	'oidc_identities',
	'oidc_required',
	'recovery_codes',
	'passkeys',
	'invitations',
	'offers',
	'feeds',
	'boards',
	'share_links',
	'webhooks',
	'website_templates',
	'asked_addresses',
	'mails',
	'mail_counts',
	'alert_deliveries',
	'outbox',
	'watching',
	'public_address',
	'changes',
	'operator_log',
	'operator_keys',
	'sign_up_policy',
];

const random = seededRandom();
const folder = mkdtempSync(join(tmpdir(), 'tidemark-merge-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const archive = join(folder, 'a.tidemark');
const now = () => new Date('2026-11-05T12:00:00Z');
const [a, b] = await Promise.all([world({ after }, { now }), world({ after }, { now, isOwn: true })]);

async function makeWebsite(
	w: World,
	account: TestAccount,
	domain: string,
	timezone: string,
): Promise<number> {
	const { id } = websiteOf(await account.api('POST', '/websites', { form: { domain, timezone } }), 201);
	for (const json of [
		{ name: 'Downloads', kind: 'event', pattern: 'download' },
		{ name: 'First page', kind: 'page', pattern: '/page/0' },
	])
		assert.equal((await account.api('POST', `/websites/${id}/goals`, { json })).status, 201);
	await fillEvents(w.clickhouse, { websiteId: id, from: '2026-10-25', days: 6, events: 1_400, paths: 20 });
	await w.sql(
		`INSERT INTO days (website_id, date, last_batch, size)
			SELECT $1, date, 1, 240 FROM generate_series('2026-10-25'::date, '2026-10-30', '1 day') AS date`,
		[id],
	);
	// The last two days stay open, the first are sealed.
	await w.operate('rebuild', { websiteId: id, to: '2026-10-28' });
	return id;
}

const pagesOf = ['page', 'source', 'country', 'browser', 'goal', 'entry_page', 'device', 'property:plan'];
const dates = 'period=custom&from=2026-10-25&to=2026-11-05';
const filters = encodeURIComponent(JSON.stringify(['is', 'country', ['DE']]));

/** Everything that can be asked of a website, without what tells how it was answered. */
async function numbersOf(api: Client, id: number): Promise<unknown[]> {
	const questions = [
		`/stats?${dates}&interval=day`,
		`/stats?${dates}&interval=day&metrics=visitors,visits,pageviews,bounce_rate,visit_duration,events,revenue,engaged_time,scroll_depth`,
		`/stats?${dates}&filters=${filters}`,
		...pagesOf.map((name) => `/stats/${name}?${dates}&per_page=100`),
		`/stats/page?${dates}&filters=${filters}`,
		`/vitals?${dates}`,
		`/properties?${dates}`,
		'/notes',
	];
	const answers: unknown[] = [];
	for (const question of questions) {
		const { json, status, text } = await api('GET', `/websites/${id}${question}`);
		assert.equal(status, 200, `${question}: ${text}`);
		// Our own answers: `data` is a list of rows, or an object.
		const { data } = json as { data?: unknown };
		const known = Array.isArray(data)
			? data.map(({ id: _, value: shown, ...row }: Record<string, unknown>) =>
					'name' in row ? row : { ...row, shown },
				)
			: data;
		answers.push({ question, known });
	}
	return answers;
}

const countRows = sql`SELECT (SELECT count() FROM events) AS events, (SELECT count() FROM totals) AS totals`;
const countsOf = (w: World) => w.clickhouse.rows(countRows, { as: 'migrate' });

async function withStores<T>(
	w: World,
	work: (stores: Stores & { clickhouse: ClickHouse }) => Promise<T>,
): Promise<T> {
	const stores = await openStores(w.config, { log: createLog('silent', () => undefined), statistics: true });
	try {
		const { clickhouse } = stores;
		if (!clickhouse) throw new Error('The stores have no ClickHouse.');
		return await work({ ...stores, clickhouse });
	} finally {
		await stores.close();
	}
}

const both = {
	a: await a.account({ email: 'both@example.test' }),
	b: await b.account({ email: 'Both@example.test' }),
};
const onlyA = await a.account({ email: 'only-a@example.test' });
const limitedKeys = {
	here: await a.key(onlyA, { scopes: ['stats'], networks: ['127.0.0.0/8'] }),
	elsewhere: await a.key(onlyA, { networks: ['192.0.2.1'] }),
	expiring: await a.key(onlyA, { access: 'read', expiresAt: new Date('2026-11-06T12:00:00Z') }),
};
const madeInB = makeWebsite(b, both.b, 'own.example', 'Asia/Kathmandu');
const ids = {
	plain: await makeWebsite(a, both.a, 'plain.example', 'Europe/Berlin'),
	cut: await makeWebsite(a, both.a, 'cut.example', 'America/New_York'),
	other: await makeWebsite(a, onlyA, 'own.example', 'UTC'),
	emptied: await makeWebsite(a, onlyA, 'emptied.example', 'UTC'),
	own: await madeInB,
};
const goalIds = (
	await a.sql<{ id: string }>('SELECT id FROM goals WHERE website_id = $1 ORDER BY id', [ids.plain])
).map(({ id }) => Number(id));
for (const [path, json] of [
	[
		'segments',
		{ name: 'Got it', filters: ['or', ['is', 'goal', [String(goalIds[0])]], ['is', 'country', ['DE']]] },
	],
	['funnels', { name: 'Way', steps: [{ page: '/page/0' }, { goal: goalIds[0] }] }],
	['notes', { date: '2026-10-26', text: `'); DROP TABLE events; --\t\\N` }],
] as const)
	assert.equal((await both.a.api('POST', `/websites/${ids.plain}/${path}`, { json })).status, 201);
const rules = [{ pattern: '/page/*', target: '/page/:number' }];
assert.equal(
	(await both.a.api('PUT', `/websites/${ids.plain}/path-groups`, { json: { rules } })).status,
	200,
);
await a.sql(`INSERT INTO members (owner_id, member_id, role, created_at) VALUES ($1, $2, 'viewer', now())`, [
	both.a.id,
	onlyA.id,
]);
// Their passkeys stay behind, so their password must not be enough in the other installation.
await a.sql('UPDATE people SET password_hash = $1, passkey_second_factor = true WHERE id = $2', [
	await hashPassword('a tide that comes and goes'),
	onlyA.id,
]);
// Raw data of the first days is gone; their totals stay.
await a.sql(
	`UPDATE websites SET retention_months = 1, raw_from = '2026-10-27', raw_erased_to = '2026-10-27' WHERE id = $1`,
	[ids.cut],
);
for (const table of [sql`events`, sql`visits`])
	await a.clickhouse.command(
		sql`ALTER TABLE ${table} DELETE WHERE website_id = ${param('UInt32', ids.cut)} AND date < '2026-10-27'`,
		{ settings: { mutations_sync: '2' } },
	);
await onlyA.api('POST', `/websites/${ids.emptied}/reset`);

await a.restart(() =>
	withStores(a, async ({ postgres, clickhouse }) => {
		// An event that was acknowledged and is on its way.
		const event = {
			...blankEvent,
			...{
				website_id: ids.plain,
				date: '2026-11-01',
				time: '2026-11-01 10:00:00.000',
				event_id: '77',
				visitor_id: '9',
			},
			...{ path: '/late', hostname: 'plain.example', country: 'DE', properties: { plan: 'pro' } },
		};
		const header = { w: [ids.plain], d: [event.date], v: ['9'], i: ['77'], p: [1], drops: [] };
		await postgres.run(
			sql`SELECT append_to_event_log(${value(JSON.stringify(header))}, ${value(JSON.stringify(event))})`,
		);
		const file = await createBackupFile(archive, undefined);
		const pieces = takeBackup({
			...{ postgres, clickhouse, now, version: 'test', signal: new AbortController().signal },
			report: () => undefined,
		});
		for await (const piece of pieces) await file.take(piece);
		await file.finish();
	}),
);
await a.drain();
const ofA = {
	plain: await numbersOf(both.a.api, ids.plain),
	cut: await numbersOf(both.a.api, ids.cut),
	other: await numbersOf(onlyA.api, ids.other),
	emptied: await numbersOf(onlyA.api, ids.emptied),
};
const ofB = await numbersOf(both.b.api, ids.own);

type Options = { path?: string; account?: string; isDryRun?: boolean };
const mergeWith = async (
	{ postgres, clickhouse }: { postgres: Stores['postgres']; clickhouse: ClickHouse },
	{ path = archive, account, isDryRun = false }: Options = {},
) => {
	const examined = await examineBackup(path, undefined, () => undefined);
	return mergeArchive(
		{ postgres, clickhouse, now, report: () => undefined },
		{ path, passphrase: undefined, examined, account, isDryRun },
	);
};

/** Merges into b in a process that kills itself when it has written that part; says how it ended. */
async function mergeAndKill(part: number): Promise<NodeJS.Signals | null> {
	const { dataFolder, databaseUrl } = b.config;
	const settings = { TIDEMARK_DATA: dataFolder, ...(databaseUrl && { DATABASE_URL: databaseUrl }) };
	const about = JSON.stringify({ settings, path: archive, part });
	const child = spawn(
		process.execPath,
		[join(import.meta.dirname, '..', 'support', 'merge-process.ts'), about],
		{ stdio: ['ignore', 'ignore', 'inherit'] },
	);
	return new Promise((end) => child.once('exit', (_, signal) => end(signal)));
}

/** A copy of the archive with something else in it, sealed as if it were sound. */
async function forge(name: string, change: (piece: Piece) => Piece): Promise<string> {
	const path = join(folder, name);
	const file = await createBackupFile(path, undefined);
	for await (const piece of readBackup(archive, undefined)) {
		if ('head' in piece) await file.take(change({ head: piece.head }));
		else if ('begin' in piece) await file.take(change({ begin: piece.begin }));
		else if ('rows' in piece) await file.take(change(piece.rows));
		else if ('end' in piece) await file.take({ end: true });
	}
	await file.finish();
	return path;
}

const replace = (from: string, to: string) => (piece: Piece) =>
	piece instanceof Uint8Array
		? Buffer.from(Buffer.from(piece).toString('latin1').replaceAll(from, to), 'latin1')
		: piece;

test('every table of PostgreSQL is carried or is said to stay behind', async () => {
	await b.restart(() =>
		withStores(b, async ({ postgres }) => {
			const named = [...copiedTables.map(({ table }) => table), ...notCopied];
			assert.deepEqual(
				(await listTables(postgres)).map(({ name }) => name).filter((name) => !named.includes(name)),
				[],
			);
		}),
	);
});

test('[T42] an archive that is cut, changed, of another version or made to harm changes nothing', async () => {
	const before = await countsOf(b);
	const cut = join(folder, 'cut.tidemark');
	copyFileSync(archive, cut);
	truncateSync(cut, readFileSync(archive).length - 100);
	const flipped = join(folder, 'flipped.tidemark');
	const bytes = readFileSync(archive);
	bytes[Math.floor(bytes.length / 2)] = (bytes[Math.floor(bytes.length / 2)] ?? 0) ^ 1;
	writeFileSync(flipped, bytes);
	const faults: [path: string, says: RegExp][] = [
		[cut, /is damaged at byte/],
		[flipped, /is damaged at byte/],
		[
			await forge('version', (piece) =>
				'head' in piece
					? {
							head: {
								...piece.head,
								postgres: { ...piece.head.postgres, migrations: piece.head.postgres.migrations.slice(1) },
							},
						}
					: piece,
			),
			/another version of Tidemark/,
		],
		[
			await forge('table', (piece) =>
				'begin' in piece && piece.begin.table === 'notes'
					? { begin: { ...piece.begin, table: 'pg_authid' } }
					: piece,
			),
			/rows of the table "pg_authid"/,
		],
		[
			await forge('column', (piece) =>
				'begin' in piece && piece.begin.table === 'events'
					? {
							begin: {
								...piece.begin,
								columns: ['website_id) SELECT 1 --', ...piece.begin.columns.slice(1)],
							},
						}
					: piece,
			),
			/rows of the table "events"/,
		],
		[
			await forge('domain', replace('"domain":"plain.example"', `"domain":"a'; DROP TABLE x"`)),
			/Nothing was merged/,
		],
		[await forge('zone', replace('Europe/Berlin', `Europe/Nowhere`)), /Nothing was merged/],
		[
			await forge('sequence', (piece) =>
				piece instanceof Uint8Array
					? Buffer.from(
							Buffer.from(piece)
								.toString('latin1')
								.replace(/"name":"generations","last":\d+/, '"name":"generations","last":9007199254740000'),
							'latin1',
						)
					: piece,
			),
			/its sequence generations is at/,
		],
	];
	await b.restart(() =>
		withStores(b, async (stores) => {
			for (const [path, says] of faults) await assert.rejects(mergeWith(stores, { path }), says, path);
			await assert.rejects(mergeWith(stores, { account: 'nobody@example.test' }), /no account nobody@/);
			// The only website of its name goes to somebody who has one of that name.
			await assert.rejects(mergeWith(stores, { account: 'both@example.test' }), /Nothing was merged/);
		}),
	);
	assert.deepEqual(await countsOf(b), before);
	assert.equal((await b.sql('SELECT 1 FROM websites')).length, 1);
	assert.deepEqual(await numbersOf(both.b.api, ids.own), ofB);
});

test('[T81] a dry run says what would be done, and does nothing; nothing goes to an unconfirmed account', async () => {
	await b.restart(() =>
		withStores(b, async (stores) => {
			const planned = await mergeWith(stores, { isDryRun: true });
			assert.deepEqual(
				planned.websites.map(({ domain, account, id }) => [domain, account, id]),
				[
					['plain.example', 'Both@example.test', null],
					['cut.example', 'Both@example.test', null],
					['own.example', 'only-a@example.test', null],
					['emptied.example', 'only-a@example.test', null],
				],
			);
			assert.deepEqual(planned.newAccounts, ['only-a@example.test']);
			// Somebody else may have entered the address here.
			const { postgres } = stores;
			await postgres.run(sql`UPDATE people SET confirmed_at = NULL`);
			await assert.rejects(mergeWith(stores, { isDryRun: true }), (error: AppError) => {
				assert.match(error.errors?.['Both@example.test']?.[0] ?? '', /unconfirmed address/);
				return true;
			});
			await assert.rejects(
				mergeWith(stores, { isDryRun: true, account: 'both@example.test' }),
				/Both@example\.test is unconfirmed/,
			);
			await postgres.run(sql`UPDATE people SET confirmed_at = now()`);
		}),
	);
	assert.equal((await b.sql('SELECT 1 FROM merged_websites')).length, 0);
});

test('after a merge that was killed and run again every number of both is what it was, and a second one adds nothing', async () => {
	const before = await countsOf(b);
	await b.restart(async () => {
		// First only some of it is written; then, at its end, everything is and nothing is done.
		for (const part of [random.whole(1_000) / 1_000, 1])
			assert.equal(await mergeAndKill(part), 'SIGKILL', `part ${part}`);
		await withStores(b, async (stores) => {
			// Or it was not killed in the midst.
			assert.notDeepEqual(await stores.clickhouse.rows(countRows, { as: 'migrate' }), before);
			const [left] = await stores.postgres.rows<{ done: number }>(
				sql`SELECT count(*) FILTER (WHERE done_at IS NOT NULL) AS done FROM merged_websites`,
			);
			const first = await mergeWith(stores);
			assert.equal(first.websites.length + first.known, 4);
			assert.equal(first.known, left?.done ?? 0);
			const second = await mergeWith(stores);
			assert.deepEqual([second.websites, second.known], [[], 4]);
			const [events] = await stores.clickhouse.rows<{ rows: string; different: string }>(sql`
				SELECT count() AS rows, uniqExact(website_id, event_id) AS different FROM events`);
			assert.equal(events?.rows, events?.different);
		});
	});
	const rows = await b.sql<{ origin_id: string; website_id: string }>(
		'SELECT origin_id, website_id FROM merged_websites',
	);
	const here = new Map(rows.map((row) => [Number(row.origin_id), Number(row.website_id)]));
	const idHere = (old: number) => here.get(old) ?? 0;
	assert.deepEqual(await numbersOf(both.b.api, ids.own), ofB);
	// The key of an account that is new here came along.
	const theirs = client(b.base, onlyA.key);
	// With its limits: [T134] what limited a key there limits it here.
	const website = `/websites/${idHere(ids.other)}`;
	const statusOf = async ({ key }: { key: string }, path: string) =>
		(await client(b.base, key)('GET', path)).status;
	assert.deepEqual(
		[
			await statusOf(limitedKeys.here, website),
			await statusOf(limitedKeys.here, `${website}/settings`),
			await statusOf(limitedKeys.elsewhere, website),
			await statusOf(limitedKeys.expiring, website),
		],
		[200, 403, 401, 200],
	);
	const limits =
		'SELECT scopes, networks, expires_at, access FROM api_keys WHERE restricted_digest IS NOT NULL';
	assert.deepEqual(await b.sql(`${limits} ORDER BY id`), await a.sql(`${limits} ORDER BY id`));
	for (const [name, api] of [
		['plain', both.b.api],
		['cut', both.b.api],
		['other', theirs],
		['emptied', theirs],
	] as const)
		assert.deepEqual(await numbersOf(api, idHere(ids[name])), ofA[name], name);
	const [segment] = await b.sql<{ filters: unknown }>('SELECT filters FROM segments');
	const [goal] = await b.sql<{ id: string }>(
		`SELECT id FROM goals WHERE website_id = $1 AND name = 'Downloads'`,
		[idHere(ids.plain)],
	);
	assert.deepEqual(segment?.filters, ['or', ['is', 'goal', [String(goal?.id)]], ['is', 'country', ['DE']]]);
	const [funnel] = await b.sql<{ steps: unknown }>('SELECT steps FROM funnels');
	assert.deepEqual(funnel?.steps, [{ page: '/page/0' }, { goal: Number(goal?.id) }]);
	const groups = await b.sql<{ website_id: string; rules: unknown }>(
		'SELECT website_id, rules FROM path_groups',
	);
	assert.deepEqual(
		groups.map((group) => [Number(group.website_id), group.rules]),
		[[idHere(ids.plain), rules]],
	);
	const members = await b.sql<{ website_id: string | null; role: string }>(
		'SELECT website_id, role FROM members ORDER BY website_id',
	);
	// Not on the website that the account had here before.
	assert.deepEqual(
		members.map((member) => Number(member.website_id)),
		[idHere(ids.plain), idHere(ids.cut)].sort((x, y) => x - y),
	);
	assert.deepEqual(
		(
			await b.sql(
				'SELECT p.email, a.website_count, p.password_hash FROM accounts a JOIN people p USING (id) ORDER BY id',
			)
		).map((row) => ({ ...row })),
		[
			{ email: 'Both@example.test', website_count: 3, password_hash: null },
			{ email: 'only-a@example.test', website_count: 2, password_hash: null },
		],
	);
});

test('what is sealed later on what came along counts, and what was there before goes on', async () => {
	const [plain] = await b.sql<{ website_id: string }>(
		'SELECT website_id FROM merged_websites WHERE origin_id = $1',
		[ids.plain],
	);
	const id = Number(plain?.website_id);
	const before = await numbersOf(both.b.api, id);
	await b.operate('rebuild', { websiteId: id });
	assert.deepEqual(await numbersOf(both.b.api, id), before);
	const { differences } = await b.operate('check', { websiteId: id });
	assert.deepEqual(differences, []);
});

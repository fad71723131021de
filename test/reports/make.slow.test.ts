import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { pendingInTable } from '../../server/event-log/postgres-log.ts';
import { AppError } from '../../server/lib/app-error.ts';
import { addDays } from '../../server/lib/local-dates.ts';
import type { ReportPeriod } from '../../server/reports/periods.ts';
import { periodAround } from '../../server/reports/periods.ts';
import type { Report, ReportRow } from '../../server/reports/report.ts';
import { freshDomain, websiteOf } from '../support/contract.ts';
import { seededRandom } from '../support/random.ts';
import { reporting } from '../support/reporting.ts';
import { storeEvents } from '../support/stored-events.ts';
import { type TestAccount, world } from '../support/world.ts';

const random = seededRandom();
let moment = new Date('2026-11-16T06:30:00.000Z');
const at = (time: string) => {
	moment = new Date(time);
};
const w = await world({ after }, { now: () => moment });
const r = await reporting(w, { after }, () => moment);

beforeEach(async () => {
	await w.sql('DELETE FROM websites');
	await w.sql('DELETE FROM reports');
	await w.sql('DELETE FROM outbox');
});

type Wanted = { schedule?: string; digest?: boolean; locale?: string };
async function account({ schedule = 'week', digest = false, locale }: Wanted = {}): Promise<TestAccount> {
	const made = await w.account({ timezone: 'UTC', ...(locale !== undefined && { locale }) });
	await w.sql(
		`UPDATE accounts SET report_schedule = $2, report_digest = $3, reports_since = '2000-01-01' WHERE id = $1`,
		[made.id, schedule, digest],
	);
	return made;
}

async function website(of: TestAccount, fields: Record<string, string> = {}): Promise<number> {
	const made = await of.api('POST', '/websites', {
		form: { domain: freshDomain('r'), timezone: 'UTC', email: '1', ...fields },
	});
	return websiteOf(made, 201).id;
}

const one = (date: string) => [{ date, time: `${date} 12:00:00.000` }];

/** A website with one visitor on these dates, sealed. */
async function measured(of: TestAccount, dates: readonly string[], fields: Record<string, string> = {}) {
	const id = await website(of, fields);
	for (const date of dates) await storeEvents(w, id, one(date));
	await r.seal(id);
	return id;
}

/** What was made, in words. */
const made = async () =>
	(await r.reports()).map(({ website_id, kind, from }) => `${website_id} ${kind} ${from}`);

/** Days full of visitors by chance, with pages and sources that come and go. */
function chance(from: string, days: number) {
	const pages = ['/', '/a', '/b', '/c/d', '/thanks', ...Array.from({ length: 12 }, (_, n) => `/post-${n}`)];
	return Array.from({ length: days }, (_, day) => addDays(from, day)).flatMap((date) =>
		Array.from({ length: 4 + random.whole(12) }, () => {
			const hour = String(6 + random.whole(12)).padStart(2, '0');
			const visitor = {
				visitor_id: String(1 + random.whole(8)),
				source: random.pick(['', '', 'Google', 'Mastodon', 'news.example']),
				country: random.pick(['DE', 'FR', 'JP', '']),
			};
			return {
				date,
				...visitor,
				event_id: String(1 + random.whole(2 ** 31)),
				time: `${date} ${hour}:${String(random.whole(60)).padStart(2, '0')}:00.000`,
				path: random.pick(pages),
				...(random.whole(6) === 0 && {
					...{ kind: 'custom' as const, name: 'signup' },
					...{ revenue: String(1 + random.whole(90)), currency: random.pick(['EUR', 'EUR', 'USD']) },
				}),
			};
		}),
	);
}

/** What chance may leave out: ten pages, both goals and a source that rose, on one day. */
const certain = (date: string) =>
	['/thanks', ...Array.from({ length: 10 }, (_, n) => `/post-${n}`)].flatMap((path, n) => {
		const event = { date, visitor_id: String(100 + n), source: 'Risen', path };
		return [
			{ ...event, event_id: String(2 ** 32 + 2 * n), time: `${date} 12:00:00.000` },
			{
				...event,
				...{ event_id: String(2 ** 32 + 2 * n + 1), time: `${date} 12:00:10.000` },
				...{ kind: 'custom' as const, name: 'signup' },
			},
		];
	});

/** A page and a source that were there the period before, and no longer are. */
const gone = (date: string) =>
	Array.from({ length: 5 }, (_, n) => ({
		date,
		visitor_id: String(200 + n),
		event_id: String(2 ** 33 + Date.parse(date) / 86_400_000 + n * 100_000),
		time: `${date} 12:00:00.000`,
		source: `Gone ${date}`,
		path: `/gone-${date}`,
	}));

async function goal(websiteId: number, name: string, kind: 'page' | 'event', pattern: string) {
	await w.sql(
		`INSERT INTO goals (website_id, revision, name, kind, pattern, created_at, updated_at)
		VALUES ($1, nextval('goal_revisions'), $2, $3, $4, now(), now())`,
		[websiteId, name, kind, pattern],
	);
}

type Days = { from: string; to: string };

/** Every number of a report beside what the API says of the same dates. */
async function compareWithApi(owner: TestAccount, id: number, report: Report, period: ReportPeriod) {
	const ask = async (path: string, { from, to }: Days, more = '') => {
		const answer = await owner.api(
			'GET',
			`/websites/${id}/stats${path}?period=custom&from=${from}&to=${to}${more}`,
		);
		assert.equal(answer.status, 200, answer.text);
		// What it holds is compared whole below.
		return (answer.json as { data: never }).data;
	};
	const names = Object.keys(report.totals) as (keyof Report['totals'])[];
	const spans = { now: period, before: period.before, yearAgo: period.yearAgo };
	for (const [which, span] of Object.entries(spans) as ['now' | 'before' | 'yearAgo', Days][]) {
		const { totals, series } = (await ask('', span, `&interval=day&metrics=${names.join(',')}`)) as {
			totals: Record<string, number | null>;
			series: { time: string; visitors: number }[];
		};
		for (const name of names)
			assert.equal(report.totals[name][which], totals[name], `${period.kind} ${name} ${which}`);
		if (which === 'now')
			assert.deepEqual(
				report.series.map(({ day, visitors }) => [day, visitors]),
				series.map(({ time, visitors }) => [time, visitors]),
			);
		if (which === 'before')
			assert.deepEqual(
				report.series.map(({ before }) => before),
				report.series.map((_, index) => series[index]?.visitors ?? null),
			);
	}
	type Row = {
		value: string;
		name?: string;
		visitors: number;
		conversions: number;
		conversion_rate: number;
		revenue: Record<string, number>;
	};
	const rows = (dimension: string, span: Days, metrics = 'visitors'): Promise<Row[]> =>
		ask(`/${dimension}`, span, `&metrics=${metrics}&per_page=100`);
	const lists: [string, readonly ReportRow[]][] = [
		['page', report.pages],
		['source', report.sources],
		['country', report.countries],
	];
	for (const [dimension, told] of lists) {
		const now = await rows(dimension, period);
		const before = await rows(dimension, period.before);
		const visitorsBefore = (value: string) => before.find((row) => row.value === value)?.visitors ?? 0;
		assert.deepEqual(
			told,
			now.slice(0, 10).map(({ value, visitors }) => ({ value, visitors, before: visitorsBefore(value) })),
			dimension,
		);
		if (dimension === 'country') continue;
		const gains = now
			.filter(({ value }) => value !== '')
			.map((row) => row.visitors - visitorsBefore(row.value));
		const risen = report.risen.find(({ kind }) => kind === dimension);
		assert.equal(
			risen ? risen.visitors - risen.before : 0,
			Math.max(0, ...gains),
			`${dimension} that rose most`,
		);
		if (risen) assert.equal(risen.before, visitorsBefore(risen.value));
		const visitorsNow = (value: string) => now.find((row) => row.value === value)?.visitors ?? 0;
		const losses = before
			.filter(({ value }) => value !== '')
			.map((row) => row.visitors - visitorsNow(row.value));
		const fallen = report.fallen?.find(({ kind }) => kind === dimension);
		assert.equal(
			fallen ? fallen.before - fallen.visitors : 0,
			Math.max(0, ...losses),
			`${dimension} that fell most`,
		);
		if (fallen) assert.equal(fallen.visitors, visitorsNow(fallen.value));
	}
	for (const [which, span] of Object.entries(spans) as ['now' | 'before' | 'yearAgo', Days][]) {
		const { totals } = (await ask('', span, '&metrics=revenue')) as { totals: { revenue: object } };
		assert.deepEqual(report.revenue?.[which], totals.revenue, `${period.kind} revenue ${which}`);
	}
	const metrics = 'conversions,conversion_rate,revenue';
	const before = await rows('goal', period.before, metrics);
	assert.deepEqual(
		report.goals,
		(await rows('goal', period, metrics)).map((row) => ({
			name: row.name,
			conversions: row.conversions,
			rate: row.conversion_rate,
			before: before.find(({ value }) => value === row.value)?.conversions ?? 0,
			revenue: row.revenue,
		})),
	);
	assert.ok(
		report.pages.length === 10 && report.goals.length === 2 && report.risen.length > 0,
		'there is something',
	);
	assert.ok(Object.keys(report.revenue?.now ?? {}).length > 0 && (report.fallen ?? []).length > 0);
}

test(`every number of a report is the API's for the same dates (SEED=${random.seed})`, async (t) => {
	t.diagnostic(`SEED=${random.seed}`);
	const owner = await account({ schedule: 'both' });
	const id = await website(owner, { timezone: 'Europe/Berlin' });
	await goal(id, 'Signed up', 'event', 'signup');
	await goal(id, 'Thanks', 'page', '/thanks');
	// June and what it is compared with: April to June, and the same a year ago.
	await storeEvents(w, id, [
		...chance('2026-04-27', 66),
		...certain('2026-05-27'),
		...gone('2026-05-20'),
		...gone('2026-04-28'),
	]);
	await storeEvents(w, id, chance('2025-05-20', 45));
	await r.seal(id);
	at('2026-06-01T05:00:00Z');
	assert.equal(await r.run(), 2, 'a Monday that is a 1st has both');
	const reports = await r.reports();
	const contentOf = (kind: string) => reports.find((row) => row.kind === kind)?.content;
	const [monthly, weekly] = [contentOf('month'), contentOf('week')];
	assert.ok(monthly && weekly);
	assert.deepEqual(
		[weekly.from, weekly.to, monthly.from, monthly.to],
		['2026-05-25', '2026-05-31', '2026-05-01', '2026-05-31'],
	);
	await compareWithApi(owner, id, weekly, periodAround('week', weekly.from));
	await compareWithApi(owner, id, monthly, periodAround('month', monthly.from));
	assert.equal(weekly.isProvisional, false);
	assert.equal(weekly.madeAt, '2026-06-01T05:00:00.000Z');
	assert.equal(weekly.website.timezone, 'Europe/Berlin');
});

test('what was not measured yet is not nothing', async () => {
	const owner = await account();
	await measured(owner, ['2026-11-10']);
	at('2026-11-16T07:00:00Z');
	await r.run();
	const [report] = await r.reports();
	assert.deepEqual(report?.content.totals.visitors, { now: 1, before: null, yearAgo: null });
	assert.deepEqual(report?.content.pages, [{ value: '/', visitors: 1, before: null }]);
	assert.deepEqual([report?.content.risen, report?.content.fallen], [[], []]);
	assert.deepEqual(report?.content.revenue, { now: {}, before: null, yearAgo: null });
});

test('[T78] one report and one mail, made by whoever comes first, however often they are asked for', async () => {
	const owner = await account();
	const id = await measured(owner, ['2026-11-10']);
	at('2026-11-16T06:59:59Z');
	assert.equal(await r.run(), 0, 'not before 07:00');
	at('2026-11-16T07:00:00Z');
	const runs = await Promise.all([r.run(), r.run(), r.run()]);
	assert.equal(
		runs.reduce((sum, count) => sum + count, 0),
		1,
	);
	assert.equal(await r.run(), 0);
	assert.deepEqual(await made(), [`${id} week 2026-11-09`]);
	assert.deepEqual(await r.mails(), [
		{ key: `report:${owner.id}:${id}:week:2026-11-09`, recipient: owner.email, state: 'waiting' },
	]);
	at('2026-11-23T07:00:00Z');
	assert.equal(await r.run(), 1, 'a week later there is the next one');
});

test('who gets none: switched off, never measured, another schedule, disabled, or asked for it only since', async () => {
	at('2026-11-16T07:00:00Z');
	const owner = await account();
	await measured(owner, ['2026-11-10'], { email: '0' });
	await website(owner);
	await measured(owner, ['2026-11-16']);
	await measured(await account({ schedule: 'month' }), ['2026-11-10']);
	await measured(await account({ schedule: 'none' }), ['2026-11-10']);
	const disabled = await account();
	await measured(disabled, ['2026-11-10']);
	await w.operate('account.disable', { email: disabled.email, disabled: true });
	const late = await account();
	await measured(late, ['2026-11-10']);
	await w.sql(`UPDATE accounts SET reports_since = '2026-11-16T07:00:01Z' WHERE id = $1`, [late.id]);
	assert.equal(await r.run(), 0);
	assert.deepEqual(await made(), []);
});

test('a report waits for its days to be sealed, three hours at most, and then says that it is provisional', async () => {
	const owner = await account();
	const id = await measured(owner, ['2026-11-10']);
	await storeEvents(w, id, [{ ...one('2026-11-15')[0], date: '2026-11-15', event_id: '77' }]);
	at('2026-11-16T09:59:00Z');
	assert.equal(await r.run(), 0);
	at('2026-11-16T10:00:00Z');
	assert.equal(await r.run(), 1);
	const [report] = await r.reports();
	assert.equal(report?.is_provisional, true);
	assert.equal(report?.content.isProvisional, true);
	assert.equal(report?.content.totals.visitors.now, 2, 'with what is known by then');
});

test('a report waits for what was collected and is not written yet', async () => {
	const owner = await account();
	await measured(owner, ['2026-11-10']);
	at('2026-11-16T07:30:00Z');
	// The writer of the service would look at it: it is there for the length of a transaction that is never committed.
	await r.services.postgres
		.transaction(async (tx) => {
			await tx.script(
				`INSERT INTO event_log (seq, appended_at, header, lines, bytes) VALUES (-1, '2026-11-16T01:30:00Z', '', '', 0)`,
			);
			const seen = { ...r.services.postgres, rows: tx.rows };
			assert.equal(await r.run({ postgres: seen, eventLog: pendingInTable(seen) }), 0);
			throw new Error('enough');
		})
		.catch((error: Error) => assert.equal(error.message, 'enough'));
	assert.equal(await r.run(), 1);
});

test('[F33] a service that was off makes it when it is back; after three days it is left out', async () => {
	const owner = await account({ schedule: 'both' });
	const id = await measured(owner, ['2026-10-05', '2026-10-28'], { timezone: 'America/New_York' });
	// The clocks went back on Sunday, 1 November; 07:00 on Monday is 12:00 UTC.
	at('2026-11-02T11:59:59Z');
	await r.run();
	assert.deepEqual(await made(), [`${id} month 2026-10-01`], 'the 1st was a Sunday');
	at('2026-11-05T11:59:00Z');
	await r.run();
	assert.deepEqual((await made()).slice(1), [`${id} week 2026-10-26`]);
	at('2026-12-04T12:00:01Z');
	assert.equal(await r.run(), 0, '1 December is more than three days ago');
});

test('[F33] a website that changes its zone gets the report of a week once', async () => {
	at('2026-11-14T00:00:00Z');
	const owner = await account();
	const id = await measured(owner, ['2026-11-10'], { timezone: 'Pacific/Auckland' });
	at('2026-11-15T18:00:00Z');
	assert.equal(await r.run(), 1, '07:00 in Auckland');
	const answer = await owner.api('PATCH', `/websites/${id}`, { form: { timezone: 'Pacific/Honolulu' } });
	assert.equal(answer.status, 200, answer.text);
	for (const time of ['2026-11-16T17:00:00Z', '2026-11-17T17:00:00Z', '2026-11-18T17:00:00Z']) {
		at(time);
		assert.equal(await r.run(), 0, time);
	}
	at('2026-11-23T16:59:59Z');
	assert.equal(await r.run(), 0);
	at('2026-11-23T17:00:00Z');
	assert.equal(await r.run(), 1, '07:00 in Honolulu');
});

test('a digest gathers the websites of an account that are due together, once all are there', async () => {
	const owner = await account({ digest: true });
	const ids = [await measured(owner, ['2026-11-10']), await measured(owner, ['2026-11-11'])];
	const berlin = await measured(owner, ['2026-11-11'], { timezone: 'Europe/Berlin' });
	const open = await measured(owner, ['2026-11-11']);
	await storeEvents(w, open, [{ ...one('2026-11-15')[0], date: '2026-11-15', event_id: '78' }]);
	at('2026-11-16T07:00:00Z');
	assert.equal(await r.run(), 3);
	assert.deepEqual(
		(await r.mails()).map(({ key }) => key),
		[`report:${owner.id}:${berlin}:week:2026-11-09`],
		'one of UTC is still missing',
	);
	await r.seal(open);
	await Promise.all([r.run(), r.run()]);
	assert.deepEqual((await r.mails()).map(({ key }) => key).slice(1), [
		`digest:${owner.id}:${ids[0]}:week:2026-11-09`,
	]);
	assert.equal((await r.reports()).filter((row) => row.awaits_digest).length, 0);
	const [mail] = await w.sql<{ text: string }>(
		`SELECT content ->> 'text' AS text FROM outbox WHERE key LIKE 'digest:%'`,
	);
	for (const id of [...ids, open]) assert.match(mail?.text ?? '', new RegExp(`/websites/${id}\\b`));
	assert.doesNotMatch(mail?.text ?? '', new RegExp(`/websites/${berlin}\\b`));
	// One whose email is switched on afterwards is late for it, and gets a mail of its own.
	const late = await measured(owner, ['2026-11-12']);
	assert.equal(await r.run(), 1);
	assert.deepEqual((await r.mails()).map(({ key }) => key).slice(2), [
		`report:${owner.id}:${late}:week:2026-11-09`,
	]);
});

test('a digest whose key was used before its first website was reset becomes one mail per report', async () => {
	const owner = await account({ digest: true });
	const ids = [await measured(owner, ['2026-11-10']), await measured(owner, ['2026-11-11'])];
	const key = `digest:${owner.id}:${ids[0]}:week:2026-11-09`;
	await w.sql(
		`INSERT INTO outbox (kind, key, recipient, state, next_at, created_at, ended_at)
		VALUES ('mail', $1, 'a@example.test', 'sent', now(), now(), now())`,
		[key],
	);
	at('2026-11-16T07:00:00Z');
	await r.run();
	assert.deepEqual((await r.mails()).map((mail) => mail.key).toSorted(), [
		key,
		...ids.map((id) => `report:${owner.id}:${id}:week:2026-11-09`),
	]);
});

test('reports that are turned off while their digest waits are not mailed', async () => {
	const owner = await account({ digest: true });
	const [kept, off] = [await measured(owner, ['2026-11-10']), await measured(owner, ['2026-11-10'])];
	const stopped = await account({ digest: true });
	await measured(stopped, ['2026-11-10']);
	const open = [await measured(owner, ['2026-11-11']), await measured(stopped, ['2026-11-11'])];
	for (const id of open)
		await storeEvents(w, id, [{ ...one('2026-11-15')[0], date: '2026-11-15', event_id: String(900 + id) }]);
	at('2026-11-16T07:00:00Z');
	assert.equal(await r.run(), 3);
	await w.sql('UPDATE websites SET email = false WHERE id = $1', [off]);
	await w.sql(`UPDATE accounts SET report_schedule = 'none' WHERE id = $1`, [stopped.id]);
	for (const id of open) await r.seal(id);
	await r.run();
	assert.deepEqual(
		(await r.mails()).map(({ key }) => key),
		[`digest:${owner.id}:${kept}:week:2026-11-09`],
	);
	const [mail] = await w.sql<{ text: string }>(
		`SELECT content ->> 'text' AS text FROM outbox WHERE key LIKE 'digest:%'`,
	);
	assert.doesNotMatch(mail?.text ?? '', new RegExp(`/websites/${off}\\b`));
	assert.equal((await r.reports()).filter((row) => row.awaits_digest).length, 0);
});

test('a digest does not wait for ever for a report that cannot be made', async () => {
	const owner = await account({ digest: true });
	await measured(owner, ['2026-11-10']);
	const broken = await measured(owner, ['2026-11-10']);
	const stats: typeof r.services.stats = {
		...r.services.stats,
		ask: (question, by) =>
			question.website.id === broken
				? Promise.reject(new Error('broken'))
				: r.services.stats.ask(question, by),
	};
	at('2026-11-16T07:00:00Z');
	assert.equal(await r.run({ stats }), 1);
	assert.deepEqual(await r.mails(), []);
	at('2026-11-16T11:00:01Z');
	assert.equal(await r.run({ stats }), 0);
	assert.equal((await r.mails()).length, 1);
	assert.match(r.log(), /report could not be created/);
});

test('a report is sent without its first sentence if what changed takes more than a query may', async () => {
	const owner = await account();
	await measured(owner, ['2026-11-04', '2026-11-10']);
	at('2026-11-16T07:00:00Z');
	const refusing = (refusal: AppError): typeof r.services.stats => ({
		...r.services.stats,
		ask: (question, by) =>
			question.breakdowns.some(({ isCompared }) => isCompared)
				? Promise.reject(refusal)
				: r.services.stats.ask(question, by),
	});
	const away = new AppError('unavailable', 'The engine is not reachable.', { retryAfterSeconds: 5 });
	assert.equal(await r.run({ stats: refusing(away) }), 0, 'made when the engine is back');
	at('2026-11-16T07:10:00Z');
	const tooLarge = new AppError('unavailable', 'This query exceeds the memory limit.');
	assert.equal(await r.run({ stats: refusing(tooLarge) }), 1);
	const [report] = await r.reports();
	assert.equal(report?.content.explained, null);
	assert.equal(report?.content.totals.visitors.before, 1);
});

test('without a mail server reports are made and nothing is queued', async () => {
	for (const digest of [true, false]) await measured(await account({ digest }), ['2026-11-10']);
	at('2026-11-16T07:00:00Z');
	assert.equal(await r.run({ hasMail: false }), 2);
	assert.deepEqual(await r.mails(), []);
	assert.equal((await r.reports()).filter((row) => row.awaits_digest).length, 0);
});

test('when the engine is away nothing is lost: after some failures the run ends, and the next one makes them', async () => {
	const owner = await account();
	for (let n = 0; n < 12; n++) await measured(owner, ['2026-11-10']);
	at('2026-11-16T07:00:00Z');
	let asked = 0;
	const stats: typeof r.services.stats = {
		...r.services.stats,
		ask: () => {
			asked++;
			return Promise.reject(new Error('away'));
		},
	};
	assert.equal(await r.run({ stats }), 0);
	assert.ok(asked < 20, `${asked} questions`);
	assert.equal(await r.run(), 12);
});

test('reports go with their website, when its statistics are emptied, and after 13 months', async () => {
	const owner = await account();
	const [gone, emptied, kept] = [
		await measured(owner, ['2026-11-10']),
		await measured(owner, ['2026-11-10']),
		await measured(owner, ['2026-11-10']),
	];
	at('2026-11-16T07:00:00Z');
	assert.equal(await r.run(), 3);
	assert.equal((await owner.api('DELETE', `/websites/${gone}`)).status, 200);
	assert.equal((await owner.api('POST', `/websites/${emptied}/reset`)).status, 200);
	assert.deepEqual(await made(), [`${kept} week 2026-11-09`]);
	at('2027-12-17T07:00:01Z');
	await r.run();
	assert.equal((await made()).filter((text) => text.endsWith('2026-11-09')).length, 0);
});

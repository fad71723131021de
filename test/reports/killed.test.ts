import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { readConfig } from '../../server/config.ts';
import { createOpenDays } from '../../server/derive/open-days.ts';
import { pendingInTable } from '../../server/event-log/postgres-log.ts';
import { addDays } from '../../server/lib/local-dates.ts';
import { createLog } from '../../server/lib/log.ts';
import { openStores } from '../../server/main.ts';
import { sendMails } from '../../server/notify/mail/queue.ts';
import { createSmtp } from '../../server/notify/mail/smtp.ts';
import { createReportJob } from '../../server/reports/make-due.ts';
import { createStats } from '../../server/stats/answer/ask.ts';
import { createResultCache } from '../../server/stats/answer/result-cache.ts';
import { sql, value } from '../../server/store/sql.ts';
import { engineFor } from '../engine/engine.ts';
import { type Manner, startMailServer } from '../support/mail-server.ts';
import { seededRandom } from '../support/random.ts';
import type { ReportProcess } from '../support/report-process.ts';
import { temporaryFolder } from '../support/service.ts';
import { copyTemplate } from '../support/template.ts';

/** Of the whole run: MAIL_ROUNDS=200 SEED=7 npm test -- test/reports */
const rounds = Number(process.env.MAIL_ROUNDS) || 4;
const livesOfARound = 3;
const migrations = join('migrations', 'clickhouse');

/** Accounts, each with its websites by their zones; the last one wants a digest. */
const accounts = [
	['UTC'],
	['Europe/Berlin'],
	['Australia/Lord_Howe', 'America/Santiago'],
	['Pacific/Apia', 'Pacific/Honolulu', 'Asia/Kathmandu'],
	['Africa/Cairo', 'Africa/Cairo', 'Africa/Cairo', 'America/New_York'],
];
const digestOf = accounts.length;

test(`[T78] [F42] [F33] a report arrives once, whoever is killed and whatever the mail server does (${rounds} rounds)`, async (t) => {
	const random = seededRandom();
	t.diagnostic(`SEED=${random.seed}`);
	const log = createLog('silent', () => undefined);
	const folder = join(temporaryFolder(t), 'data');
	copyTemplate(folder);
	const stores = await openStores(readConfig({ TIDEMARK_DATA: folder }), { log, statistics: false });
	t.after(() => stores.close());
	const { engine, clickhouse } = await engineFor(t);
	for (const file of readdirSync(migrations).sort())
		await clickhouse.script(readFileSync(join(migrations, file), 'utf8'));
	const { postgres, postgresConnection } = stores;
	assert.ok(postgresConnection);
	const server = await startMailServer(t);

	for (const [index, zones] of accounts.entries()) {
		const id = index + 1;
		await postgres.run(sql`
			INSERT INTO accounts (name, email, locale, timezone, created_at, confirmed_at, report_digest, reports_since)
			VALUES ('A', ${value(`a${id}@example.test`)}, 'en', 'UTC', now(), now(), ${value(id === digestOf)}, '2000-01-01')`);
		for (const [number, zone] of zones.entries()) {
			const [website] = await postgres.rows<{ id: number }>(sql`
				INSERT INTO websites (account_id, domain, privacy, email, exclude_bots, timezone, created_at, updated_at)
				VALUES (${value(id)}, ${value(`w${number}.a${id}.example`)}, 1, true, true, ${value(zone)}, now(), now())
				RETURNING id`);
			await postgres.run(
				sql`INSERT INTO website_zones VALUES (${value(website?.id)}, '0001-01-01', ${value(zone)})`,
			);
			await postgres.run(sql`
				INSERT INTO days (website_id, date, last_batch, sealed_batch, generation)
				VALUES (${value(website?.id)}, '2023-01-01', 1, 1, 1)`);
		}
	}
	/** What must arrive in a round, by recipient. */
	const expected = new Map(
		accounts.map((zones, index) => [
			`a${index + 1}@example.test`,
			index + 1 === digestOf ? new Set(zones).size : zones.length,
		]),
	);

	let moment = new Date();
	const now = () => moment;
	const openDays = createOpenDays({ postgres, clickhouse, now, log });
	t.after(() => openDays.close());
	const signal = new AbortController().signal;
	async function finish() {
		const smtp = createSmtp({
			...{ host: '127.0.0.1', port: server.port, tls: 'none', from: 'Tidemark <stats@example.test>' },
			...{ user: undefined, password: undefined },
		});
		await createReportJob()({
			...{ postgres, eventLog: pendingInTable(postgres), now, log, signal, hasMail: true },
			links: { baseUrl: () => 'https://stats.example.test', key: Buffer.alloc(32, 7) },
			quota: { perAccount: 1_000, inAll: 100_000, log },
			stats: createStats({
				postgres,
				clickhouse,
				openDays,
				results: createResultCache(),
				now,
				engineMemoryMb: undefined,
			}),
		});
		await postgres.run(sql`UPDATE outbox SET next_at = created_at WHERE state = 'waiting'`);
		await sendMails({ postgres, now, log, smtp, signal });
	}

	const children = new Set<ChildProcess>();
	t.after(async () => {
		for (const child of children) child.kill('SIGKILL');
	});
	/** Two processes at once; each is killed after a while or kills itself. */
	async function live(smtpPort: number) {
		const about = (): ReportProcess => ({
			postgres: postgresConnection ?? { connectionString: '' },
			engine: engine.connection,
			smtpPort,
			now: moment.toISOString(),
			diesAfter: random.whole(2) === 0 ? 1 + random.whole(120) : null,
		});
		const pair = [about(), about()].map((one) =>
			fork('test/support/report-process.ts', [JSON.stringify(one)]),
		);
		for (const child of pair) children.add(child);
		const ended = pair.map((child) => once(child, 'exit'));
		await Promise.all(pair.map((child, index) => Promise.race([once(child, 'message'), ended[index]])));
		for (const child of pair) {
			await pause(random.whole(350));
			child.kill('SIGKILL');
		}
		await Promise.all(ended);
		for (const child of pair) children.delete(child);
	}

	const counted = { sent: 0, unknown: 0 };
	// A Monday and the next, over the days on which clocks are set: at 18:00 UTC all of them are due.
	for (let round = 0; round < rounds; round++) {
		const monday = addDays('2026-03-02', 7 * round);
		moment = new Date(`${monday}T18:00:00Z`);
		server.forget();
		const manners: Manner[] = [
			...['take', 'take', 'take', 'take', 'take slowly'],
			...['refuse for now', 'cut before the end', 'cut after the end'],
		] as const satisfies Manner[];
		server.behave(() => random.pick(manners));
		for (let life = 0; life < livesOfARound; life++) {
			// Now and then nobody is there.
			await live(random.whole(5) === 0 ? 1 : server.port);
			await postgres.run(sql`UPDATE outbox SET next_at = created_at WHERE state = 'waiting'`);
		}
		server.behave(() => 'take');
		await finish();

		const from = addDays(monday, -7);
		const reports = await postgres.rows<{ id: number; waits: boolean }>(
			sql`SELECT website_id AS id, awaits_digest AS waits FROM reports WHERE from_day = ${value(from)}::date`,
		);
		assert.equal(reports.length, accounts.flat().length, `${monday}: one report a website`);
		assert.equal(reports.filter(({ waits }) => waits).length, 0);
		const mails = await postgres.rows<{ key: string; recipient: string; state: string }>(
			sql`SELECT key, recipient, state FROM outbox WHERE key LIKE ${value(`%:week:${from}%`)}`,
		);
		const came = await server.mails();
		for (const [recipient, count] of expected) {
			const queued = mails.filter((mail) => mail.recipient === recipient);
			assert.equal(queued.length, count, `${monday} ${recipient}: ${queued.map(({ key }) => key)}`);
			const sent = queued.filter(({ state }) => state === 'sent').length;
			const unknown = queued.filter(({ state }) => state === 'unknown').length;
			assert.equal(sent + unknown, count, `${monday} ${recipient}: ${queued.map(({ state }) => state)}`);
			const arrived = came.filter((mail) => mail.to?.some(({ address }) => address === recipient));
			assert.ok(
				arrived.length >= sent && arrived.length <= count,
				`${monday} ${recipient}: ${arrived.length} came, ${sent} sent, ${unknown} unknown`,
			);
			// None of them twice: what each is about is told by its links.
			const about = arrived.map((mail) => mail.text?.match(/\/websites\/\d+/g)?.join(' ') ?? mail.subject);
			assert.equal(new Set(about).size, arrived.length, `${monday} ${recipient}: ${about}`);
			counted.sent += sent;
			counted.unknown += unknown;
		}
	}
	t.diagnostic(`${counted.sent} sent, ${counted.unknown} unknown`);
	assert.ok(counted.sent > counted.unknown);
});

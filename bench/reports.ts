/**
 * Ten thousand websites whose weekly report is due at the same moment: how long until the last mail has left for a mail server
 * on this machine, how much memory that takes, and what it does to collection.
 *
 * npm run bench -- reports [websites, 10000 unless said otherwise] [hits a second, 50]
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';
import { readConfig } from '../server/config.ts';
import { addDays } from '../server/lib/local-dates.ts';
import { createLog } from '../server/lib/log.ts';
import { openStores } from '../server/main.ts';
import { openPostgres, type PostgresTarget } from '../server/store/postgres.ts';
import { param, sql, value } from '../server/store/sql.ts';
import { residentMb } from '../test/engine/engine.ts';
import { engineOf } from '../test/support/service.ts';
import { percentile, printTable } from './table.ts';

const websites = Number(process.argv[2] ?? 10_000);
const hitsASecond = Number(process.argv[3] ?? 50);
const perAccount = 50;
/** Rows of totals a day and website: the whole, 40 pages, 20 sources, 10 countries, and what a report does not ask for. */
const valuesADay = 150;
/** In the past: what is collected meanwhile is written down by PostgreSQL's own clock, and must not look older than the report. */
const monday = '2026-11-09';
/** The job looks every minute, for the first time a minute after the start: the minute before is measured without reports. */
const clock = `${monday}T06:58:40Z`;
const wantedMinutes = 15;

const folder = mkdtempSync(join(tmpdir(), 'tidemark-bench-'));
const log = createLog('warn');
const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

let taken = 0;
const sink = new SMTPServer({
	authOptional: true,
	disabledCommands: ['AUTH', 'STARTTLS'],
	onData: (stream, _session, done) => {
		stream.resume();
		stream.once('end', () => {
			taken++;
			done();
		});
	},
});
sink.on('error', () => undefined);
await new Promise<void>((resolve) => sink.listen(0, '127.0.0.1', resolve));
const address = sink.server.address();
if (address === null || typeof address === 'string') throw new Error('A port has no number.');

try {
	const target = await fill();
	const service = await serve(address.port);
	try {
		await measure(service, target);
	} finally {
		await service.stop();
	}
} finally {
	sink.close();
	rmSync(folder, { recursive: true, force: true });
}

/** Websites with totals of the week, of the one before and of the one a year ago. */
async function fill(): Promise<PostgresTarget> {
	const stores = await openStores(readConfig({ TIDEMARK_DATA: folder }), { log, statistics: true });
	try {
		const { postgres, clickhouse, postgresConnection } = stores;
		if (!clickhouse || !postgresConnection) throw new Error('The stores are not complete.');
		await postgres.run(sql`
			INSERT INTO accounts (name, email, locale, timezone, created_at, confirmed_at, reports_since)
			SELECT 'A', 'a' || n || '@example.test', 'en', 'UTC', now(), now(), '2026-01-01'
			FROM generate_series(1, ${value(Math.ceil(websites / perAccount))}) AS n`);
		await postgres.run(sql`
			INSERT INTO websites (account_id, domain, privacy, email, exclude_bots, timezone, created_at, updated_at)
			SELECT 1 + (n - 1) / ${value(perAccount)}, 'w' || n || '.example', 1, true, true, 'UTC', now(), now()
			FROM generate_series(1, ${value(websites)}) AS n`);
		await postgres.run(sql`INSERT INTO website_zones SELECT id, '0001-01-01', 'UTC' FROM websites`);
		const dates = [7, 14, 371].flatMap((back) =>
			Array.from({ length: 7 }, (_, day) => addDays(monday, day - back)),
		);
		for (const [index, date] of dates.entries()) {
			const generation = index + 1;
			await clickhouse.command(
				sql`
				INSERT INTO totals (website_id, dimension, date, generation, value, visitors, visits, bounces, seconds, views, visit_views)
				SELECT 1 + intDiv(number, ${param('UInt32', valuesADay)}) AS website,
					multiIf(nth = 0, '', nth <= 40, 'page', nth <= 60, 'source', nth <= 70, 'country', 'browser'),
					${param('Date', date)}, ${param('UInt64', generation)},
					multiIf(nth = 0, '', nth <= 40, concat('/page/', toString(nth)), nth <= 60, concat('source ', toString(nth)),
						nth <= 70, ['DE', 'FR', 'US', 'GB', 'JP', 'PL', 'IT', 'ES', 'BR', 'IN'][nth - 60], toString(nth)),
					rand(1) % 500, rand(2) % 600, rand(3) % 200, rand(4) % 90000, rand(5) % 2000, rand(5) % 2000
				FROM (
					SELECT number, number % ${param('UInt32', valuesADay)} AS nth
					FROM numbers(${param('UInt64', websites * valuesADay)})
				)`,
				{ as: 'ingest' },
			);
			await postgres.run(sql`
				INSERT INTO days (website_id, date, last_batch, sealed_batch, generation, size)
				SELECT id, ${value(date)}::date, 1, 1, ${value(generation)}, 1000 FROM websites`);
		}
		await postgres.script('ANALYZE');
		return postgresConnection;
	} finally {
		await stores.close();
	}
}

async function serve(smtpPort: number) {
	const args = ['test/support/serve-at.ts', clock, 'serve', '--data', folder, '--port', '0'];
	const child = spawn(process.execPath, args, {
		env: {
			...process.env,
			TIDEMARK_SMTP_HOST: '127.0.0.1',
			TIDEMARK_SMTP_PORT: String(smtpPort),
			TIDEMARK_SMTP_TLS: 'none',
			TIDEMARK_MAIL_FROM: 'Tidemark <stats@example.test>',
			TIDEMARK_RATE_LIMIT: '100000000',
		},
		// What it logs is about days and mails by the thousand.
		stdio: ['ignore', 'pipe', 'ignore'],
	});
	const base = await new Promise<string>((resolve, reject) => {
		let output = '';
		child.stdout.on('data', (bytes: Buffer) => {
			output += bytes.toString();
			const address = /^Tidemark is ready at (http\S+)$/m.exec(output)?.[1];
			if (address) resolve(address);
		});
		child.once('exit', () => reject(new Error(`It did not start: ${output}`)));
	});
	return {
		base,
		pid: child.pid ?? 0,
		stop: () =>
			new Promise<void>((resolve) => {
				child.removeAllListeners('exit');
				child.once('exit', () => resolve());
				child.kill('SIGTERM');
			}),
	};
}

/** Hits at a steady pace, whether the ones before are answered or not. */
function load(base: string) {
	const times: number[] = [];
	let failed = 0;
	const timer = setInterval(async () => {
		const began = performance.now();
		try {
			const { status } = await fetch(`${base}/tm`, {
				method: 'POST',
				headers: { 'content-type': 'text/plain', 'user-agent': agent },
				body: JSON.stringify({
					...{ w: 1, i: randomBytes(8).toString('hex'), n: 'pageview' },
					u: `https://w1.example/page/${times.length % 500}`,
				}),
			});
			if (status !== 202) failed++;
		} catch {
			failed++;
		}
		times.push(performance.now() - began);
	}, 1000 / hitsASecond);
	return {
		/** Those since it was asked last. */
		take: () => times.splice(0),
		failed: () => failed,
		stop: () => clearInterval(timer),
	};
}

async function measure({ base, pid }: { base: string; pid: number }, target: PostgresTarget) {
	const postgres = openPostgres(target, { log, connections: 1 });
	const most = { service: 0, engine: 0 };
	const look = () => {
		most.service = Math.max(most.service, residentMb(pid));
		most.engine = Math.max(most.engine, residentMb(engineOf(pid) ?? pid));
	};
	const count = async () => {
		const [row] = await postgres.rows<{ made: number; sent: number; ended: number }>(sql`
			SELECT (SELECT count(*) FROM reports) AS made, count(*) FILTER (WHERE state = 'sent') AS sent,
				count(*) FILTER (WHERE ended_at IS NOT NULL) AS ended
			FROM outbox WHERE kind = 'mail'`);
		return row ?? { made: 0, sent: 0, ended: 0 };
	};
	const hits = load(base);
	try {
		await sleep(5_000);
		hits.take();
		while ((await count()).made === 0) {
			await sleep(250);
			look();
		}
		const before = { times: hits.take(), ...structuredClone(most) };
		const began = performance.now();
		let madeMs: number | undefined;
		let told = 0;
		for (;;) {
			await sleep(1_000);
			look();
			const { made, sent, ended } = await count();
			if (made >= websites) madeMs ??= performance.now() - began;
			if (performance.now() - told > 15_000) {
				console.log(`${Math.round((performance.now() - began) / 1000)} s: ${made} made, ${sent} sent`);
				told = performance.now();
			}
			if (ended >= websites) break;
			if (performance.now() - began > 2 * wantedMinutes * 60_000) break;
		}
		const seconds = (performance.now() - began) / 1000;
		const during = hits.take();
		const { made, sent } = await count();
		printTable(
			['', 'figure', 'wanted'],
			[
				['reports made', made, websites],
				['mails sent, and taken by the mail server', `${sent}, ${taken}`, websites],
				['until the last report was made, s', Math.round((madeMs ?? 0) / 1000), ''],
				['until the last mail was sent, s', Math.round(seconds), `< ${wantedMinutes * 60}`],
				['mails a second', (sent / seconds).toFixed(1), ''],
			],
		);
		const p = (times: number[], part: number) => percentile(times, part).toFixed(1);
		printTable(
			['', 'before', 'during'],
			[
				[`collection at ${hitsASecond} a second, median ms`, p(before.times, 0.5), p(during, 0.5)],
				['p99 ms', p(before.times, 0.99), p(during, 0.99)],
				['hits', before.times.length, during.length],
				['hits not taken', 0, hits.failed()],
				['memory of the service, most, MB', Math.round(before.service), Math.round(most.service)],
				['memory of the engine, most, MB', Math.round(before.engine), Math.round(most.engine)],
			],
		);
	} finally {
		hits.stop();
		await postgres.close();
	}
}

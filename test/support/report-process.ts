/** A process that makes and sends what is due until it is killed, or kills itself at a step of the test's choice. */
import { createOpenDays } from '../../server/derive/open-days.ts';
import type { EngineConnection } from '../../server/engine/supervise.ts';
import { pendingInTable } from '../../server/event-log/postgres-log.ts';
import { holding } from '../../server/jobs/schedule.ts';
import { createLog } from '../../server/lib/log.ts';
import { sendMails } from '../../server/notify/mail/queue.ts';
import { createSmtp } from '../../server/notify/mail/smtp.ts';
import { createReportJob } from '../../server/reports/make-due.ts';
import { createStats } from '../../server/stats/answer/ask.ts';
import { createResultCache } from '../../server/stats/answer/result-cache.ts';
import { createClickHouse } from '../../server/store/clickhouse.ts';
import {
	openPostgres,
	type Postgres,
	type PostgresTarget,
	type Queries,
} from '../../server/store/postgres.ts';

export type ReportProcess = {
	postgres: PostgresTarget;
	engine: EngineConnection;
	smtpPort: number;
	now: string;
	/** After so many statements it kills itself; null: it waits to be killed. */
	diesAfter: number | null;
};

const about: ReportProcess = JSON.parse(process.argv[2] ?? '');
const log = createLog('silent', () => undefined);
const now = () => new Date(about.now);
const signal = new AbortController().signal;
let left = about.diesAfter ?? Number.POSITIVE_INFINITY;

const step = () => {
	if (--left <= 0) process.kill(process.pid, 'SIGKILL');
};

function counted(queries: Queries): Queries {
	return {
		...queries,
		rows: (query) => {
			step();
			return queries.rows(query);
		},
		rowsUnprepared: (query) => {
			step();
			return queries.rowsUnprepared(query);
		},
		run: (query) => {
			step();
			return queries.run(query);
		},
	};
}

const opened = openPostgres(about.postgres, { log, connections: 6 });
const postgres: Postgres = {
	...opened,
	...counted(opened),
	transaction: async (work) => {
		const result = await opened.transaction(async (tx) => {
			const done = await work(counted(tx));
			// Just before the commit, and just after it.
			step();
			return done;
		});
		step();
		return result;
	},
};
const clickhouse = createClickHouse(about.engine, { log });
const openDays = createOpenDays({ postgres: opened, clickhouse, now, log });
const smtp = createSmtp({
	...{ host: '127.0.0.1', port: about.smtpPort, tls: 'none', from: 'Tidemark <stats@example.test>' },
	...{ user: undefined, password: undefined },
});
const reports = {
	...{ postgres, eventLog: pendingInTable(opened), now, log, signal, hasMail: true },
	links: { baseUrl: () => 'https://stats.example.test', key: Buffer.alloc(32, 7) },
	quota: { perAccount: 1_000, inAll: 100_000, log },
	stats: createStats({
		postgres: opened,
		clickhouse,
		openDays,
		results: createResultCache(),
		now,
		engineMemoryMb: undefined,
	}),
};
await opened.ping();
process.send?.('ready');
// Reports without the lock of their job, which a process may lose without knowing: they are made once all the same.
const making = (async () => {
	for (;;) await createReportJob()(reports).catch(() => undefined);
})();
for (;;) {
	await holding(opened, 'send mails', () => sendMails({ postgres, now, log, smtp, signal })).catch(
		() => undefined,
	);
	await new Promise((resolve) => setTimeout(resolve, 5));
	void making;
}

/** Hides, restores, seals and deletes events all the time, in a process of its own that can be killed. */
import { sealDays } from '../../server/derive/seal.ts';
import type { SealDay } from '../../server/derive/seal-types.ts';
import type { EngineConnection } from '../../server/engine/supervise.ts';
import { createDeletion, undoDeletion } from '../../server/items/deletions.ts';
import { findSelected, lastBatch } from '../../server/items/selected-events.ts';
import { deleteHiddenEvents } from '../../server/jobs/delete-hidden-events.ts';
import { createLog } from '../../server/lib/log.ts';
import { getStatsContext } from '../../server/stats/question/stats-context.ts';
import { createClickHouse } from '../../server/store/clickhouse.ts';
import type { PostgresConnection } from '../../server/store/embedded-postgres.ts';
import { openPostgres } from '../../server/store/postgres.ts';
import { sql } from '../../server/store/sql.ts';
import { seededRandom } from './random.ts';
import { sealServices } from './sealing.ts';

export type DeletionStep = 'hide' | 'undo' | 'seal' | 'delete';

export type DeletionProcess = {
	postgres: PostgresConnection;
	engine: EngineConnection;
	seed: number;
	days: SealDay[];
	paths: string[];
	/** What it is killed in. */
	step: DeletionStep;
};

const {
	postgres: postgresConnection,
	engine,
	seed,
	days,
	paths,
	step,
}: DeletionProcess = JSON.parse(process.argv[2] ?? '');
const log = createLog('silent', () => undefined);
const postgres = openPostgres(postgresConnection, { log, connections: 3 });
const clickhouse = createClickHouse(engine, { log });
const services = sealServices({ postgres, clickhouse, now: () => new Date(), log });
const random = seededRandom(seed);
const websiteId = 1;
const principal = { kind: 'account', accountId: 1, isOperator: false } as const;
const context = { now: services.now, principal, websiteId };
const { signal } = new AbortController();

async function hide() {
	const { website } = await getStatsContext(
		postgres,
		{ kind: 'nobody' },
		{ id: websiteId, domain: 'a.example' },
	);
	const values = [random.pick(paths), random.pick(paths)];
	const conditions = [{ field: 'path', property: null, test: 'is', values } as const];
	const selection = { conditions, from: null, to: null, untilMs: Date.now() };
	const batch = await lastBatch(postgres, websiteId);
	// With the name of a rule, its values stay when the events are deleted.
	const subject = { selection, ruleId: null, name: 'A rule' };
	const found = await findSelected({ postgres, clickhouse }, website, subject, signal);
	if (found.days.length === 0) return;
	await postgres.transaction((tx) => createDeletion(tx, context, { ...found, batch, keepDays: 30 }));
}

async function undo() {
	const hidden = await postgres.rows<{ id: number }>(sql`
		SELECT id FROM deletions WHERE state = 'hidden' AND delete_at > now() ORDER BY id`);
	if (hidden.length > 0)
		await postgres.transaction((tx) => undoDeletion(tx, context, random.pick(hidden).id));
}

/** Final deletions, of sealed days. */
async function prepareDelete() {
	await postgres.run(sql`UPDATE deletions SET delete_at = now() WHERE state = 'hidden' AND id % 2 = 0`);
	await sealDays(services, days, 'whole');
}

const steps: Record<DeletionStep, () => Promise<unknown>> = {
	hide,
	undo,
	seal: () => sealDays(services, days, 'whole'),
	delete: () => deleteHiddenEvents(services),
};

process.stdout.write('ready\n');
for (;;) {
	try {
		await hide();
		if (random.next() < 0.5) await undo();
		if (step === 'delete') await prepareDelete();
		process.stdout.write('begins\n');
		await steps[step]();
		process.stdout.write('ended\n');
	} catch (error) {
		// The engine is away for a moment, or as many are hidden as may be.
		process.stdout.write(`failed ${error}\n`);
	}
}

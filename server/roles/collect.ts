import { join } from 'node:path';
import type { EventLog } from '../event-log/event-log.ts';
import { withFairQueue } from '../event-log/fair-queue.ts';
import { refuseForgottenNats } from '../event-log/forgotten-nats.ts';
import { createPostgresLog } from '../event-log/postgres-log.ts';
import type { IngestServices } from '../ingest/ingest.ts';
import { createLiveTail } from '../ingest/live-tail.ts';
import { watchGeoDatabase } from '../ingest/lookups/geo-database.ts';
import { watchOperatorDatabase } from '../ingest/lookups/operator-database.ts';
import { createSalts } from '../ingest/lookups/salts.ts';
import { createTrackedWebsites } from '../ingest/lookups/tracked-websites.ts';
import { createWebsiteRateLimits } from '../ingest/website-rate-limits.ts';
import { createSaltFiles, createSaltTables } from '../store/salt-store.ts';
import type { RoleContext } from './context.ts';

/** The event log is a PostgreSQL table, or in NATS if NATS_URL is set. */
export async function openEventLog(context: RoleContext): Promise<EventLog> {
	const eventLog = await chooseEventLog(context);
	context.opened.push(() => eventLog.close());
	return eventLog;
}

async function chooseEventLog({ config, postgres, log }: RoleContext): Promise<EventLog> {
	const options = { log, maxWaiting: 50_000, maxLogBytes: config.maxLogMb * 1_000_000 };
	if (config.natsUrl === undefined) {
		await refuseForgottenNats(postgres);
		return createPostgresLog(postgres, options);
	}
	// Loaded only here: most installations do not use NATS.
	const { openJetStreamLog } = await import('../event-log/jetstream-log.ts');
	return openJetStreamLog(postgres, {
		...options,
		nats: { url: config.natsUrl, ca: config.natsCa, monitorUrl: config.natsMonitorUrl },
		partitions: config.natsPartitions,
	});
}

/** The role api needs it too, because servers send events through the API. */
export async function openCollect(
	{ config, postgres, now, log, opened }: RoleContext,
	eventLog: EventLog,
): Promise<IngestServices> {
	const websites = createTrackedWebsites(postgres);
	opened.push(() => websites.close());
	const saltStore =
		config.databaseUrl === undefined
			? createSaltFiles(join(config.dataFolder, 'salts'))
			: createSaltTables(postgres);
	const salts = createSalts(saltStore, now, log);
	opened.push(async () => salts.close());
	// Some may have expired while the service was stopped.
	await salts.destroySpent();
	const geo = await watchGeoDatabase(config, log);
	opened.push(async () => geo.close());
	const operators = await watchOperatorDatabase(config, log);
	opened.push(async () => operators.close());
	const rateLimits = createWebsiteRateLimits({
		hitsPerSecond: config.websiteHitLimit,
		eventLog,
		now,
		monotonicMs: () => performance.now(),
	});
	return {
		websites,
		salts,
		rateLimits,
		lookups: { geo, operators },
		needsAttribution: () => geo.needsAttribution() || operators.needsAttribution(),
		hasOperators: operators.isInstalled,
		liveTail: createLiveTail(),
		now,
		eventLog: withFairQueue(eventLog),
	};
}

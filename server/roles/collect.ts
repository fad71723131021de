import { join } from 'node:path';
import { createBudgets } from '../collect/budgets.ts';
import type { CollectServices } from '../collect/keep.ts';
import { withLanes } from '../collect/lanes.ts';
import { openPlaces } from '../collect/places.ts';
import { createSalts } from '../collect/salts.ts';
import { createTrackedWebsites } from '../collect/tracked-websites.ts';
import { createWatchers } from '../collect/watchers.ts';
import { createEventLog, type EventLog } from '../store/event-log.ts';
import { openJetStreamLog, refuseForgottenNats } from '../store/jetstream-log.ts';
import { createSaltFiles, createSaltTables } from '../store/salt-store.ts';
import type { Base } from './base.ts';

/** Where events wait between collect and write: in a table of PostgreSQL, or in NATS where the settings name it. */
export async function openEventLog(base: Base): Promise<EventLog> {
	const eventLog = await chooseEventLog(base);
	base.opened.push(() => eventLog.close());
	return eventLog;
}

async function chooseEventLog({ config, postgres, log }: Base): Promise<EventLog> {
	const options = { log, maxWaiting: 50_000, maxLogBytes: config.maxLogMb * 1_000_000 };
	if (config.natsUrl === undefined) {
		await refuseForgottenNats(postgres);
		return createEventLog(postgres, options);
	}
	return openJetStreamLog(postgres, {
		...options,
		nats: { url: config.natsUrl, ca: config.natsCa, monitorUrl: config.natsMonitorUrl },
		partitions: config.natsPartitions,
	});
}

/** What makes an event of a hit. The role api has it too: servers send events by the interface. */
export async function openCollect(base: Base, eventLog: EventLog): Promise<CollectServices> {
	const { config, postgres, now, log, opened } = base;
	const websites = createTrackedWebsites(postgres);
	opened.push(() => websites.close());
	const saltStore =
		config.databaseUrl === undefined
			? createSaltFiles(join(config.dataFolder, 'salts'))
			: createSaltTables(postgres);
	const salts = createSalts(saltStore, now, log);
	opened.push(async () => salts.close());
	// Those that came to their end while nobody ran.
	await salts.destroySpent();
	const places = await openPlaces(config.geoFile);
	const budgets = createBudgets({
		...{ hitsASecond: config.websiteHitLimit, eventLog, now, ticks: () => performance.now() },
	});
	return {
		...{ websites, salts, budgets, lists: { places }, watchers: createWatchers(), now },
		eventLog: withLanes(eventLog),
	};
}

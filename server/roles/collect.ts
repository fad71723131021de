import { join } from 'node:path';
import type { CollectServices } from '../collect/keep.ts';
import { openPlaces } from '../collect/places.ts';
import { createSalts } from '../collect/salts.ts';
import { createTrackedWebsites } from '../collect/tracked-websites.ts';
import { createWatchers } from '../collect/watchers.ts';
import { createEventLog, type EventLog } from '../store/event-log.ts';
import { createSaltFiles, createSaltTables } from '../store/salt-store.ts';
import type { Base } from './base.ts';

/** Where events wait between collect and write: in PostgreSQL. */
export function openEventLog({ config, postgres, log, opened }: Base): EventLog {
	const eventLog = createEventLog(postgres, {
		log,
		maxWaiting: 50_000,
		maxLogBytes: config.maxLogMb * 1_000_000,
	});
	opened.push(() => eventLog.close());
	return eventLog;
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
	return { websites, salts, eventLog, lists: { places }, watchers: createWatchers(), now };
}

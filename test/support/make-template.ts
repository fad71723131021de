import { readConfig } from '../../server/config.ts';
import { createLog } from '../../server/lib/log.ts';
import { openStores } from '../../server/stores.ts';

/** Makes empty stores in a new folder, and in this database where one is named; see template.ts. */
export async function makeStores(folder: string, databaseUrl?: string): Promise<void> {
	const config = readConfig({ TIDEMARK_DATA: folder, ...(databaseUrl && { DATABASE_URL: databaseUrl }) });
	const stores = await openStores(config, { log: createLog('silent', () => undefined), statistics: true });
	await stores.close();
}

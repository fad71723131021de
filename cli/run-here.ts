/** An operation in the process of its command, on a folder that no service runs on. */
import type { Config } from '../server/config.ts';
import type { Hear } from '../server/control/call.ts';
import {
	isOfAnyVersion,
	needsOf,
	type OperationInput,
	type OperationName,
	type OperationResult,
	type Report,
	runOperation,
} from '../server/control/operations.ts';
import { systemClock } from '../server/lib/clock.ts';
import { createLog } from '../server/lib/log.ts';
import { version } from '../server/lib/package.ts';
import { openAsTheyAre, openStores, ownSecret, smtpSettings } from '../server/main.ts';
import { FolderInUse } from '../server/store/folder-lock.ts';

export const isFolderInUse = (error: unknown): boolean => error instanceof FolderInUse;

export async function runHere<N extends OperationName>(
	config: Config,
	name: N,
	input: OperationInput<N>,
	{ report, hear }: { report: Report; hear: Hear },
) {
	if (needsOf(name) === 'service')
		throw new Error(`Tidemark is not running on ${config.dataFolder}. Start it with: tidemark serve`);
	const hand = async (said: unknown) => hear(said);
	const tell = (said: unknown) => {
		void hear(said);
		return true;
	};
	const log = createLog(config.logLevel === 'info' ? 'warn' : config.logLevel);
	const open = isOfAnyVersion(name) ? openAsTheyAre : openStores;
	const stores = await open(config, { log, statistics: needsOf(name) === 'statistics' });
	try {
		// The row of the table gives the type; runOperation looks it up by the same name.
		return (await runOperation(
			{
				postgres: stores.postgres,
				clickhouse: stores.clickhouse,
				mail: smtpSettings(config),
				version,
				secret: ownSecret(config),
				doctor: { config },
				now: systemClock,
				log,
			},
			name,
			input,
			// Who leaves takes this process with them.
			{ report, tell, hand, gone: new AbortController().signal },
		)) as OperationResult<N>;
	} finally {
		await stores.close();
	}
}

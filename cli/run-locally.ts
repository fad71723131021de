/** Runs an operation in the process of the command, on a folder that no service runs on. */
import type { Config } from '../server/config.ts';
import type { OnMessage } from '../server/control/call.ts';
import type { Report } from '../server/control/operation.ts';
import {
	needsOf,
	type OperationInput,
	type OperationName,
	type OperationResult,
	readsOf,
	runOperation,
} from '../server/control/operations.ts';
import { systemClock } from '../server/lib/clock.ts';
import { createLog } from '../server/lib/log.ts';
import { version } from '../server/lib/package.ts';
import {
	countPending,
	hasStatistics,
	openStores,
	openToRead,
	ownSecret,
	readServiceSecret,
	smtpSettings,
} from '../server/main.ts';
import { FolderInUse } from '../server/store/folder-lock.ts';

export const isFolderInUse = (error: unknown): boolean => error instanceof FolderInUse;

export async function runLocally<N extends OperationName>(
	config: Config,
	name: N,
	input: OperationInput<N>,
	{ report, onMessage }: { report: Report; onMessage: OnMessage },
) {
	if (needsOf(name) === 'service')
		throw new Error(`Tidemark is not running on ${config.dataFolder}. Start it with: tidemark serve`);
	const send = async (message: unknown) => onMessage(message);
	const trySend = (message: unknown) => {
		void onMessage(message);
		return true;
	};
	const log = createLog(config.logLevel === 'info' ? 'warn' : config.logLevel);
	const [needs, reads] = [needsOf(name), readsOf(name)];
	const statistics = needs === 'statistics' || (needs === 'whatever there is' && hasStatistics(config));
	const stores =
		reads === undefined
			? await openStores(config, { log, statistics })
			: await openToRead(config, { log, statistics, ofAnyVersion: reads === 'any version' });
	try {
		// runOperation looks up the row of the same name, which has this result.
		return (await runOperation(
			{
				postgres: stores.postgres,
				clickhouse: stores.clickhouse,
				mail: smtpSettings(config),
				version,
				secret: ownSecret(config),
				readSecret: () => readServiceSecret(config, stores.postgres),
				doctor: { config, pending: () => countPending(stores) },
				now: systemClock,
				log,
			},
			name,
			input,
			// The client is this process, so it cannot disconnect.
			{ report, trySend, send, signal: new AbortController().signal },
		)) as OperationResult<N>;
	} finally {
		await stores.close();
	}
}

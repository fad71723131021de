import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../server/config.ts';
import { callControl, type Hear } from '../server/control/control.ts';
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
import { controlPath, openAsTheyAre, openStores, ownSecret, smtpSettings, version } from '../server/main.ts';
import { FolderInUse } from '../server/store/folder-lock.ts';
import { showProgress } from './progress.ts';

const waitForFolderMs = 15_000;

/**
 * Runs an operation: in the service when it is up on the folder, else here, with the engines started for it. Two
 * commands at once on a folder without a service wait for each other.
 */
export async function operate<N extends OperationName>(
	config: Config,
	name: N,
	input: OperationInput<N>,
	hear: Hear = () => undefined,
): Promise<OperationResult<N>> {
	const giveUpAt = Date.now() + waitForFolderMs;
	const progress = showProgress();
	try {
		for (;;) {
			const answered = await callControl(controlPath(config), name, input, progress.report, hear);
			if (answered) return answered.result;
			if (needsOf(name) === 'service')
				throw new Error(`Tidemark is not running on ${config.dataFolder}. Start it with: tidemark serve`);
			try {
				return await runHere(config, name, input, { report: progress.report, hear });
			} catch (error) {
				if (!(error instanceof FolderInUse) || Date.now() > giveUpAt) throw error;
				await sleep(200);
			}
		}
	} finally {
		progress.end();
	}
}

async function runHere<N extends OperationName>(
	config: Config,
	name: N,
	input: OperationInput<N>,
	{ report, hear }: { report: Report; hear: Hear },
) {
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

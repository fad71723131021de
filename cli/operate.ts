import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../server/config.ts';
import { callControl } from '../server/control/control.ts';
import {
	type OperationInput,
	type OperationName,
	type OperationResult,
	runOperation,
} from '../server/control/operations.ts';
import { systemClock } from '../server/lib/clock.ts';
import { createLog } from '../server/lib/log.ts';
import { controlPath, openStores } from '../server/main.ts';
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
): Promise<OperationResult<N>> {
	const giveUpAt = Date.now() + waitForFolderMs;
	const progress = showProgress();
	try {
		for (;;) {
			const answered = await callControl(controlPath(config), name, input, progress.report);
			if (answered) return answered.result;
			try {
				return await runHere(config, name, input, progress.report);
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
	report: ReturnType<typeof showProgress>['report'],
) {
	const log = createLog(config.logLevel === 'info' ? 'warn' : config.logLevel);
	const stores = await openStores(config, { log, statistics: false });
	try {
		// The row of the table gives the type; runOperation looks it up by the same name.
		return (await runOperation(
			{ postgres: stores.postgres, now: systemClock },
			name,
			input,
			report,
		)) as OperationResult<N>;
	} finally {
		await stores.close();
	}
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../server/config.ts';
import { callControl, controlPath, type Hear } from '../server/control/call.ts';
import type { OperationInput, OperationName, OperationResult } from '../server/control/operations.ts';
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
			// Only now: it is the whole service, and takes longer to load than a running one takes to answer.
			const { isFolderInUse, runHere } = await import('./run-here.ts');
			try {
				return await runHere(config, name, input, { report: progress.report, hear });
			} catch (error) {
				if (!isFolderInUse(error) || Date.now() > giveUpAt) throw error;
				await sleep(200);
			}
		}
	} finally {
		progress.end();
	}
}

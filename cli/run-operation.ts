import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../server/config.ts';
import { callControl, controlPath, type OnMessage } from '../server/control/call.ts';
import type { OperationInput, OperationName, OperationResult } from '../server/control/operations.ts';
import { showProgress } from './progress.ts';

const waitForFolderMs = 15_000;

/**
 * Runs an operation in the service that runs on the folder. Without a service, this process starts the databases and runs
 * it; a second such command waits for the first.
 */
export async function runOperation<N extends OperationName>(
	config: Config,
	name: N,
	input: OperationInput<N>,
	onMessage: OnMessage = () => undefined,
): Promise<OperationResult<N>> {
	const giveUpAt = Date.now() + waitForFolderMs;
	const progress = showProgress();
	try {
		for (;;) {
			const answered = await callControl(controlPath(config), name, input, progress.report, onMessage);
			if (answered) return answered.result;
			// Loaded only here: it imports the whole service, which takes longer than a call to a running one.
			const { isFolderInUse, runLocally } = await import('./run-locally.ts');
			try {
				return await runLocally(config, name, input, { report: progress.report, onMessage });
			} catch (error) {
				if (!isFolderInUse(error) || Date.now() > giveUpAt) throw error;
				await sleep(200);
			}
		}
	} finally {
		progress.end();
	}
}

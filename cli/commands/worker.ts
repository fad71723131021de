import { runWorker } from '../../server/worker.ts';

/** `tidemark worker`: a process that takes requests, started by `tidemark serve --workers` and of no use by hand. */
export function workerCommand(): void {
	runWorker();
}

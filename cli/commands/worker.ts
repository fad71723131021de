import { runWorker } from '../../server/worker.ts';

/** `tidemark worker`: a worker process. Started by `tidemark serve --workers`, not by users. */
export function workerCommand(): void {
	runWorker();
}

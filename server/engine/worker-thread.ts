import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { engineThreadFile } from '../lib/package.ts';
import type { EngineWorkerRequest, EngineWorkerResponse, EngineWorkerSetup } from './worker-main.ts';

/** A connection to the engine. Only one `send` at a time. */
export type EngineWorker = {
	send(request: EngineWorkerRequest): Promise<Exclude<EngineWorkerResponse, { is: 'error' }>>;
};

export async function openEngineWorker(setup: EngineWorkerSetup): Promise<EngineWorker> {
	const worker = new Worker(engineThreadFile, { workerData: setup });
	let settle: ((reply: EngineWorkerResponse) => void) | undefined;
	await once(worker, 'message');
	// The connection of a crashed thread is in an unknown state, so the whole engine restarts.
	worker.on('error', (error) => {
		throw error;
	});
	worker.on('message', (reply: EngineWorkerResponse) => settle?.(reply));
	return {
		async send(request) {
			const reply = await new Promise<EngineWorkerResponse>((resolve) => {
				settle = resolve;
				worker.postMessage(request);
			});
			if (reply.is === 'error') throw new Error(reply.message);
			return reply;
		},
	};
}

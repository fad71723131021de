import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { LaneAnswer, LaneRequest, LaneSetup } from './lane-worker.ts';

/** A connection to the engine. `ask` is called again only after its last promise has settled. */
export type Lane = { ask(request: LaneRequest): Promise<Exclude<LaneAnswer, { is: 'error' }>> };

/** The published package carries compiled files, and a worker is started by its file's name. */
const workerFile = new URL(`./lane-worker.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url);

export async function openLane(setup: LaneSetup): Promise<Lane> {
	const worker = new Worker(workerFile, { workerData: setup });
	let settle: ((answer: LaneAnswer) => void) | undefined;
	await once(worker, 'message');
	// A thread that broke has left its connection in an unknown state; the whole engine starts anew.
	worker.on('error', (error) => {
		throw error;
	});
	worker.on('message', (answer: LaneAnswer) => settle?.(answer));
	return {
		async ask(request) {
			const answer = await new Promise<LaneAnswer>((resolve) => {
				settle = resolve;
				worker.postMessage(request);
			});
			if (answer.is === 'error') throw new Error(answer.message);
			return answer;
		},
	};
}

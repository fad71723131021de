import { type ChildProcess, fork, type SendHandle } from 'node:child_process';
import type { RequestListener } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Seen } from '../collect/watchers.ts';
import type { Log } from '../lib/log.ts';
import { keepPort, type ListenAt, type PortHandle } from './keep-port.ts';
import type { FromWorker, ToWorker, WorkerSetup } from './messages.ts';

export type Workers = {
	port: number;
	/** How many are ready. */
	count(): number;
	/** The figures of each that answers soon. */
	metrics(): Promise<object[][]>;
	/** Hears of what all of them collect, until the function that is given back is called. */
	watch(hear: (seen: Seen) => void): () => void;
	/** Lets them finish what is under way. */
	stop(): Promise<void>;
};

export type WorkersOptions = {
	/** The address is known when the port is. */
	setup(port: number): WorkerSetup;
	at: ListenAt;
	/** Answers while no worker is there. */
	unavailable: RequestListener;
	/** The figures of the whole service, for whichever worker is asked for them. */
	allMetrics(): Promise<string>;
	stopWithinMs: number;
	log: Log;
};

const ext = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const entry = fileURLToPath(new URL(`../../cli/main.${ext}`, import.meta.url));

/** After a death the next one starts this much later; one that lived for a minute begins the row anew. */
const restartDelaysMs = [50, 200, 500, 1_000, 2_000, 5_000, 10_000];
const startWithinMs = 30_000;
const metricsWithinMs = 1_000;

type Worker = { child: ChildProcess; isReady: boolean };

/** Starts workers and keeps them running until `stop`. */
export async function startWorkers(options: WorkersOptions): Promise<Workers> {
	const { unavailable, log } = options;
	const port = await keepPort(options.at, unavailable);
	const setup = options.setup(port.port);
	const workers = new Set<Worker>();
	const asked = new Map<number, (metrics: object[]) => void>();
	const timers = new Set<NodeJS.Timeout>();
	const watching = new Set<(seen: Seen) => void>();
	let isStopping = false;
	let hasStarted = false;
	let lastId = 0;

	const ready = () => [...workers].filter((worker) => worker.isReady);
	const tell = ({ child }: Worker, message: ToWorker, handle?: PortHandle) => {
		// The type wants what Node documents; a bare handle is what it sends on. One that died is reported by its exit.
		child.send(message, handle as SendHandle | undefined, () => undefined);
	};

	function hear(worker: Worker, message: FromWorker) {
		switch (message.say) {
			case 'counted':
				for (const other of ready())
					if (other !== worker) tell(other, { say: 'counted', counts: message.counts });
				break;
			case 'seen':
				for (const listener of watching) listener(message.seen);
				break;
			case 'my metrics':
				asked.get(message.id)?.(message.metrics);
				break;
			case 'ask for all metrics':
				options.allMetrics().then(
					(text) => tell(worker, { say: 'all metrics', id: message.id, text }),
					(error: unknown) => log.error({ error }, 'the figures of the workers could not be added up'),
				);
				break;
			case 'ready':
			case 'failed':
				break;
		}
	}

	/** Starts one, which is started again however it ends; gives why, when the first start failed. */
	function launch(deaths: number): Promise<void> {
		const startedAt = performance.now();
		const child = fork(entry, ['worker'], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
		const worker: Worker = { child, isReady: false };
		workers.add(worker);
		const started = Promise.withResolvers<void>();
		const late = setTimeout(() => child.kill('SIGKILL'), startWithinMs);
		child.on('message', (message: FromWorker, handle: unknown) => {
			if (message.say === 'ready') {
				clearTimeout(late);
				worker.isReady = true;
				// What came with the message is the socket that we gave.
				port.leaveTo(handle as PortHandle);
				if (watching.size > 0) tell(worker, { say: 'watch', isOn: true });
				log.info({ pid: child.pid, ms: Math.round(performance.now() - startedAt) }, 'a worker is ready');
				started.resolve();
			} else if (message.say === 'failed') {
				const { code } = message;
				started.reject(Object.assign(new Error(message.message), code === undefined ? {} : { code }));
			}
			hear(worker, message);
		});
		child.on('error', (error) => started.reject(error));
		child.on('exit', (code, signal) => {
			clearTimeout(late);
			workers.delete(worker);
			started.reject(new Error(`A worker ended while starting (${signal ?? code}).`));
			if (isStopping || !hasStarted) return;
			if (ready().length === 0) port.answer();
			const before = performance.now() - startedAt > 60_000 ? 0 : deaths;
			const delayMs = restartDelaysMs[Math.min(before, restartDelaysMs.length - 1)] ?? 0;
			log.error({ pid: child.pid, code, signal, delayMs }, 'a worker died and is started again');
			const timer = setTimeout(() => {
				timers.delete(timer);
				launch(before + 1).catch((error: unknown) => log.error({ error }, 'a worker did not start'));
			}, delayMs);
			timers.add(timer);
		});
		tell(worker, { say: 'start', setup }, port.handle());
		return started.promise;
	}

	async function stop() {
		isStopping = true;
		for (const timer of timers) clearTimeout(timer);
		await Promise.all(
			[...workers].map(async (worker) => {
				const exited = new Promise<void>((resolve) => worker.child.once('exit', () => resolve()));
				tell(worker, { say: 'stop' });
				const inTime = await Promise.race([
					exited.then(() => true),
					pause(options.stopWithinMs, false, { ref: false }),
				]);
				if (inTime) return;
				log.warn({ pid: worker.child.pid }, 'a worker did not stop in time and is killed');
				worker.child.kill('SIGKILL');
				await exited;
			}),
		);
		port.close();
	}

	// A first start that fails is the caller's to report; only what once ran is started again by itself.
	try {
		await Promise.all(Array.from({ length: setup.workers }, () => launch(0)));
		hasStarted = true;
	} catch (error) {
		await stop();
		throw error;
	}

	return {
		port: port.port,
		count: () => ready().length,
		async metrics() {
			const answers = await Promise.all(
				ready().map((worker) => {
					const id = ++lastId;
					const answer = Promise.withResolvers<object[]>();
					asked.set(id, answer.resolve);
					tell(worker, { say: 'tell metrics', id });
					return Promise.race([answer.promise, pause(metricsWithinMs, undefined, { ref: false })]).finally(
						() => asked.delete(id),
					);
				}),
			);
			return answers.filter((answer) => answer !== undefined);
		},
		watch(listener) {
			watching.add(listener);
			if (watching.size === 1) for (const worker of ready()) tell(worker, { say: 'watch', isOn: true });
			return () => {
				watching.delete(listener);
				if (watching.size === 0) for (const worker of ready()) tell(worker, { say: 'watch', isOn: false });
			};
		},
		stop,
	};
}

import { type ChildProcess, fork, type SendHandle } from 'node:child_process';
import type { RequestListener } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { TailEntry } from '../ingest/live-tail.ts';
import type { Log } from '../lib/log.ts';
import { cliFile } from '../lib/package.ts';
import type { FromWorker, ToWorker, WorkerSetup } from './messages.ts';
import { type ListenAt, type PortHandle, sharePort } from './shared-port.ts';

export type Workers = {
	port: number;
	/** The number of workers that are ready. */
	count(): number;
	/** The metrics of each worker that answers in time. */
	metrics(): Promise<object[][]>;
	/** Subscribes to the live tail of all workers. Returns a function that unsubscribes. */
	subscribe(listener: (entry: TailEntry) => void): () => void;
	/** Stops the workers after their current requests. */
	stop(): Promise<void>;
};

export type WorkersOptions = {
	/** Called when the port is known. */
	setup(port: number): WorkerSetup;
	at: ListenAt;
	/** Answers requests while no worker is ready. */
	unavailable: RequestListener;
	/** The metrics of the whole service, for the worker that is asked for them. */
	allMetrics(): Promise<string>;
	stopWithinMs: number;
	log: Log;
};

/** Delays before each restart in a row. A worker that ran for a minute starts the row over. */
const restartDelaysMs = [50, 200, 500, 1_000, 2_000, 5_000, 10_000];
const stableAfterMs = 60_000;
const startWithinMs = 30_000;
const metricsWithinMs = 1_000;

type Worker = { child: ChildProcess; isReady: boolean };

/** Starts workers and restarts them until `stop`. */
export async function startWorkers(options: WorkersOptions): Promise<Workers> {
	const { log } = options;
	const port = await sharePort(options.at, options.unavailable);
	const setup = options.setup(port.port);
	const workers = new Set<Worker>();
	const ready = () => [...workers].filter((worker) => worker.isReady);
	const tail = createTail(ready);
	const metrics = createMetricsRequests(ready);
	const restarts = new Set<NodeJS.Timeout>();
	let isStopping = false;
	let hasStarted = false;

	function receive(worker: Worker, message: FromWorker) {
		switch (message.type) {
			case 'rate-counts':
				for (const other of ready())
					if (other !== worker) send(other, { type: 'rate-counts', counts: message.counts });
				break;
			case 'tail-entry':
				tail.publish(message.entry);
				break;
			case 'metrics':
				metrics.answer(message.id, message.metrics);
				break;
			case 'get-service-metrics':
				options.allMetrics().then(
					(text) => send(worker, { type: 'service-metrics', id: message.id, text }),
					(error: unknown) => log.error({ error }, 'could not collect the metrics of the workers'),
				);
				break;
			case 'ready':
			case 'failed':
				break;
		}
	}

	/** Starts a worker. Rejects when it ends before it is ready; once the service has started, it is restarted then, too. */
	function launch(failures: number): Promise<void> {
		const startedAt = performance.now();
		const child = fork(cliFile, ['worker'], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
		const worker: Worker = { child, isReady: false };
		workers.add(worker);
		const started = Promise.withResolvers<void>();
		const startTimeout = setTimeout(() => child.kill('SIGKILL'), startWithinMs);
		child.on('message', (message: FromWorker, handle: unknown) => {
			if (message.type === 'ready') {
				clearTimeout(startTimeout);
				worker.isReady = true;
				// The handle is the socket that we sent.
				port.leaveTo(handle as PortHandle);
				tail.addWorker(worker);
				log.info({ pid: child.pid, ms: Math.round(performance.now() - startedAt) }, 'worker ready');
				started.resolve();
			} else if (message.type === 'failed') {
				const { code } = message;
				started.reject(Object.assign(new Error(message.message), code === undefined ? {} : { code }));
			}
			receive(worker, message);
		});
		child.on('error', (error) => started.reject(error));
		child.on('exit', (code, signal) => {
			clearTimeout(startTimeout);
			workers.delete(worker);
			started.reject(new Error(`A worker exited while starting (${signal ?? code}).`));
			if (isStopping || !hasStarted) return;
			if (ready().length === 0) port.answer();
			const wasStable = performance.now() - startedAt > stableAfterMs;
			const delayMs = restart(wasStable ? 0 : failures);
			log.error({ pid: child.pid, code, signal, delayMs }, 'worker exited; restarting');
		});
		send(worker, { type: 'start', setup }, port.handle());
		return started.promise;
	}

	function restart(failures: number): number {
		const delayMs = restartDelaysMs[Math.min(failures, restartDelaysMs.length - 1)] ?? 0;
		const timer = setTimeout(() => {
			restarts.delete(timer);
			launch(failures + 1).catch((error: unknown) => log.error({ error }, 'worker did not start'));
		}, delayMs);
		restarts.add(timer);
		return delayMs;
	}

	async function stop() {
		isStopping = true;
		for (const timer of restarts) clearTimeout(timer);
		await Promise.all([...workers].map((worker) => stopWorker(worker, options)));
		port.close();
	}

	// The caller reports a first start that fails; only workers of a service that has started are restarted.
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
		metrics: metrics.request,
		subscribe: tail.subscribe,
		stop,
	};
}

function send({ child }: Worker, message: ToWorker, handle?: PortHandle): void {
	// Node can send a bare handle, which its types do not allow. An error means that the worker exited, which is handled elsewhere.
	child.send(message, handle as SendHandle | undefined, () => undefined);
}

async function stopWorker(worker: Worker, { stopWithinMs, log }: WorkersOptions): Promise<void> {
	const exited = new Promise<void>((resolve) => worker.child.once('exit', () => resolve()));
	send(worker, { type: 'stop' });
	const inTime = await Promise.race([exited.then(() => true), pause(stopWithinMs, false, { ref: false })]);
	if (inTime) return;
	log.warn({ pid: worker.child.pid }, 'worker did not stop in time; killing it');
	worker.child.kill('SIGKILL');
	await exited;
}

/** The live tail of all workers, which send entries only while there are subscribers. */
function createTail(ready: () => Worker[]) {
	const listeners = new Set<(entry: TailEntry) => void>();
	const switchAll = (isOn: boolean) => {
		for (const worker of ready()) send(worker, { type: 'tail', isOn });
	};
	return {
		publish(entry: TailEntry) {
			for (const listener of listeners) listener(entry);
		},
		addWorker(worker: Worker) {
			if (listeners.size > 0) send(worker, { type: 'tail', isOn: true });
		},
		subscribe(listener: (entry: TailEntry) => void) {
			listeners.add(listener);
			if (listeners.size === 1) switchAll(true);
			return () => {
				listeners.delete(listener);
				if (listeners.size === 0) switchAll(false);
			};
		},
	};
}

function createMetricsRequests(ready: () => Worker[]) {
	const pending = new Map<number, (metrics: object[]) => void>();
	let lastId = 0;

	function requestFrom(worker: Worker): Promise<object[] | undefined> {
		const id = ++lastId;
		const answer = Promise.withResolvers<object[]>();
		pending.set(id, answer.resolve);
		send(worker, { type: 'get-metrics', id });
		const timeout = pause(metricsWithinMs, undefined, { ref: false });
		return Promise.race([answer.promise, timeout]).finally(() => pending.delete(id));
	}

	return {
		answer: (id: number, metrics: object[]) => pending.get(id)?.(metrics),
		async request(): Promise<object[][]> {
			const answers = await Promise.all(ready().map(requestFrom));
			return answers.filter((answer) => answer !== undefined);
		},
	};
}

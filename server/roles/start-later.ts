/** Starts something when `ready` resolves, unless it is stopped before. */
export function startLater<T extends { stop(): Promise<void> }>(
	ready: Promise<void>,
	start: () => T,
): { started: Promise<T | undefined>; stop(): Promise<void> } {
	let isStopped = false;
	let running: T | undefined;
	const started = ready.then(() => {
		if (!isStopped) running = start();
		return running;
	});
	// The creator of `ready` handles its errors.
	started.catch(() => undefined);
	return {
		started,
		async stop() {
			isStopped = true;
			await running?.stop();
		},
	};
}

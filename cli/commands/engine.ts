import { runEngine } from '../../server/engine/child.ts';

/** `tidemark engine`: the statistics engine's process, started by `tidemark serve` and of no use by hand. */
export function engineCommand(): void {
	runEngine();
}

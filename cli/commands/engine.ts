import { runEngine } from '../../server/engine/child.ts';

/** `tidemark engine`: the process of the embedded ClickHouse engine. Started by `tidemark serve`, not by users. */
export function engineCommand(): void {
	runEngine();
}

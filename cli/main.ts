// The service starts `tidemark engine`, `tidemark worker` and `tidemark import-reader`. They are dispatched before anything else
// is loaded, so that each process loads only the modules it needs.
import { nameSourceLines } from './stack-traces.ts';

nameSourceLines();
if (process.argv[2] === 'engine') (await import('./commands/engine.ts')).engineCommand();
else if (process.argv[2] === 'worker') (await import('./commands/worker.ts')).workerCommand();
else if (process.argv[2] === 'import-reader')
	(await import('./commands/import-reader.ts')).importReaderCommand();
else await (await import('./program.ts')).runProgram();

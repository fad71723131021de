// `tidemark engine` and `tidemark worker` are started by the service and by nobody else. They are told apart before anything is loaded, so that
// the process of the statistics engine holds the engine and nothing of the rest.
if (process.argv[2] === 'engine') (await import('./commands/engine.ts')).engineCommand();
else if (process.argv[2] === 'worker') (await import('./commands/worker.ts')).workerCommand();
else await (await import('./program.ts')).runProgram();

export {};

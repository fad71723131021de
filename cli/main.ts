// `tidemark engine` is started by the service and by nobody else. It is told apart before anything is loaded, so that
// the process of the statistics engine holds the engine and nothing of the rest.
if (process.argv[2] === 'engine') (await import('./commands/engine.ts')).engineCommand();
else await (await import('./program.ts')).runProgram();

export {};

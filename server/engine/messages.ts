import type { User } from './rights.ts';

/** What parent and child say to each other. Passwords go this way because arguments and environments can be read by others. */
export type ToEngine = { say: 'start'; setup: EngineSetup } | { say: 'stop' };

export type FromEngine =
	| { say: 'waiting' }
	| { say: 'ready' }
	| { say: 'failed'; message: string }
	| { say: 'log'; level: 'info' | 'warn' | 'error'; message: string; fields: Record<string, unknown> };

export type EngineSetup = {
	/** The engine's own folder. */
	folder: string;
	socketPath: string;
	passwords: Record<User, string>;
	/** For the engine's data and caches; the process itself takes some 300 MB more. */
	memoryMb: number;
	/** How long to wait for a former child that still holds the folder. */
	waitForFolderMs: number;
};

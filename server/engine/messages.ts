import type { User } from './rights.ts';

/** Messages between the service and the engine's process. Passwords are sent here because other users can read arguments. */
export type ToEngine = { type: 'start'; setup: EngineSetup } | { type: 'heartbeat' } | { type: 'stop' };

export type FromEngine =
	| { type: 'waiting' }
	| { type: 'ready' }
	| { type: 'heartbeat' }
	| { type: 'failed'; message: string }
	| { type: 'log'; level: 'info' | 'warn' | 'error'; message: string; fields: Record<string, unknown> };

export type EngineSetup = {
	folder: string;
	socketPath: string;
	passwords: Record<User, string>;
	/** For the engine's data and caches; the process itself needs about 300 MB more. */
	memoryMb: number;
	/** How long to wait for a previous process that still locks the folder. */
	waitForFolderMs: number;
};

import { join } from 'node:path';

/** The program that a test starts: the bundle, where the runner has made one for many files, or the sources. */
export const programFile =
	process.env.TEST_PROGRAM ?? join(import.meta.dirname, '..', '..', 'cli', 'main.ts');

/**
 * How often something is tried that could be tried without end: a few times with every run, since each run has other
 * seeds, `many` times with TEST_MORE=1, and as often as the variable of this name says.
 */
export const sample = (name: string, few: number, many: number): number =>
	Number(process.env[name]) || (process.env.TEST_MORE ? many : few);

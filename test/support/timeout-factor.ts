/**
 * How many times as long as a test says is waited before it gives up. Beside other tests nothing is judged by the clock, and
 * a machine may be taken away for seconds: `scripts/test.ts` says 5 there. What is about time has the machine for itself.
 */
export const patience = Number(process.env.TEST_PATIENCE) || 1;

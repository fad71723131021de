/** The only source of time in domain code. Tests pass their own. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();

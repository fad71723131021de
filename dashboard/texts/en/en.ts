import { core } from './core.ts';
import { rooms } from './rooms.ts';

/** The catalogue: everything that the pages say, by room. Only its type is used; the two halves come when they are needed. */
export const en = { ...core, ...rooms } as const;

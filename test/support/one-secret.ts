import { randomBytes } from 'node:crypto';

/** For processes that share a database, which must share it. */
export const oneSecret = randomBytes(33).toString('hex');

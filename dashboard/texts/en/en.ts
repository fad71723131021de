import { core } from './core.ts';
import { pages } from './pages.ts';

/** All English texts. Only the type is used; `core` and `pages` are loaded separately. */
export const en = { ...core, ...pages } as const;

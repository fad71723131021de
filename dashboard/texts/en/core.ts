import { common } from './common.ts';
import { panels } from './panels.ts';
import { statistics } from './statistics.ts';

/** Texts of the first load: shared ones and those of the statistics pages. */
export const core = { common, statistics, panels } as const;

import { common } from './common.ts';
import { live } from './live.ts';
import { panels } from './panels.ts';
import { statistics } from './statistics.ts';

/** Texts of the first load: shared ones and those of the statistics pages. */
export const core = { common, statistics, panels, live } as const;

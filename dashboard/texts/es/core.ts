import type { Texts } from '../texts.ts';
import { common } from './common.ts';
import { panels } from './panels.ts';
import { statistics } from './statistics.ts';

/** Texts of the first load: shared ones and those of the statistics pages. */
export const core: Pick<Texts, 'common' | 'statistics' | 'panels'> = {
	common,
	statistics,
	panels,
};

import type { Texts } from '../texts.ts';
import { common } from './common.ts';
import { live } from './live.ts';
import { panels } from './panels.ts';
import { statistics } from './statistics.ts';

/** What every page says, and the pages that are opened most and by whoever comes. */
export const core: Pick<Texts, 'common' | 'statistics' | 'panels' | 'live'> = {
	common,
	statistics,
	panels,
	live,
};

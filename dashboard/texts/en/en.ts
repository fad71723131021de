import { account } from './account.ts';
import { common } from './common.ts';
import { live } from './live.ts';
import { panels } from './panels.ts';
import { people } from './people.ts';
import { settings } from './settings.ts';
import { signIn } from './sign-in.ts';
import { statistics } from './statistics.ts';
import { websites } from './websites.ts';

/** The catalogue: everything that the pages say, by room. */
export const en = { common, signIn, websites, settings, account, people, statistics, panels, live } as const;

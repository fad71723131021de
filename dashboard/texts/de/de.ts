import type { Texts } from '../texts.ts';
import { account } from './account.ts';
import { common } from './common.ts';
import { live } from './live.ts';
import { panels } from './panels.ts';
import { people } from './people.ts';
import { settings } from './settings.ts';
import { signIn } from './sign-in.ts';
import { statistics } from './statistics.ts';
import { websites } from './websites.ts';

export const de: Texts = { common, signIn, websites, settings, account, people, statistics, panels, live };

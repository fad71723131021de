import type { Texts } from '../texts.ts';
import { account } from './account.ts';
import { alerts } from './alerts.ts';
import { boards } from './boards.ts';
import { branding } from './branding.ts';
import { deletions } from './deletions.ts';
import { doctor } from './doctor.ts';
import { exports } from './exports.ts';
import { filterDialog } from './filter-dialog.ts';
import { imports } from './imports.ts';
import { journeys } from './journeys.ts';
import { lazyPanels } from './lazy-panels.ts';
import { live } from './live.ts';
import { operator } from './operator.ts';
import { pathGroups } from './path-groups.ts';
import { people } from './people.ts';
import { policy } from './policy.ts';
import { providers } from './providers.ts';
import { reports } from './reports.ts';
import { settings } from './settings.ts';
import { shareLinks } from './share-links.ts';
import { signIn } from './sign-in.ts';
import { templates } from './templates.ts';
import { trafficRules } from './traffic-rules.ts';
import { vitals } from './vitals.ts';
import { warnings } from './warnings.ts';
import { webhooks } from './webhooks.ts';
import { websites } from './websites.ts';

/** Texts of all other pages. */
export const pages: Omit<Texts, 'common' | 'statistics' | 'panels'> = {
	signIn,
	websites,
	settings,
	account,
	imports,
	people,
	policy,
	providers,
	alerts,
	reports,
	vitals,
	lazyPanels,
	doctor,
	exports,
	filterDialog,
	boards,
	warnings,
	branding,
	trafficRules,
	deletions,
	journeys,
	pathGroups,
	operator,
	live,
	shareLinks,
	webhooks,
	templates,
};

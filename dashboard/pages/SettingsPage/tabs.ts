import { Alerts } from './Alerts.tsx';
import { Data } from './Data.tsx';
import { Drops } from './Drops.tsx';
import { Exclusions } from './Exclusions.tsx';
import { General } from './General.tsx';
import { Goals } from './Goals.tsx';
import { ActivityTab, MembersTab } from './MembersTab.tsx';
import { PathGroups } from './path-groups/PathGroups.tsx';
import { Reports } from './Reports.tsx';
import { Sharing } from './sharing/Sharing.tsx';
import type { Tab } from './tab.ts';

/** Settings tabs in display order. The name is the last part of the URL. */
export const tabs = {
	general: General,
	sharing: Sharing,
	goals: Goals,
	paths: PathGroups,
	exclusions: Exclusions,
	drops: Drops,
	alerts: Alerts,
	reports: Reports,
	people: MembersTab,
	changes: ActivityTab,
	data: Data,
} as const satisfies Record<string, Tab>;

export type TabName = keyof typeof tabs;

/** Visible to admins and the owner only. */
export const ownerTabs: ReadonlySet<TabName> = new Set(['people', 'changes']);

/** Visible to all members, but only admins and the owner can make changes. */
export const adminTabs: ReadonlySet<TabName> = new Set(['sharing', 'alerts', 'data']);

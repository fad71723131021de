import type { ShownWebsite } from './panel.ts';

/** What the door tells of a website, as the panels ask for it. */
export const toShown = ({
	id,
	domain,
	timezone,
	role,
}: {
	id: number;
	domain: string;
	timezone: string;
	role?: string | undefined;
}): ShownWebsite => ({
	id,
	domain,
	timezone,
	isShared: role === undefined,
	canEdit: role !== undefined && role !== 'viewer',
});

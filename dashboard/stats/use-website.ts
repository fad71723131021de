import type { ShownWebsite } from './panel.ts';

/** Access data of a website, in the shape that panels use. */
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

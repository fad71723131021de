import { useQuery } from '@tanstack/react-query';
import { ApiError, statistics } from '../api-client.ts';
import { useSession } from '../session.tsx';
import type { ShownWebsite } from './panel.ts';

/** The website whose statistics are shown: as one of its people knows it, else as it is shared. */
export function useShownWebsite(id: number) {
	const who = useSession();
	return useQuery({
		queryKey: ['website', id, 'shown', who?.account.id ?? null],
		queryFn: () => findWebsite(id),
		staleTime: 60_000,
	});
}

async function findWebsite(id: number): Promise<ShownWebsite> {
	const share = await statistics.share(id);
	if (share.access === 'password')
		throw new ApiError(401, { code: 'password_needed', message: 'These statistics have a password.' });
	return toShown(share);
}

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

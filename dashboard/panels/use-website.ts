import { useQuery } from '@tanstack/react-query';
import { ApiError, statistics, websites } from '../api-client.ts';
import { useSession } from '../session.tsx';
import type { ShownWebsite } from './panel.ts';

/** The website whose statistics are shown: as one of its people knows it, else as it is shared. */
export function useShownWebsite(id: number) {
	const who = useSession();
	return useQuery({
		queryKey: ['website', id, 'shown', who?.account.id ?? null],
		queryFn: () => findWebsite(id, who !== undefined),
		staleTime: 60_000,
	});
}

async function findWebsite(id: number, isSignedIn: boolean): Promise<ShownWebsite> {
	if (isSignedIn) {
		try {
			const [{ domain, timezone }, { role }] = await Promise.all([websites.get(id), websites.role(id)]);
			return { id, domain, timezone, isShared: false, canEdit: role !== 'viewer' };
		} catch (error) {
			if (!(error instanceof ApiError && error.code === 'not_found')) throw error;
		}
	}
	const share = await statistics.share(id);
	if (share.access === 'password')
		throw new ApiError(401, { code: 'password_needed', message: 'These statistics have a password.' });
	return { id, domain: share.domain, timezone: share.timezone, isShared: true, canEdit: false };
}

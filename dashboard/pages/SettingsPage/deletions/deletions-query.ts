import { useQuery } from '@tanstack/react-query';
import { type Deletion, deletions } from '../../../deletions-client.ts';

export const deletionsKey = (website: number) => ['website', website, 'deletions'] as const;

/** Hidden events that are deleted from disk now or by the next run. */
export const isDue = ({ state, delete_at }: Deletion): boolean =>
	state === 'deleting' || (state === 'hidden' && Date.parse(delete_at) <= Date.now());

const pollMs = 5_000;

/** All deletions of a website, newest first. */
export const useDeletions = (website: number) =>
	useQuery({
		queryKey: deletionsKey(website),
		queryFn: () => deletions.list(website),
		refetchInterval: ({ state }) => (state.data?.some(isDue) ? pollMs : false),
	});

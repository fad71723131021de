import { useQuery } from '@tanstack/react-query';
import { type Deletion, deletions } from '../../../deletions-client.ts';
import { queries } from '../../../queries.ts';

export const deletionsKey = (website: number) => ['website', website, 'deletions'] as const;

/** Hidden events that are deleted from disk now or by the next run. */
export const isDue = ({ state, delete_at }: Deletion): boolean =>
	state === 'deleting' || (state === 'hidden' && Date.parse(delete_at) <= Date.now());

/** Reads the list again after an error: if the connection was lost, the deletion may have been made. */
export async function createDeletion(...sent: Parameters<typeof deletions.create>): Promise<void> {
	try {
		await deletions.create(...sent);
	} catch (error) {
		void queries.invalidateQueries({ queryKey: deletionsKey(sent[0]), exact: true });
		throw error;
	}
}

const pollMs = 5_000;

/** All deletions of a website, newest first. */
export const useDeletions = (website: number) =>
	useQuery({
		queryKey: deletionsKey(website),
		queryFn: () => deletions.list(website),
		refetchInterval: ({ state }) => (state.data?.some(isDue) ? pollMs : false),
	});

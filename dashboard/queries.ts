import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-client.ts';

/** Query cache. Refusals are not retried; outages are. */
export const queries = new QueryClient({
	defaultOptions: {
		queries: {
			staleTime: 15_000,
			retry: (failures, error) => failures < 2 && !(error instanceof ApiError && error.status < 500),
			refetchOnWindowFocus: true,
			// Whether there is a way is for the attempt to say: one that waits for it says nothing.
			networkMode: 'always',
		},
	},
});

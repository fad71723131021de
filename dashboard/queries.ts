import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-client.ts';

/** What was asked of the service. A refusal is an answer and is not asked for again; an outage may pass. */
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

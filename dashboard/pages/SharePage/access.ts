import { ApiError } from '../../api-client.ts';
import { queries } from '../../queries.ts';
import { sessionKey } from '../../session.tsx';

export const askEveryMs = 20_000;

/** When a request behind the gate is refused, access is checked again. */
export function askAgainWhenRefused(key: readonly unknown[]): () => void {
	return queries.getQueryCache().subscribe((event) => {
		if (event.type !== 'updated' || event.action.type !== 'error') return;
		const { error } = event.action;
		const isAccess = event.query.queryKey[0] === key[0];
		if (isAccess || !(error instanceof ApiError)) return;
		if (error.status === 401 || error.status === 403 || error.status === 404)
			void queries.invalidateQueries({ queryKey: key });
	});
}

/** Drops answers from before access ended, so that they are not shown later. */
export function forgetAnswers(key: readonly unknown[]): void {
	const kept: readonly unknown[] = [sessionKey[0], key[0]];
	queries.removeQueries({ predicate: ({ queryKey }) => !kept.includes(queryKey[0]) });
}

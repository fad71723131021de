import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Redirect, useLocation } from 'wouter';
import type { RoleName } from '../../../api/session.ts';
import { readId } from '../../../presentation/view-query.ts';
import { ApiError, statistics } from '../../api-client.ts';
import { AppLayout } from '../../layout/AppLayout.tsx';
import { NotFound } from '../../layout/NotFound.tsx';
import { lazyPageWithTexts } from '../../lazy-page.ts';
import { queries } from '../../queries.ts';
import { sessionKey } from '../../session.tsx';
import { Failure } from '../../ui/States.tsx';
import { accessKey } from './access-key.ts';

/** Needed for few websites. */
const Unlock = lazyPageWithTexts(async () => (await import('./Unlock.tsx')).Unlock);

/** The website as far as the viewer may know it. */
export type OpenWebsite = {
	id: number;
	domain: string;
	timezone: string;
	/** Undefined: not a member. */
	role: RoleName | undefined;
	/** Whether the server allows public statistics; known to members only. */
	arePagesPublic: boolean;
};

const askEveryMs = 20_000;

/**
 * Checks access to a page of a website: members pass, others if it is public or after its password. A private website looks
 * like one that does not exist. When a request behind the gate is refused, access is checked again, so that a changed
 * visibility applies to open pages.
 */
export function ShareGate({
	id: text,
	whileAsking,
	children,
}: {
	/** Id from the URL. */
	id: string | undefined;
	/** Placeholder in the final layout. */
	whileAsking?: ReactNode;
	children: (website: OpenWebsite) => ReactNode;
}) {
	const { t } = useTranslation();
	const [path] = useLocation();
	const id = readId(text);
	const { data, error, refetch } = useQuery({
		queryKey: accessKey(id ?? 0),
		queryFn: () => statistics.share(id ?? 0),
		enabled: id !== undefined,
		// Access can change while the page is open.
		refetchInterval: askEveryMs,
		refetchOnWindowFocus: 'always',
	});
	const isRefused = error instanceof ApiError && (error.status === 401 || error.status === 404);
	const isOpen = data?.access === 'open' && !isRefused;
	useEffect(() => (id === undefined ? undefined : askAgainWhenRefused(id)), [id]);
	useEffect(() => {
		if (isRefused || data?.access === 'password') forgetAnswers();
	}, [isRefused, data?.access]);

	if (id === undefined || (isRefused && error.status === 404)) return <NotFound />;
	// The session has ended; only requests with a session get this answer.
	if (isRefused) return <Redirect to={`/sign-in?to=${encodeURIComponent(path)}`} replace />;
	if (isOpen) {
		const { domain, timezone, role, public_pages: arePagesPublic = true } = data;
		return children({ id, domain, timezone, role, arePagesPublic });
	}
	if (data?.access === 'password')
		return (
			<Suspense fallback={null}>
				<Unlock id={id} />
			</Suspense>
		);
	return (
		<AppLayout title={t('statistics.title')}>
			{error ? <Failure error={error} onTryAgain={() => void refetch()} /> : whileAsking}
		</AppLayout>
	);
}

function askAgainWhenRefused(id: number): () => void {
	const key = accessKey(id);
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
function forgetAnswers(): void {
	const kept: readonly unknown[] = [sessionKey[0], accessKey(0)[0]];
	queries.removeQueries({ predicate: ({ queryKey }) => !kept.includes(queryKey[0]) });
}

import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Redirect, useLocation } from 'wouter';
import type { RoleName } from '../../../api/session.ts';
import { readId } from '../../../presentation/view-query.ts';
import { ApiError, type Share, statistics } from '../../api-client.ts';
import { PageBrand } from '../../brand.ts';
import { AppLayout } from '../../layout/AppLayout.tsx';
import { NotFound } from '../../layout/NotFound.tsx';
import { lazyPageWithTexts } from '../../lazy-page.ts';
import { queries } from '../../queries.ts';
import { Failure } from '../../ui/States.tsx';
import { askAgainWhenRefused, askEveryMs, forgetAnswers } from './access.ts';
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
	useEffect(() => (id === undefined ? undefined : askAgainWhenRefused(accessKey(id))), [id]);
	useEffect(() => {
		if (isRefused || data?.access === 'password') forgetAnswers(accessKey(0));
	}, [isRefused, data?.access]);

	if (id === undefined || (isRefused && error.status === 404)) return <NotFound />;
	// The session has ended; only requests with a session get this answer.
	if (isRefused) return <Redirect to={`/sign-in?to=${encodeURIComponent(path)}`} replace />;
	if (isOpen) {
		const { domain, timezone, role, public_pages: arePagesPublic = true, brand } = data;
		return (
			<PageBrand value={brand ?? null}>{children({ id, domain, timezone, role, arePagesPublic })}</PageBrand>
		);
	}
	if (data?.access === 'password')
		return (
			<Suspense fallback={null}>
				<Unlock
					unlock={async (password) => {
						queries.setQueryData<Share>(accessKey(id), await statistics.unlock(id, password));
					}}
					onGone={() => queries.invalidateQueries({ queryKey: accessKey(id) })}
				/>
			</Suspense>
		);
	return (
		<AppLayout title={t('statistics.title')}>
			{error ? <Failure error={error} onTryAgain={() => void refetch()} /> : whileAsking}
		</AppLayout>
	);
}

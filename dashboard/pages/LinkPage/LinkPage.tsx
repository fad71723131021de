import { useQuery } from '@tanstack/react-query';
import { Suspense, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Redirect, useLocation } from 'wouter';
import { useSearch } from 'wouter/use-browser-location';
import { formatViewQuery, parseViewQuery } from '../../../presentation/view-query.ts';
import { ApiError } from '../../api-client.ts';
import { PageBrand } from '../../brand.ts';
import { AppLayout } from '../../layout/AppLayout.tsx';
import { NotFound } from '../../layout/NotFound.tsx';
import { lazyPageWithTexts } from '../../lazy-page.ts';
import { queries } from '../../queries.ts';
import { type OpenLink, type SharedLink, sharedLink } from '../../share-links-client.ts';
import { Failure } from '../../ui/States.tsx';
import { askAgainWhenRefused, askEveryMs, forgetAnswers } from '../SharePage/access.ts';
import { Statistics } from '../StatisticsPage/StatisticsPage.tsx';
import { dateIn } from '../StatisticsPage/shift-period.ts';

const Unlock = lazyPageWithTexts(async () => (await import('../SharePage/Unlock.tsx')).Unlock);

const BoardLinkPage = lazyPageWithTexts(async () => (await import('./BoardLinkPage.tsx')).BoardLinkPage);

const linkKey = ['share-link'] as const;

/** `/s/:token`: the statistics or the board that a share link shows. */
export function LinkPage() {
	const { t } = useTranslation();
	const { data, error, refetch } = useQuery({
		queryKey: linkKey,
		// Only the first request counts as a use.
		queryFn: () => (queries.getQueryData(linkKey) ? sharedLink.get() : sharedLink.open()),
		refetchInterval: askEveryMs,
		refetchOnWindowFocus: 'always',
	});
	const isGone = error instanceof ApiError && error.status === 404;
	useEffect(() => askAgainWhenRefused(linkKey), []);
	useEffect(() => {
		if (isGone || data?.access === 'password') forgetAnswers(linkKey);
	}, [isGone, data?.access]);

	if (isGone) return <NotFound />;
	if (data?.access === 'open')
		return (
			<PageBrand value={data.brand ?? null}>
				{'website' in data ? (
					<OpenPage link={data} />
				) : (
					<Suspense fallback={null}>
						<BoardLinkPage board={data.board} />
					</Suspense>
				)}
			</PageBrand>
		);
	if (data?.access === 'password')
		return (
			<Suspense fallback={null}>
				<Unlock
					unlock={async (password) => {
						queries.setQueryData<SharedLink>(linkKey, await sharedLink.unlock(password));
					}}
					onGone={() => queries.invalidateQueries({ queryKey: linkKey })}
				/>
			</Suspense>
		);
	return (
		<AppLayout title={t('statistics.title')}>
			{error && <Failure error={error} onTryAgain={() => void refetch()} />}
		</AppLayout>
	);
}

function OpenPage({ link }: { link: OpenLink }) {
	const [path] = useLocation();
	const search = useSearch();
	const dates = firstDatesOf(link);
	const query = parseViewQuery(search);
	// The usual period would be refused.
	if (dates && query.period === '30d')
		return (
			<Redirect to={`${path}?${formatViewQuery({ ...query, period: 'custom', ...dates }, search)}`} replace />
		);
	return <Statistics website={{ ...link.website, isShared: true, canEdit: false, link }} />;
}

const dayMs = 86_400_000;
const addDays = (date: string, days: number): string =>
	new Date(Date.parse(date) + days * dayMs).toISOString().slice(0, 10);

/** The last 30 days of a link whose dates were over before the last 30 days. */
function firstDatesOf({ from, to, website }: OpenLink): { from: string; to: string } | undefined {
	const today = dateIn(website.timezone, Date.now());
	if (to === null || to >= addDays(today, -29)) return undefined;
	const first = addDays(to, -29);
	return { from: from !== null && from > first ? from : first, to };
}

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useSearchParams } from 'wouter';
import type { ActivityEntryRecord } from '../../api/activity.ts';
import { saveTable } from '../api-client.ts';
import { people } from '../people-client.ts';
import { RelativeTime } from '../RelativeTime.tsx';
import { Button } from '../ui/Button.tsx';
import { Section } from '../ui/Card.tsx';
import { Notice } from '../ui/Notice.tsx';
import { Pagination } from '../ui/Pagination.tsx';

import { Skeleton } from '../ui/Skeleton.tsx';
import { Failure } from '../ui/States.tsx';
import { useFaultText } from '../ui/use-fault-text.ts';
import styles from './Members.module.css';
import { useOperationName } from './use-operation-name.ts';

const perPage = 25;

/** Who changed what in the account. */
export function ActivityLog() {
	const { t } = useTranslation();
	const [error, setError] = useState<unknown>();
	const faultText = useFaultText();
	// Not a link, which could not name the account that the page shows.
	const save = async () => {
		setError(undefined);
		try {
			await saveTable('/activity/export', {}, 'activity.ndjson');
		} catch (fault) {
			setError(fault);
		}
	};
	return (
		<Section text={t('people.activity.text')}>
			<p>
				<Button onClick={() => void save()}>{t('operator.activity.download')}</Button>
			</p>
			{error !== undefined && <Notice kind="fault">{faultText(error)}</Notice>}
			<ActivityList />
		</Section>
	);
}

/** Log of the account or of one website. The page number is in the URL. */
export function ActivityList({ websiteId }: { websiteId?: number }) {
	const { t } = useTranslation();
	const [path] = useLocation();
	const [search] = useSearchParams();
	const page = Math.max(1, Number.parseInt(search.get('page') ?? '1', 10) || 1);
	const query = useQuery({
		queryKey: ['changes', websiteId ?? 'account', page],
		queryFn: () => people.changes(websiteId, { per_page: perPage, page }),
		placeholderData: keepPreviousData,
	});
	const { data } = query;
	const first = (page - 1) * perPage;
	return (
		<>
			{!data &&
				(query.error ? (
					<Failure error={query.error} onTryAgain={() => void query.refetch()} />
				) : (
					<Skeleton height={perPage * 20} />
				))}
			{data?.meta.total === 0 && <p className={styles.quiet}>{t('people.activity.none')}</p>}
			{data && data.meta.total > 0 && (
				<ol className={styles.changes} aria-label={t('people.activity.title')} aria-busy={query.isFetching}>
					{data.data.map((change) => (
						<Line key={change.id} change={change} isOneWebsite={websiteId !== undefined} />
					))}
				</ol>
			)}
			{data && data.meta.total > perPage && (
				<footer className={styles.pages}>
					<span>
						{t('common.pageOf', { from: first + 1, to: first + data.data.length, total: data.meta.total })}
					</span>
					<Pagination
						label={t('people.activity.pages')}
						current={page}
						last={data.meta.last_page}
						addressOf={(to) => (to === 1 ? path : `${path}?page=${to}`)}
						nameOf={(to) => t('websites.page', { page: to })}
						previous={t('common.previous')}
						next={t('common.next')}
					/>
				</footer>
			)}
		</>
	);
}

function Line({ change, isOneWebsite }: { change: ActivityEntryRecord; isOneWebsite: boolean }) {
	const { t } = useTranslation();
	const what = useOperationName()(change.what);
	const isOther = change.subject && change.subject.person_id !== change.by?.person_id;
	const who = change.by ? (change.by.name ?? t('people.activity.gone')) : t('people.activity.operator');
	const key =
		change.key &&
		(change.key.name === null
			? t('people.activity.goneKey')
			: t('people.activity.byKey', { key: change.key.name }));
	const name = change.subject?.name ?? t('people.activity.gone');
	return (
		<li>
			<div>
				<b>{isOther ? t('people.activity.whom', { what, name }) : what}</b>
				{change.website && !isOneWebsite && (
					<small>
						{change.website.domain === null ? (
							t('people.activity.website', { id: change.website.id })
						) : (
							<Link href={`/websites/${change.website.id}`}>{change.website.domain}</Link>
						)}
					</small>
				)}
				<small>
					{who}
					{change.by?.email && ` · ${change.by.email}`}
					{key && ` · ${key}`}
				</small>
			</div>
			<RelativeTime iso={change.at} />
		</li>
	);
}

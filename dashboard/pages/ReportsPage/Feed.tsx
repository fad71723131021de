import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatMoment } from '../../../presentation/format.ts';
import { Confirmation } from '../../account/Confirmation.tsx';
import { queries } from '../../queries.ts';
import { Button } from '../../ui/Button.tsx';
import { Section } from '../../ui/Card.tsx';
import { Copy } from '../../ui/Copy.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Failure } from '../../ui/States.tsx';
import { useForm } from '../../ui/use-form.ts';
import { reports } from '../../website-client.ts';
import styles from './ReportsPage.module.css';

const feedKey = (id: number) => ['feed', id] as const;

/** Secret URL of the feed, shown only once. */
export function Feed({ id }: { id: number }) {
	const { t, i18n } = useTranslation();
	const query = useQuery({ queryKey: feedKey(id), queryFn: () => reports.feed(id) });
	const [url, setUrl] = useState<string>();
	const [pending, setPending] = useState<'renew' | 'remove'>();
	const close = () => setPending(undefined);
	const make = async () => {
		const made = await reports.makeFeed(id);
		setUrl(made.url);
		queries.setQueryData(feedKey(id), { created_at: made.created_at });
		close();
	};
	const remove = async () => {
		await reports.removeFeed(id);
		setUrl(undefined);
		queries.setQueryData(feedKey(id), null);
		close();
	};
	const form = useForm({}, make);
	const { data: feed } = query;
	return (
		<Section title={t('reports.feed.title')} text={t('reports.feed.text')}>
			{query.error && !query.isSuccess ? (
				<Failure error={query.error} onTryAgain={() => void query.refetch()} />
			) : feed === undefined ? (
				<Skeleton height={54} />
			) : (
				<div className={styles.feed}>
					{url !== undefined && (
						<>
							<Copy text={url} label={t('reports.feed.label')} />
							<Notice>{t('reports.feed.once')}</Notice>
						</>
					)}
					{feed && url === undefined && (
						<p>
							{t('reports.feed.since', {
								date: formatMoment(feed.created_at, i18n.language, { dateStyle: 'medium' }),
							})}
						</p>
					)}
					{form.fault && <Notice kind="fault">{form.fault}</Notice>}
					<div className={styles.actions}>
						{feed ? (
							<>
								<Button onClick={() => setPending('renew')}>{t('reports.feed.renew')}</Button>
								<Button kind="quiet" onClick={() => setPending('remove')}>
									{t('reports.feed.remove')}
								</Button>
							</>
						) : (
							<Button busy={form.isBusy} onClick={() => void form.submit()}>
								{t('reports.feed.make')}
							</Button>
						)}
					</div>
				</div>
			)}
			{pending && (
				<Confirmation
					title={t(`reports.feed.${pending}Title`)}
					text={t('reports.feed.gone')}
					action={t(`reports.feed.${pending}`)}
					onConfirm={pending === 'renew' ? make : remove}
					onClose={close}
				/>
			)}
		</Section>
	);
}

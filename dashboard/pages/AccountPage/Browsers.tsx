import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatExact, formatMoment, formatRelative } from '../../../presentation/format.ts';
import { security } from '../../account-client.ts';
import type { BrowserRecord } from '../../api-client.ts';
import { queries } from '../../queries.ts';
import { forgetSession } from '../../session.tsx';
import { Button } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Row, Rows } from '../../ui/Rows.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Failure } from '../../ui/States.tsx';
import { useFaultText } from '../../ui/use-fault-text.ts';
import styles from './AccountPage.module.css';

const firstShown = 10;

export const browsersKey = ['browsers'] as const;

/** The service says `Other` of what it does not know. */
const isKnown = (name: string) => name !== '' && name !== 'Other';

/** Where the account is signed in, this browser first. */
export function Browsers() {
	const { t, i18n } = useTranslation();
	const faultText = useFaultText();
	const [isAll, setAll] = useState(false);
	const query = useQuery({ queryKey: browsersKey, queryFn: security.browsers });
	const refresh = () => queries.invalidateQueries({ queryKey: browsersKey });
	const end = useMutation({
		mutationFn: async ({ id, current }: BrowserRecord) => {
			await security.endBrowser(id);
			if (current) await forgetSession();
		},
		onSettled: refresh,
	});
	const endOthers = useMutation({ mutationFn: security.endOtherBrowsers, onSettled: refresh });
	if (query.error && !query.data)
		return <Failure error={query.error} onTryAgain={() => void query.refetch()} />;
	if (!query.data) return <Skeleton height={60} />;
	const nameOf = (record: BrowserRecord) => {
		const [browser, os] = [record.browser, record.os].map((name) => (isKnown(name) ? name : undefined));
		return browser && os
			? t('account.sessions.name', { browser, os })
			: (browser ?? os ?? t('account.sessions.unknown'));
	};
	const moment = (iso: string) => formatMoment(iso, i18n.language);
	const browsers = query.data.toSorted((a, b) => Number(b.current) - Number(a.current));
	const fault = end.error ?? endOthers.error;
	return (
		<>
			{browsers.length > 1 && (
				<div className={styles.actions}>
					<Button busy={endOthers.isPending} onClick={() => endOthers.mutate()}>
						{t('account.sessions.endOthers')}
					</Button>
				</div>
			)}
			<Rows>
				{browsers.slice(0, isAll ? undefined : firstShown).map((browser) => (
					<Row
						key={browser.id}
						title={nameOf(browser)}
						chip={browser.current && t('account.sessions.current')}
						lines={[
							<span key="used" title={formatExact(browser.last_used_at, i18n.language)}>
								{t('account.sessions.used', {
									made: moment(browser.created_at),
									used: formatRelative(browser.last_used_at, new Date(), i18n.language),
								})}
							</span>,
						]}
					>
						<Button
							aria-label={t('account.sessions.endLabel', {
								name: browser.current ? t('account.sessions.current') : nameOf(browser),
							})}
							onClick={() => end.mutate(browser)}
						>
							{t('account.sessions.end')}
						</Button>
					</Row>
				))}
			</Rows>
			{!isAll && browsers.length > firstShown && (
				<div className={styles.actions}>
					<Button kind="quiet" onClick={() => setAll(true)}>
						{t('account.sessions.showAll', { total: browsers.length })}
					</Button>
				</div>
			)}
			{fault && <Notice kind="fault">{faultText(fault)}</Notice>}
			{endOthers.isSuccess && browsers.length === 1 && (
				<Notice kind="good">{t('account.sessions.ended')}</Notice>
			)}
		</>
	);
}

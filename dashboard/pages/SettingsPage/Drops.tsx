import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useSearch } from 'wouter';
import { formatCount, formatDate } from '../../../presentation/format.ts';
import { type Drops as DropsAnswer, websites } from '../../api-client.ts';
import { Button } from '../../ui/Button.tsx';
import { Section } from '../../ui/Card.tsx';
import { SelectField } from '../../ui/Field.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Empty, Failure } from '../../ui/States.tsx';
import { useFaultText } from '../../ui/use-fault-text.ts';
import styles from './Drops.module.css';
import { linesOf, withHostname } from './lines.ts';
import type { TabProps } from './tab.ts';

const periods = ['7d', '30d', '12months'] as const;
type Period = (typeof periods)[number];

export function Drops(props: TabProps) {
	const { t } = useTranslation();
	const { website } = props;
	const [path, navigate] = useLocation();
	const requested = new URLSearchParams(useSearch()).get('period');
	const period: Period = periods.find((name) => name === requested) ?? '30d';
	const { data, error, refetch } = useQuery({
		queryKey: ['website', website.id, 'drops', period],
		queryFn: () => websites.drops(website.id, { period }),
		placeholderData: keepPreviousData,
	});
	return (
		<div className={styles.drops}>
			<div className={styles.period}>
				<SelectField
					label={t('settings.drops.period')}
					value={period}
					options={periods.map((name) => ({ value: name, label: t(`settings.drops.periods.${name}`) }))}
					onChange={({ target }) =>
						navigate(target.value === '30d' ? path : `${path}?period=${target.value}`, { replace: true })
					}
				/>
			</div>
			{data ? (
				<Answer answer={data} {...props} />
			) : error ? (
				<Failure error={error} onTryAgain={() => void refetch()} />
			) : (
				[1, 2, 3].map((line) => <Skeleton key={line} height={52} />)
			)}
		</div>
	);
}

function Answer({ answer: { data }, ...props }: TabProps & { answer: DropsAnswer }) {
	const { t, i18n } = useTranslation();
	const count = (value: number) => formatCount(value, i18n.language);
	if (data.total === 0)
		return (
			<Empty title={t('settings.drops.none')}>
				<p>{t('settings.drops.noneText')}</p>
			</Empty>
		);
	const reasons = data.reasons.filter((reason) => reason.count > 0);
	const days = data.days.filter((day) => day.total > 0).toReversed();
	return (
		<>
			<Section
				title={t('settings.drops.byReason')}
				text={t('settings.drops.total', { count: data.total, total: count(data.total) })}
			>
				<ul className={styles.list}>
					{reasons.map((reason) => {
						const known = isKnown(reason.reason) ? reason.reason : undefined;
						return (
							<li key={reason.reason}>
								<b>{known ? t(`settings.drops.reasons.${known}.title`) : reason.reason}</b>
								<span className={styles.count}>{count(reason.count)}</span>
								<p>
									{known ? t(`settings.drops.reasons.${known}.text`) : `${reason.means} ${reason.advice}`}
								</p>
							</li>
						);
					})}
				</ul>
			</Section>
			{data.rules.length > 0 && (
				<Section title={t('trafficRules.byRule')}>
					<ul className={styles.list}>
						{data.rules.map((rule) => (
							<li key={rule.id}>
								<b>{rule.name}</b>
								<span className={styles.count}>{count(rule.count)}</span>
							</li>
						))}
					</ul>
				</Section>
			)}
			{data.foreign_hostnames.length > 0 && <ForeignHostnames hosts={data.foreign_hostnames} {...props} />}
			<Section title={t('settings.drops.byDay')}>
				<table className={styles.days}>
					<thead>
						<tr>
							<th scope="col">{t('settings.drops.day')}</th>
							<th scope="col">{t('settings.drops.why')}</th>
							<th scope="col">{t('settings.drops.hits')}</th>
						</tr>
					</thead>
					<tbody>
						{days.map((day) => (
							<tr key={day.date}>
								<th scope="row">
									{formatDate(day.date, i18n.language, { weekday: 'short', day: 'numeric', month: 'short' })}
								</th>
								<td>
									{Object.entries(day.reasons)
										.toSorted(([, a], [, b]) => b - a)
										.map(([reason, n]) =>
											[isKnown(reason) ? t(`settings.drops.reasons.${reason}.title`) : reason, count(n)].join(
												' ',
											),
										)
										.join(', ')}
								</td>
								<td>{count(day.total)}</td>
							</tr>
						))}
					</tbody>
				</table>
			</Section>
		</>
	);
}

/** Unknown hostnames that sent hits. Each can be allowed. */
function ForeignHostnames({
	hosts,
	website,
	settings,
	canEdit,
	change,
}: TabProps & { hosts: DropsAnswer['data']['foreign_hostnames'] }) {
	const { t, i18n } = useTranslation();
	const textOf = useFaultText();
	const [busy, setBusy] = useState<string>();
	const [error, setError] = useState<unknown>();
	const counted = new Set(linesOf(settings.hostnames));
	const add = async (hostname: string) => {
		setBusy(hostname);
		setError(undefined);
		try {
			await change({ hostnames: withHostname(settings.hostnames, website.domain, hostname) });
		} catch (refusal) {
			setError(refusal);
		} finally {
			setBusy(undefined);
		}
	};
	return (
		<Section title={t('settings.drops.hostnames')} text={t('settings.drops.hostnamesText')}>
			{error !== undefined && <Notice kind="fault">{textOf(error)}</Notice>}
			<ul className={styles.list}>
				{hosts.map(({ hostname, count }) => (
					<li key={hostname} className={styles.host}>
						<b>{hostname}</b>
						<span className={styles.count}>{formatCount(count, i18n.language)}</span>
						{counted.has(hostname) ? (
							<span role="status">{t('settings.drops.countsNow')}</span>
						) : (
							canEdit && (
								<Button
									busy={busy === hostname}
									aria-label={t('settings.drops.countThisName', { hostname })}
									onClick={() => void add(hostname)}
								>
									{t('settings.drops.countThis')}
								</Button>
							)
						)}
					</li>
				))}
			</ul>
		</Section>
	);
}

/** A reason that only a newer server knows is shown by its own name. */
const knownReasons = [
	'prefetch',
	'bot',
	'excluded_address',
	'foreign_hostname',
	'privacy_signal',
	'bad_url',
	'late',
	'erased',
	'over_budget',
	'rule',
] as const;

const isKnown = (reason: string): reason is (typeof knownReasons)[number] =>
	knownReasons.some((known) => known === reason);

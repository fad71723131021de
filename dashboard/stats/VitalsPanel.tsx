import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { addFilter, hasValue, removeValue } from '../../presentation/filter-chips.ts';
import { formatCount, formatDate, formatRate } from '../../presentation/format.ts';
import { parametersOf } from '../../presentation/view-query.ts';
import { ApiError, saveTable, statistics, type Vital, vitalsPath } from '../api-client.ts';
import { BarTable } from '../ui/BarTable.tsx';
import { Button } from '../ui/Button.tsx';
import { Info } from '../ui/Info.tsx';
import { Notice } from '../ui/Notice.tsx';
import { Tooltip } from '../ui/Tooltip.tsx';
import { useFaultText } from '../ui/use-fault-text.ts';
import type { PanelProps } from './panel.ts';
import { useParameters } from './use-parameters.ts';
import styles from './VitalsPanel.module.css';
import { fitsVitals, formatVital, ratingOf, ratings } from './vitals.ts';

type Props = Pick<PanelProps, 'website' | 'query' | 'hrefOf' | 'page'>;

/** Web Vitals. Not shown for websites that send none. */
export function VitalsPanel({ website, query, hrefOf, page }: Props) {
	const { t, i18n } = useTranslation();
	const textOf = useFaultText();
	const { values, hrefOf: hrefTo } = useParameters(['vital']);
	const [fault, setFault] = useState<unknown>();
	const scope = parametersOf(query);
	const fits = query.filters.every(fitsVitals);
	// Keyed by the time of the page answer, so that both are refreshed together.
	const moment = page?.meta.as_of;
	const result = useQuery({
		queryKey: ['vitals', website.id, scope, moment],
		queryFn: ({ signal }) => statistics.vitals(website.id, scope, signal),
		// Keeps the previous answer while loading, but never across websites.
		placeholderData: (before, query) => (query?.queryKey[1] === website.id ? before : undefined),
		enabled: page !== undefined && fits,
		retry: false,
	});
	const isRefused = !fits || (result.error instanceof ApiError && result.error.code === 'validation_failed');
	// Whether there is data without the filters that do not apply.
	const all = { ...scope, filters: undefined, segment: undefined };
	const unfiltered = useQuery({
		queryKey: ['vitals', website.id, all, moment],
		queryFn: ({ signal }) => statistics.vitals(website.id, all, signal),
		enabled: page !== undefined && isRefused,
	});
	const answer = isRefused ? unfiltered.data : result.data;
	const vitals = answer?.data.filter(({ samples }) => samples > 0) ?? [];
	const [first] = vitals;
	if (!answer || !first) return null;
	const chosen = vitals.find(({ name }) => name === values.vital) ?? first;

	async function save() {
		setFault(undefined);
		try {
			const { from, to } = answer?.meta ?? { from: '', to: '' };
			await saveTable(vitalsPath(website.id), scope, `${website.domain}-vitals-${from}-${to}.csv`);
		} catch (error) {
			setFault(error);
		}
	}

	return (
		<section className={styles.panel} aria-label={t('vitals.title')}>
			<header className={styles.head}>
				<h2>{t('vitals.title')}</h2>
				<p>{t('vitals.text')}</p>
				{!isRefused && (
					<Button kind="quiet" title={t('lazyPanels.large.csvTitle')} onClick={() => void save()}>
						{t('lazyPanels.large.csv')}
					</Button>
				)}
			</header>
			{fault !== undefined && <Notice kind="fault">{textOf(fault)}</Notice>}
			{isRefused ? (
				<p className={styles.note}>{t('vitals.refused')}</p>
			) : (
				<>
					<div className={styles.figures}>
						{vitals.map((vital) => (
							<Figure
								key={vital.name}
								vital={vital}
								isChosen={vital.name === chosen.name}
								href={hrefTo({ vital: vital.name === 'lcp' ? '' : vital.name })}
							/>
						))}
					</div>
					<Heard vitals={vitals} />
					<Pages vital={chosen} query={query} hrefOf={hrefOf} />
				</>
			)}
			{answer.meta.available_from && (
				<p className={styles.note}>
					{t('vitals.from', { date: formatDate(answer.meta.available_from, i18n.language) })}
				</p>
			)}
		</section>
	);
}

/** 75th percentile, its rating, and the distribution. */
function Figure({ vital, isChosen, href }: { vital: Vital; isChosen: boolean; href: string }) {
	const { t, i18n } = useTranslation();
	const { language } = i18n;
	const { name, p75, thresholds } = vital;
	const rating = ratingOf(vital, p75 ?? 0);
	const label = t(`vitals.names.${name}`);
	const definition = t(`vitals.definitions.${name}`, {
		good: formatVital(name, thresholds.good, language),
		poor: formatVital(name, thresholds.poor, language),
	});
	return (
		<Tooltip text={definition}>
			{(attributes) => (
				<>
					<Link
						href={href}
						className={styles.figure}
						aria-current={isChosen ? 'true' : undefined}
						{...attributes}
					>
						<span className={styles.label}>
							<small>{name.toUpperCase()}</small> {label}
						</span>
						<strong>{formatVital(name, p75, language)}</strong>
						<em data-rating={rating}>{t(`vitals.ratings.${rating}`)}</em>
						<span className={styles.bar} aria-hidden="true">
							{ratings.map((name) => (
								<i key={name} data-rating={name} style={{ '--share': vital[name] ?? 0 }} />
							))}
						</span>
						<span className={styles.shares} aria-hidden="true">
							{ratings.map((name) => (
								<span key={name}>
									{formatRate(vital[name], language)} {t(`vitals.ratings.${name}`)}
								</span>
							))}
						</span>
					</Link>
					<Info className={styles.info} label={t('statistics.explain', { what: label })} text={definition} />
				</>
			)}
		</Tooltip>
	);
}

/** The same as a table for screen readers. */
function Heard({ vitals }: { vitals: readonly Vital[] }) {
	const { t, i18n } = useTranslation();
	const { language } = i18n;
	return (
		<div className="unseen">
			<table>
				<caption>{t('vitals.caption')}</caption>
				<thead>
					<tr>
						<th scope="col">{t('vitals.title')}</th>
						<th scope="col">{t('vitals.p75')}</th>
						{ratings.map((rating) => (
							<th key={rating} scope="col">
								{t(`vitals.ratings.${rating}`)}
							</th>
						))}
						<th scope="col">{t('vitals.samples')}</th>
					</tr>
				</thead>
				<tbody>
					{vitals.map((vital) => (
						<tr key={vital.name}>
							<th scope="row">{t(`vitals.names.${vital.name}`)}</th>
							<td>{formatVital(vital.name, vital.p75, language)}</td>
							{ratings.map((rating) => (
								<td key={rating}>{formatRate(vital[rating], language)}</td>
							))}
							<td>{formatCount(vital.samples, language)}</td>
						</tr>
					))}
				</tbody>
			</table>
		</div>
	);
}

/** Pages with the most samples. Clicking one filters by it. */
function Pages({ vital, query, hrefOf }: { vital: Vital } & Pick<Props, 'query' | 'hrefOf'>) {
	const { t, i18n } = useTranslation();
	const { language } = i18n;
	const most = Math.max(...vital.pages.map(({ samples }) => samples), 1);
	const name = t(`vitals.names.${vital.name}`);
	return (
		<BarTable
			caption={t('vitals.pages', { name })}
			nameLabel={t('vitals.pages', { name })}
			isHeadShown
			columns={[
				{ key: 'p75', label: t('vitals.p75'), title: t('vitals.text'), width: 104 },
				{ key: 'rating', label: t('vitals.rating'), width: 140 },
				{ key: 'samples', label: t('vitals.samples'), width: 104 },
			]}
			rows={vital.pages.map(({ page, samples, p75 }) => {
				const isOn = hasValue(query.filters, 'page', page);
				return {
					key: page,
					name: page,
					title: page,
					share: samples / most,
					cells: [
						formatVital(vital.name, p75, language),
						t(`vitals.ratings.${ratingOf(vital, p75)}`),
						formatCount(samples, language),
					],
					isOn,
					label: t(isOn ? 'statistics.filter.rowOn' : 'statistics.filter.row', { value: page }),
					href: hrefOf({
						filters: isOn
							? removeValue(query.filters, 'page', page)
							: addFilter(query.filters, { test: 'is', dimension: 'page', values: [page] }),
					}),
				};
			})}
		/>
	);
}

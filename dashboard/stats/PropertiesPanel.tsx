import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addFilter, hasValue, removeValue } from '../../presentation/filter-chips.ts';
import { formatCount } from '../../presentation/format.ts';
import { formatMetric } from '../../presentation/metrics.ts';
import { parametersOf } from '../../presentation/view-query.ts';
import { statistics } from '../api-client.ts';
import { BarTable } from '../ui/BarTable.tsx';
import { Button } from '../ui/Button.tsx';
import { SelectField, TextField } from '../ui/Field.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { Failure } from '../ui/States.tsx';
import { MoreLink } from './MoreLink.tsx';
import styles from './PropertiesPanel.module.css';
import type { PanelProps } from './panel.ts';
import { useNames } from './use-names.ts';
import { useParameters } from './use-parameters.ts';

const shownRows = 4;
const shown = ['events', 'visitors', 'revenue'] as const;

/** Cannot be a property name: names contain no control characters. */
const another = '\n';

/** Values of an event or page view property, chosen from a list or by name. */
export function PropertiesPanel({ website, query, hrefOf }: PanelProps) {
	const { t, i18n } = useTranslation();
	const names = useNames();
	const { values, set, hrefOf: hrefTo } = useParameters(['property']);
	const { period, from, to, week_start } = parametersOf(query);
	const time = { period, from, to, week_start };
	const offered = useQuery({
		queryKey: ['properties', website.id, time],
		queryFn: ({ signal }) => statistics.properties(website.id, time, signal),
		staleTime: 60_000,
	});
	const known = offered.data?.data ?? [];
	const name = values.property || (known[0]?.name ?? '');
	const [isAnother, setAnother] = useState(false);
	const [written, setWritten] = useState('');
	const isWriting = offered.data !== undefined && (isAnother || known.length === 0);
	const dimension = `property:${name}`;
	const scope = parametersOf(query);
	const result = useQuery({
		queryKey: ['property', website.id, name, scope],
		enabled: name !== '',
		queryFn: ({ signal }) =>
			statistics.breakdown(
				website.id,
				dimension,
				{ ...scope, metrics: shown.join(','), sort_by: 'visitors', per_page: 10 },
				signal,
			),
	});
	const rows = (result.data?.data ?? []).slice(0, shownRows);
	const most = Math.max(...rows.map(({ visitors }) => visitors ?? 0), 1);
	const columns = shown.filter(
		(metric) => metric !== 'revenue' || rows.some(({ revenue }) => Object.keys(revenue ?? {}).length > 0),
	);
	return (
		<>
			{known.length > 0 && (
				<div className={styles.form}>
					<SelectField
						label={t('lazyPanels.properties.choose')}
						value={isAnother ? another : name}
						onChange={({ target }) => {
							setAnother(target.value === another);
							if (target.value !== another) set({ property: target.value });
						}}
						options={[
							// The property in the URL need not be in the list.
							...(known.some((property) => property.name === name) ? [] : [{ value: name, label: name }]),
							...known.map((property) => ({
								value: property.name,
								label: `${property.name} (${formatCount(property.events, i18n.language)})`,
							})),
							{ value: another, label: t('lazyPanels.properties.other') },
						]}
					/>
				</div>
			)}
			{isWriting && (
				<form
					className={styles.form}
					onSubmit={(event) => {
						event.preventDefault();
						setAnother(false);
						set({ property: written.trim() });
					}}
				>
					<TextField
						label={t('lazyPanels.properties.name')}
						hint={name === '' ? t('lazyPanels.properties.hint') : undefined}
						value={written}
						onChange={({ target }) => setWritten(target.value)}
						maxLength={100}
						autoCapitalize="none"
						spellCheck={false}
					/>
					<Button type="submit">{t('lazyPanels.properties.show')}</Button>
				</form>
			)}
			{result.error && <Failure error={result.error} onTryAgain={() => void result.refetch()} />}
			{(offered.isLoading || result.isLoading) && <Skeleton height={150} />}
			{result.data && rows.length === 0 && <p className={styles.none}>{t('lazyPanels.properties.none')}</p>}
			{rows.length > 0 && (
				<BarTable
					caption={t('lazyPanels.properties.caption', { name })}
					nameLabel={names.dimension(dimension)}
					isHeadShown
					columns={columns.map((metric) => ({
						key: metric,
						label: t(`statistics.metrics.${metric}.label`),
						title: t(`statistics.metrics.${metric}.definition`),
						width: metric === 'revenue' ? 96 : 72,
					}))}
					rows={rows.map((row) => {
						const isOn = hasValue(query.filters, dimension, row.value);
						const value = names.value(dimension, row.value);
						return {
							key: row.value,
							name: value,
							title: row.value,
							share: (row.visitors ?? 0) / most,
							cells: columns.map((metric) => formatMetric(metric, row[metric], i18n.language)),
							isOn,
							label: t(isOn ? 'statistics.filter.rowOn' : 'statistics.filter.row', { value }),
							href: hrefOf({
								filters: isOn
									? removeValue(query.filters, dimension, row.value)
									: addFilter(query.filters, { test: 'is', dimension, values: [row.value] }),
							}),
						};
					})}
				/>
			)}
			{(result.data?.meta.total ?? 0) > shownRows && (
				<MoreLink href={hrefTo({ property: name }, { large: 'properties' })}>
					{t('statistics.all.properties')}
				</MoreLink>
			)}
		</>
	);
}

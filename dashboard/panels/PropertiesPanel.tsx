import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { statistics } from '../api-client.ts';
import { addFilter, hasValue, parametersOf, removeValue } from '../question-state.ts';
import { BarTable } from '../ui/BarTable.tsx';
import { Button } from '../ui/Button.tsx';
import { TextField } from '../ui/Field.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { Failure } from '../ui/States.tsx';
import { MoreLink } from './MoreLink.tsx';
import { formatMetric } from './metrics.ts';
import styles from './PropertiesPanel.module.css';
import type { PanelProps } from './panel.ts';
import { useNames } from './use-names.ts';
import { useParameters } from './use-parameters.ts';

const shownRows = 4;
const shown = ['events', 'visitors', 'revenue'] as const;

/** By the values of a property that pages send with events and page views. Which names there are only they know. */
export function PropertiesPanel({ website, asked, hrefOf }: PanelProps) {
	const { t, i18n } = useTranslation();
	const names = useNames();
	const { values, set } = useParameters(['property']);
	const name = values.property;
	const [written, setWritten] = useState(name);
	const dimension = `property:${name}`;
	const scope = parametersOf(asked);
	const found = useQuery({
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
	const rows = (found.data?.data ?? []).slice(0, shownRows);
	const most = Math.max(...rows.map(({ visitors }) => visitors ?? 0), 1);
	const columns = shown.filter(
		(metric) => metric !== 'revenue' || rows.some(({ revenue }) => Object.keys(revenue ?? {}).length > 0),
	);
	return (
		<>
			<form
				className={styles.form}
				onSubmit={(event) => {
					event.preventDefault();
					set({ property: written.trim() });
				}}
			>
				<TextField
					label={t('panels.properties.name')}
					hint={name === '' ? t('panels.properties.hint') : undefined}
					value={written}
					onChange={({ target }) => setWritten(target.value)}
					maxLength={100}
					autoCapitalize="none"
					spellCheck={false}
				/>
				<Button type="submit">{t('panels.properties.show')}</Button>
			</form>
			{found.error && <Failure error={found.error} onTryAgain={() => void found.refetch()} />}
			{found.isLoading && <Skeleton height={150} />}
			{found.data && rows.length === 0 && <p className={styles.none}>{t('panels.properties.none')}</p>}
			{rows.length > 0 && (
				<BarTable
					caption={t('panels.properties.caption', { name })}
					nameLabel={names.dimension(dimension)}
					isHeadShown
					columns={columns.map((metric) => ({
						key: metric,
						label: t(`statistics.metrics.${metric}.label`),
						title: t(`statistics.metrics.${metric}.definition`),
						width: metric === 'revenue' ? 96 : 72,
					}))}
					rows={rows.map((row) => {
						const isOn = hasValue(asked.filters, dimension, row.value);
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
									? removeValue(asked.filters, dimension, row.value)
									: addFilter(asked.filters, { test: 'is', dimension, values: [row.value] }),
							}),
						};
					})}
				/>
			)}
			{(found.data?.meta.total ?? 0) > shownRows && (
				<MoreLink href={hrefOf({ large: 'properties' })}>{t('statistics.all.properties')}</MoreLink>
			)}
		</>
	);
}

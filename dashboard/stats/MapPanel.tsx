import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { addFilter } from '../../presentation/filter-chips.ts';
import { formatCount } from '../../presentation/format.ts';
import { lazyPage } from '../lazy-page.ts';
import { Skeleton } from '../ui/Skeleton.tsx';
import styles from './MapPanel.module.css';
import type { PanelProps } from './panel.ts';
import { useNames } from './use-names.ts';

const WorldMap = lazyPage(async () => (await import('./WorldMap.tsx')).WorldMap);

/** Visitors on a world map. A table beside it has the same numbers for screen readers. */
export function MapPanel({ query, hrefOf, breakdown }: PanelProps) {
	const { t, i18n } = useTranslation();
	const names = useNames();
	const placeholder = (
		<div className={styles.placeholder}>
			<Skeleton height={240} />
		</div>
	);
	if (!breakdown) return placeholder;
	const values = (breakdown.rows ?? []).map(({ value, visitors }) => {
		const count = visitors ?? 0;
		return {
			code: value,
			name: names.value('country', value),
			count,
			text: formatCount(count, i18n.language),
			href: hrefOf({
				filters: addFilter(query.filters, { test: 'is', dimension: 'country', values: [value] }),
			}),
		};
	});
	return (
		<>
			<Suspense fallback={placeholder}>
				<WorldMap label={t('panels.map.label')} values={values} />
			</Suspense>
			<p className={styles.note}>{t('panels.map.unlisted')}</p>
			<div className="unseen">
				<table>
					<caption>{t('panels.map.caption')}</caption>
					<thead>
						<tr>
							<th scope="col">{t('panels.map.country')}</th>
							<th scope="col">{t('panels.visitors')}</th>
						</tr>
					</thead>
					<tbody>
						{values.map(({ code, name, text }) => (
							<tr key={code}>
								<th scope="row">{name}</th>
								<td>{text}</td>
							</tr>
						))}
					</tbody>
				</table>
			</div>
		</>
	);
}

import { useTranslation } from 'react-i18next';
import { formatDate } from '../../../presentation/format.ts';
import type { TileMetric } from '../../../presentation/view-query.ts';
import type { PageAnswer } from '../../api-client.ts';
import type { PointTexts } from './point-texts.ts';

/** The chart as a table for screen readers. */
export function ChartTable({
	page: { data, meta },
	first,
	second,
	texts,
}: {
	page: PageAnswer;
	first: TileMetric;
	second: TileMetric | undefined;
	texts: PointTexts;
}) {
	const { t, i18n } = useTranslation();
	return (
		<div className="unseen">
			<table>
				<caption>
					{t('statistics.chart.table', {
						metric: texts.labelOf(first),
						from: formatDate(meta.from, i18n.language),
						to: formatDate(meta.to, i18n.language),
					})}
				</caption>
				<thead>
					<tr>
						<th scope="col">{t('statistics.chart.time')}</th>
						<th scope="col">{texts.labelOf(first)}</th>
						{data.compared && (
							<>
								<th scope="col">{t('statistics.chart.comparedTime')}</th>
								<th scope="col">{t('statistics.chart.compared')}</th>
							</>
						)}
						{second && <th scope="col">{texts.labelOf(second)}</th>}
					</tr>
				</thead>
				<tbody>
					{data.series.map((point, index) => (
						<tr key={point.time}>
							<th scope="row">{texts.time(index)}</th>
							<td>
								{texts.value(index, first)}
								{texts.isSoFar(index) && ` ${texts.soFar}`}
							</td>
							{data.compared && (
								<>
									<td>{texts.comparedTime(index)}</td>
									<td>{texts.comparedValue(index, first)}</td>
								</>
							)}
							{second && <td>{texts.value(index, second)}</td>}
						</tr>
					))}
				</tbody>
			</table>
		</div>
	);
}

import { useQuery } from '@tanstack/react-query';
import { type TileMetric, wholeDayBodyOf } from '../../../presentation/view-query.ts';
import { type PageAnswer, type Point, statistics } from '../../api-client.ts';
import type { PanelProps } from '../../stats/panel.ts';

const hoursOfDay = 24;

/**
 * Today on an axis of 24 hours: the hours to come have no values, and the day that it is compared with has all of its hours.
 * Other periods stay as they are.
 */
export function useWholeDay(
	{ website, query }: Pick<PanelProps, 'website' | 'query'>,
	page: PageAnswer,
	metrics: readonly TileMetric[],
): PageAnswer {
	const { data, meta } = page;
	const isToday = query.period === 'today' && meta.interval === 'hour';
	const date = data.compared?.from;
	const body = isToday && date !== undefined ? wholeDayBodyOf(query, date, metrics) : undefined;
	const whole = useQuery({
		queryKey: ['stats', website.id, 'page', body],
		queryFn: ({ signal }) => (body ? statistics.page(website.id, body, signal) : null),
		enabled: body !== undefined,
	});
	if (!isToday) return page;
	const later = hoursAfter(data.series.at(-1)?.time ?? '');
	const day = whole.data?.data.series;
	return {
		...page,
		data: {
			...data,
			series: [...data.series, ...later],
			// The hours that today has, too, are those of the answer: the last one ends at the same minute.
			compared: data.compared && {
				...data.compared,
				series: [...data.compared.series, ...(day?.slice(data.compared.series.length) ?? [])],
			},
		},
	};
}

/** The hours of the day after this one. */
function hoursAfter(time: string): Point[] {
	const [date, hour, rest] = [time.slice(0, 11), Number(time.slice(11, 13)), time.slice(13)];
	return Array.from({ length: Math.max(0, hoursOfDay - 1 - hour) }, (_, index) => ({
		time: `${date}${String(hour + 1 + index).padStart(2, '0')}${rest}`,
	}));
}

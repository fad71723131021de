import type { StatsAnswer } from '../../stats/answer/shape.ts';
import type { Question } from '../../stats/question/question.ts';
import { dateOf } from '../../websites/zones.ts';

/** When and from which data a response was computed. */
export const toMeta = ({ website }: Pick<Question, 'website'>, meta: StatsAnswer['meta'], now: Date) => ({
	timezone: dateOf(website.zones, now.getTime()).zone,
	as_of: meta.asOf.toISOString(),
	answered_from: meta.answeredFrom.join('+'),
	rows_read: meta.rowsRead,
	ms: Math.round(meta.ms),
	available_from: meta.availableFrom,
	imported: meta.imported,
});

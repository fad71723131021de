import type { Question } from '../stats/question.ts';
import type { Answer } from '../stats/shape.ts';
import { dateOf } from '../websites/zones.ts';

/** How an answer came about. */
export const toMeta = ({ website }: Pick<Question, 'website'>, meta: Answer['meta'], now: Date) => ({
	timezone: dateOf(website.zones, now.getTime()).zone,
	as_of: meta.asOf.toISOString(),
	answered_from: meta.answeredFrom.join('+'),
	rows_read: meta.rowsRead,
	ms: Math.round(meta.ms),
	available_from: meta.availableFrom,
	imported: meta.imported,
});

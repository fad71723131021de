import type { z } from 'zod';
import type { funnelStatsQuery } from '../../../api/funnel-stats.ts';
import type { statsQuery } from '../../../api/stats.ts';
import type { propertiesQuery, vitalsQuery } from '../../../api/vitals.ts';
import { gatherFaults } from '../../lib/app-error.ts';
import { parseQuestion, type RawComparison, type RawQuestion } from '../../stats/question/parse-question.ts';
import type { Question } from '../../stats/question/question.ts';
import { getStatsContext } from '../../stats/question/stats-context.ts';
import { readParameters } from '../request/read-parameters.ts';
import { readFilterParams } from './filter-params.ts';
import type { Services, WebsiteRequest } from './route.ts';

/** Reads a question that has only a period and filters, neither metrics nor breakdowns. */
export async function readPeriodQuestion(
	{ principal, website, query }: WebsiteRequest,
	{ postgres, stats, now }: Services,
	schema: typeof vitalsQuery | typeof funnelStatsQuery | typeof propertiesQuery,
): Promise<{ question: Question; filters: RawQuestion['filters'] }> {
	const context = await getStatsContext(postgres, principal, website);
	const faults = gatherFaults();
	const { period, from, to, week_start: weekStart, ...sent } = readParameters(query, schema, faults);
	stats.assertCapacity(website.id, principal);
	const filters = await readFilterParams(postgres, website.id, sent, faults);
	const { question } = parseQuestion(
		context,
		{ period, from, to, weekStart, filters, metrics: [], goal: undefined, series: null, breakdowns: [] },
		now(),
		faults,
	);
	return { question, filters };
}

export const comparisonOf = (
	sent: Pick<z.output<typeof statsQuery>, 'compare' | 'compare_from' | 'compare_to' | 'match_weekdays'>,
): RawComparison => ({
	compare: sent.compare,
	compareFrom: sent.compare_from,
	compareTo: sent.compare_to,
	matchWeekdays: sent.match_weekdays === 1,
});

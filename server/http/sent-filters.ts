import { invalid } from '../lib/app-error.ts';
import { findSegment } from '../stats/asked-website.ts';
import type { SentQuestion } from '../stats/to-question.ts';
import type { Queries } from '../store/postgres.ts';

/** The filters of a question, which all hold: the one that was sent, and that of a saved segment. */
export async function sentFilters(
	queries: Queries,
	websiteId: number,
	sent: { filters?: unknown; segment?: number | undefined },
): Promise<SentQuestion['filters']> {
	const filters: SentQuestion['filters'][number][] = [];
	if (sent.filters !== undefined) filters.push({ field: 'filters', json: readJson(sent.filters) });
	if (sent.segment !== undefined) {
		const segment = await findSegment(queries, websiteId, sent.segment);
		if (segment === undefined) throw invalid({ segment: [`The website has no segment ${sent.segment}.`] });
		filters.push({ field: 'segment', json: segment });
	}
	return filters;
}

/** In an address a filter is a text of JSON; in a body it may be JSON itself. */
function readJson(sent: unknown): unknown {
	if (typeof sent !== 'string') return sent;
	try {
		return JSON.parse(sent);
	} catch {
		throw invalid({ filters: ['The filters parameter must be JSON such as ["is", "country", ["DE"]].'] });
	}
}

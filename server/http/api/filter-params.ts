import type { Faults } from '../../lib/app-error.ts';
import type { RawQuestion } from '../../stats/question/parse-question.ts';
import { findSegment } from '../../stats/question/stats-context.ts';
import type { Queries } from '../../store/postgres.ts';

/** The filters of a request and of its segment, which all apply. Errors are added to `faults`. */
export async function readFilterParams(
	queries: Queries,
	websiteId: number,
	sent: { filters?: readonly unknown[] | undefined; segment?: number | undefined },
	faults: Faults,
): Promise<RawQuestion['filters']> {
	const filters: RawQuestion['filters'][number][] = [];
	for (const filter of sent.filters ?? []) {
		const json = readJson(filter);
		if (json === undefined)
			faults.add({ filters: ['The filters parameter must be JSON such as ["is", "country", ["DE"]].'] });
		else filters.push({ field: 'filters', json });
	}
	if (sent.segment !== undefined) {
		const segment = await findSegment(queries, websiteId, sent.segment);
		if (segment === undefined) faults.add({ segment: [`The website has no segment ${sent.segment}.`] });
		else filters.push({ field: 'segment', json: segment });
	}
	return filters;
}

/** A filter is a JSON string in a URL and may be a JSON value in a body. Undefined if it is not valid JSON. */
function readJson(sent: unknown): unknown {
	if (typeof sent !== 'string') return sent;
	try {
		return JSON.parse(sent);
	} catch {
		return undefined;
	}
}

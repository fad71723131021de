/** What a spike comes from: the last hour compared with the same hour a week ago. */
import type { ChangeFacts } from '../../presentation/change-sentence.ts';
import type { Clock } from '../lib/clock.ts';
import { findChanges, toFacts } from '../stats/answer/changes.ts';
import type { StatsAnswer } from '../stats/answer/shape.ts';
import type { Question, Span } from '../stats/question/question.ts';
import { getStatsContext } from '../stats/question/stats-context.ts';
import type { Queries } from '../store/postgres.ts';
import { getWebsite } from '../websites/get-website.ts';
import { dateOf, type Zones } from '../websites/zones.ts';
import type { Window } from './count-windows.ts';

export type ExplainServices = {
	postgres: Queries;
	now: Clock;
	ask(question: Question, accountId: number, signal: AbortSignal): Promise<StatsAnswer>;
};

/** Undefined if no value stands for most of it, or if that is not known when the signal aborts: no alert waits for it. */
export async function explainSpike(
	services: ExplainServices,
	{ websiteId, accountId, zones }: { websiteId: number; accountId: number; zones: Zones },
	{ current, compared }: { current: Window; compared: Window },
	signal: AbortSignal,
): Promise<ChangeFacts | undefined> {
	const { postgres, ask } = services;
	const find = async () => {
		const owner = { kind: 'account', accountId } as const;
		const { website } = await getStatsContext(
			postgres,
			owner,
			await getWebsite(postgres, owner, 'stats.read', websiteId),
		);
		const question: Question = {
			website,
			span: spanOf(zones, current),
			compared: spanOf(zones, compared),
			...{ buckets: null, comparedBuckets: null, filter: null, goal: null },
			metrics: ['visitors'],
			breakdowns: [],
		};
		const facts = toFacts(
			await findChanges(question, { metric: 'visitors', limit: 1 }, (each) => ask(each, accountId, signal)),
		);
		return facts.cause && (facts.difference ?? 0) > 0 ? facts : undefined;
	};
	const { promise: late, resolve } = Promise.withResolvers<undefined>();
	const stop = () => resolve(undefined);
	signal.addEventListener('abort', stop, { once: true });
	try {
		return signal.aborted ? undefined : await Promise.race([find(), late]);
	} catch {
		// If the engine is busy or stopped, the alert is sent without an explanation.
		return undefined;
	} finally {
		signal.removeEventListener('abort', stop);
	}
}

const spanOf = (zones: Zones, { fromMs, toMs }: Window): Span => ({
	from: dateOf(zones, fromMs).date,
	to: dateOf(zones, toMs - 1).date,
	startMs: fromMs,
	endMs: toMs,
});

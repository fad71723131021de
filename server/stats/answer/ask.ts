/**
 * Answers questions within limits. A question can cost a thousand times what it costs to ask it, anyone may ask about public
 * websites, and the same machine collects events. Therefore:
 *
 * - Equal questions at the same time are answered once. Equal means: the same website, parts, period and state of its days.
 *   Permission is checked before a question gets here. A share never joins a question of an account, because its limits are
 *   lower and it is shown less.
 * - An account has a few questions running and some more waiting; the next one is refused. Shares are limited per website, and
 *   all shares together have fewer slots than ClickHouse has connections, so they cannot lock out accounts.
 * - Scheduled questions (reports) have slots of their own, so they never delay people.
 * - ClickHouse enforces a time and memory limit. It checks the time between blocks only, so we also abort the statement
 *   ourselves soon after.
 * - A question is aborted when all who asked have left.
 */
import { createHash } from 'node:crypto';
import type { Principal } from '../../accounts/principal.ts';
import { AppError, invalid } from '../../lib/app-error.ts';
import { createKeyedSemaphore, type KeyedSemaphore } from '../../lib/keyed-semaphore.ts';
import { createSingleFlight } from '../../lib/single-flight.ts';
import type { ClickHouse } from '../../store/clickhouse.ts';
import { refusalOf } from '../../store/clickhouse-errors.ts';
import type { Filter, Question } from '../question/question.ts';
import { allQuestions, questionsForShare, refuseForShares } from '../question/shared-questions.ts';
import { answer, readDaysOf, type StatsServices } from './answer.ts';
import type { PlannedDay } from './plan.ts';
import { hideSmallGroups } from './public-thresholds.ts';
import type { StatsAnswer } from './shape.ts';

/** `isBackground`: scheduled; nobody waits for the answer. */
type QuestionContext = { principal: Principal; signal: AbortSignal; isBackground?: boolean };

export type Stats = {
	/** Refuses a principal who has too many questions running, before any work is done for one more. */
	assertCapacity(websiteId: number, principal: Principal): void;
	/** The caller checks that the principal may read the website. */
	ask(question: Question, by: QuestionContext): Promise<StatsAnswer>;
	/** Other work within the same limits, as far as it queries ClickHouse through the services it is passed. */
	runBounded<Result>(
		by: { principal: Principal; websiteId: number; signal: AbortSignal },
		work: (services: StatsServices, signal: AbortSignal) => Promise<Result>,
	): Promise<Result>;
};

type Limits = {
	seconds: number;
	/** Of the engine's memory, for one statement. */
	memoryShare: number;
	maxThreads: number | null;
	/** Concurrent statements of one question. */
	maxStatements: number;
};

const limits: Record<'account' | 'share' | 'background', Limits> = {
	account: { seconds: 15, memoryShare: 0.4, maxThreads: null, maxStatements: 4 },
	share: { seconds: 5, memoryShare: 0.2, maxThreads: 1, maxStatements: 2 },
	// Thousands of small questions: another thread costs more than it saves.
	background: { seconds: 60, memoryShare: 0.2, maxThreads: 1, maxStatements: 2 },
};

/** A place in a semaphore that a question has to take before it runs. */
type Slot = { semaphore: KeyedSemaphore; key: string };

type Run = {
	slots: readonly Slot[];
	limits: Limits;
	hasManyRows: boolean;
	/** So that the time limit is checked often. */
	hasSmallBlocks: boolean;
	signal: AbortSignal;
};

const waitMs = 10_000;
/**
 * ClickHouse checks its time limit and whether it was cancelled after each block. With its default of 65,000 rows and a filter of
 * many values that took half a minute. Small blocks make other queries slower by a third.
 */
const smallBlockRows = 8_192;
const maxValuesOfLargeBlocks = 20;
/** How long after its time limit we abort a statement ourselves. */
const graceMs = 2_000;
/** An answer with more rows than this is held in memory while it is written: such answers are made one at a time. */
const manyRows = 1_000;

export function createStats(
	services: StatsServices & {
		/** What the embedded engine may use; undefined for a ClickHouse server, which has its own limits. */
		engineMemoryMb: number | undefined;
	},
): Stats {
	const { postgres, clickhouse, engineMemoryMb } = services;
	const flights = createSingleFlight<StatsAnswer[]>();
	const slots = createSlots();

	const run = <Result>(
		{ slots: needed, limits: own, hasManyRows, hasSmallBlocks, signal }: Run,
		work: (services: StatsServices, signal: AbortSignal) => Promise<Result>,
	): Promise<Result> =>
		withSlots(needed, signal, async () => {
			const timeout = AbortSignal.timeout(own.seconds * 1000 + graceMs);
			const bounded = boundClickHouse(clickhouse, own, { engineMemoryMb, hasManyRows, hasSmallBlocks });
			try {
				return await work({ ...services, clickhouse: bounded }, AbortSignal.any([signal, timeout]));
			} catch (error) {
				throw toAppError(error, own, timeout.aborted) ?? error;
			}
		});

	return {
		runBounded: ({ principal, websiteId, signal }, work) =>
			run(
				{
					slots: slots.forQuestion(websiteId, principal),
					limits: limitsOf(principal),
					hasManyRows: false,
					hasSmallBlocks: true,
					signal,
				},
				work,
			),
		assertCapacity(websiteId, principal) {
			if (slots.forQuestion(websiteId, principal).some(({ semaphore, key }) => semaphore.isFull(key)))
				throw busy();
		},
		async ask(question, { principal, signal, isBackground = false }) {
			const isShare = isOfShare(principal);
			assertFixed(question, principal);
			if (isShare) refuseForShares(question);
			const shared = isShare ? questionsForShare(question, services.now()) : null;
			const questions = shared ? allQuestions(shared) : [question];
			const days = await readDaysOf(postgres, question);
			const key = digestOf([isShare, isBackground, questions.map(withoutBuckets), days.map(stateOf)]);
			const hasManyRows = questions.some(({ breakdowns }) =>
				breakdowns.some(({ limit }) => limit > manyRows),
			);
			const needed = isBackground ? [slots.background] : slots.forQuestion(question.website.id, principal);
			const answers = await flights.share(
				key,
				signal,
				(allLeft) =>
					run(
						{
							slots: hasManyRows ? [...needed, slots.manyRows] : needed,
							limits: isBackground ? limits.background : limitsOf(principal),
							hasManyRows,
							hasSmallBlocks:
								isShare || costOf(question.filter, question) + groupCostOf(question) > maxValuesOfLargeBlocks,
							signal: allLeft,
						},
						(bounded, ending) =>
							Promise.all(questions.map((each) => answer(each, bounded, { days, signal: ending }))),
					),
				clientLeft,
			);
			if (shared) return hideSmallGroups(question, shared, answers);
			const [only] = answers;
			if (!only) throw new Error('The question was not answered.');
			return only;
		},
	};
}

function createSlots() {
	const accounts = createKeyedSemaphore({ running: 4, waiting: 16, waitMs });
	const shares = createKeyedSemaphore({ running: 2, waiting: 16, waitMs });
	const allShares = createKeyedSemaphore({ running: 3, waiting: 64, waitMs });
	const background = createKeyedSemaphore({ running: 2, waiting: 16, waitMs: 120_000 });
	const manyRowsAtOnce = createKeyedSemaphore({ running: 1, waiting: 8, waitMs: 30_000 });
	return {
		background: { semaphore: background, key: '' } satisfies Slot,
		manyRows: { semaphore: manyRowsAtOnce, key: '' } satisfies Slot,
		/** The slots that a question of this principal takes. */
		forQuestion(websiteId: number, principal: Principal): Slot[] {
			switch (principal.kind) {
				case 'person':
				case 'account':
				case 'key':
					return [{ semaphore: accounts, key: String(principal.accountId) }];
				case 'share':
				case 'nobody':
				case 'operatorKey':
					return [
						{ semaphore: shares, key: String(websiteId) },
						{ semaphore: allShares, key: '' },
					];
			}
		},
	};
}

async function withSlots<Result>(
	slots: readonly Slot[],
	signal: AbortSignal,
	work: () => Promise<Result>,
): Promise<Result> {
	const releases: (() => void)[] = [];
	try {
		for (const { semaphore, key } of slots) {
			const release = await semaphore.take(key, signal);
			if (!release) throw busy();
			releases.push(release);
		}
		return await work();
	} finally {
		for (const release of releases) release();
	}
}

/** ClickHouse for one question: its statements share the time limit, and only so many run at once. */
function boundClickHouse(
	clickhouse: ClickHouse,
	{ seconds, memoryShare, maxThreads, maxStatements }: Limits,
	{
		engineMemoryMb,
		hasManyRows,
		hasSmallBlocks,
	}: { engineMemoryMb: number | undefined; hasManyRows: boolean; hasSmallBlocks: boolean },
): ClickHouse {
	const began = performance.now();
	const statements = createKeyedSemaphore({
		running: maxStatements,
		waiting: Number.POSITIVE_INFINITY,
		waitMs: 60_000,
	});
	const memory = engineMemoryMb && Math.floor(engineMemoryMb * memoryShare) * 1024 * 1024;
	return {
		...clickhouse,
		async ask(query, options = {}) {
			const release = await statements.take('', options.signal ?? new AbortController().signal);
			// The question ended while this statement waited.
			if (!release) throw clientLeft();
			try {
				const spent = (performance.now() - began) / 1000;
				const bounded = {
					...options,
					settings: {
						...options.settings,
						max_execution_time: Math.max(1, Math.ceil(seconds - spent)),
						...(hasSmallBlocks && { max_block_size: String(smallBlockRows) }),
						...(memory && { max_memory_usage: String(memory) }),
						...(maxThreads && { max_threads: maxThreads }),
					},
				};
				if (!hasManyRows) return await clickhouse.ask(query, bounded);
				return { rows: await clickhouse.rows(query, bounded), readRows: 0 };
			} finally {
				release();
			}
		},
	};
}

/** The values of all tests. A regular expression costs as much as many, and whether any goal was reached as much as all goals. */
function costOf(filter: Filter | null, { website }: Pick<Question, 'website'>): number {
	if (!filter) return 0;
	switch (filter.kind) {
		case 'test':
			if (filter.test === 'is_set' && filter.dimension.name === 'goal') return website.goals.length;
			if (filter.dimension.name === 'page_group') return filter.values.length + website.pathRules.length;
			return filter.values.length + (filter.test === 'matches' ? maxValuesOfLargeBlocks : 0);
		case 'not':
			return costOf(filter.part, { website });
		case 'and':
		case 'or':
			return filter.parts.reduce((sum, part) => sum + costOf(part, { website }), 0);
	}
}

/** Each rule of page groups is one more comparison of each path. */
const groupCostOf = ({ breakdowns, website }: Question): number =>
	breakdowns.some(({ dimension }) => [dimension.name, dimension.by?.name].includes('page_group'))
		? website.pathRules.length
		: 0;

/** `parseQuestion` adds the filter of a share link. A question that was made without it would show too much. */
function assertFixed({ fixed }: Question, principal: Principal): void {
	if (principal.kind === 'share' && principal.limits && principal.limits.filter !== null && !fixed?.filter)
		throw new Error('The question lacks the filter of the share link.');
}

const isOfShare = ({ kind }: Principal): boolean => kind === 'share' || kind === 'nobody';

const limitsOf = (principal: Principal): Limits => limits[isOfShare(principal) ? 'share' : 'account'];

/** There may be thousands of buckets; their number and ends identify them. */
const withoutBuckets = (question: Question) => {
	const { buckets, comparedBuckets, ...rest } = question;
	const ends = [buckets, comparedBuckets].map((list) => list && [list.length, list[0], list[1], list.at(-1)]);
	return { ...rest, ends };
};

/** Changes whenever the answer for the day may change. */
const stateOf = ({
	date,
	isSealed,
	generation,
	goalRevision,
	size,
	provisional,
	imported,
}: PlannedDay): string =>
	[date, isSealed, generation, goalRevision, size, provisional?.generation, imported?.importId].join(' ');

const digestOf = (parts: unknown): string =>
	createHash('sha256').update(JSON.stringify(parts)).digest('base64');

/** Never read by anyone. */
const clientLeft = () => new AppError('unavailable', 'The client closed the request.');

const busy = () =>
	new AppError(
		'too_many_requests',
		'Too many statistics queries are running for this account. Wait until one of them is done.',
		{ retryAfterSeconds: 5 },
	);

const advice = 'Use a shorter period, fewer breakdowns or a simpler filter.';

/** An error for the client when ClickHouse refused the statement. */
function toAppError(error: unknown, { seconds }: Limits, isTimeout: boolean): AppError | undefined {
	const refusal = isTimeout ? 'time' : refusalOf(error);
	switch (refusal) {
		case 'time':
			return new AppError(
				'unavailable',
				`This query took longer than ${seconds} seconds and was stopped. ${advice}`,
			);
		case 'memory':
			return new AppError('unavailable', `This query exceeds the memory limit. ${advice}`);
		case 'size':
			return invalid({ filters: ['This filter has too many values. Use fewer.'] });
		case 'busy':
			return new AppError('too_many_requests', 'The statistics engine is busy. Try again in a few seconds.', {
				retryAfterSeconds: 5,
			});
		case 'away':
			return new AppError(
				'unavailable',
				'The statistics engine is not reachable. Try again in a few seconds.',
				{ retryAfterSeconds: 5 },
			);
		case undefined:
			return undefined;
	}
}

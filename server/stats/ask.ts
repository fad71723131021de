/**
 * Asking, within bounds. A question can cost a thousand times what it costs to ask it, and people who are not known to us
 * may ask on public websites, while the same box collects. So:
 *
 * - Equal questions at the same time are one. Equal means: the same website, the same parts in the same time, and the same
 *   state of its days. Who may ask is decided before a question comes here; a share never rides with an account, because its
 *   bounds are narrower and what it is shown is less.
 * - An account has a few questions running and some more waiting; the next one is refused. Shares are counted by website,
 *   and all shares together have fewer turns than ClickHouse has connections: who signs in is never locked out by them.
 * - What is asked by the clock has turns of its own, so that reports never keep people from asking.
 * - A question has a time and a memory, which ClickHouse keeps to; because it looks at its clock between blocks only, we end
 *   the statement ourselves soon after.
 * - It ends when everybody who asked has left.
 */
import { createHash } from 'node:crypto';
import type { Principal } from '../accounts/principal.ts';
import { AppError, invalid } from '../lib/app-error.ts';
import { createSingleFlight } from '../lib/single-flight.ts';
import { createTurns, type Turns } from '../lib/turns.ts';
import { type ClickHouse, refusalOf } from '../store/clickhouse.ts';
import { answer, readDaysOf, type StatsServices } from './answer.ts';
import { hideFew, refuseForShares, widenForShares } from './few.ts';
import type { Day } from './plan.ts';
import type { Question } from './question.ts';
import type { Answer } from './shape.ts';

/** `isByClock`: nobody waits for the answer. */
type Asking = { principal: Principal; signal: AbortSignal; isByClock?: boolean };

export type Stats = {
	/** Refuses whoever has too many questions under way, before any work is done for one more. */
	admit(websiteId: number, principal: Principal): void;
	/** That the principal may ask about this website is for the caller to know. */
	ask(question: Question, by: Asking): Promise<Answer>;
	/** Other work within the same bounds: what it asks ClickHouse by the services that it is given. */
	within<Result>(
		by: { principal: Principal; websiteId: number; signal: AbortSignal },
		work: (services: StatsServices, signal: AbortSignal) => Promise<Result>,
	): Promise<Result>;
};

type Bounds = {
	seconds: number;
	/** Of the engine's memory, for one statement. */
	memoryShare: number;
	maxThreads: number | null;
	/** Statements of one question, side by side. */
	atOnce: number;
};

const bounds: Record<'account' | 'share' | 'clock', Bounds> = {
	account: { seconds: 15, memoryShare: 0.4, maxThreads: null, atOnce: 4 },
	share: { seconds: 5, memoryShare: 0.2, maxThreads: 1, atOnce: 2 },
	// Thousands of small ones: a thread more costs more than it saves.
	clock: { seconds: 60, memoryShare: 0.2, maxThreads: 1, atOnce: 2 },
};

type Run = {
	turns: readonly { of: Turns; name: string }[];
	of: Bounds;
	isLong: boolean;
	signal: AbortSignal;
};

const waitMs = 10_000;
/**
 * ClickHouse looks at its clock, and whether it was told to end, after each block. With its usual 65,000 rows and a dear filter
 * it was deaf for half a minute.
 */
const maxBlockRows = 8_192;
/** How long after its time a statement is ended by us. */
const graceMs = 2_000;
/** An answer with more rows than this is held in memory whole while it is written: such are made one after the other. */
const manyRows = 1_000;

export function createStats(
	services: StatsServices & {
		/** What the statistics engine of this box may use; undefined for a server, which has its own bounds. */
		engineMemoryMb: number | undefined;
	},
): Stats {
	const { postgres, engineMemoryMb } = services;
	const flights = createSingleFlight<Answer>();
	const ofAccounts = createTurns({ running: 4, waiting: 16, waitMs });
	const ofShares = createTurns({ running: 2, waiting: 16, waitMs });
	const ofAllShares = createTurns({ running: 3, waiting: 64, waitMs });
	const byClock = createTurns({ running: 2, waiting: 16, waitMs: 120_000 });
	const ofMany = createTurns({ running: 1, waiting: 8, waitMs: 30_000 });

	async function withTurns<Result>(
		turns: readonly { of: Turns; name: string }[],
		signal: AbortSignal,
		work: () => Promise<Result>,
	): Promise<Result> {
		const taken: (() => void)[] = [];
		try {
			for (const { of, name } of turns) {
				const end = await of.take(name, signal);
				if (!end) throw busy();
				taken.push(end);
			}
			return await work();
		} finally {
			for (const end of taken) end();
		}
	}

	/** Whose turns a question takes. */
	function turnsOf(websiteId: number, principal: Principal): { of: Turns; name: string }[] {
		switch (principal.kind) {
			case 'account':
			case 'key':
				return [{ of: ofAccounts, name: String(principal.accountId) }];
			case 'share':
			case 'nobody':
				return [
					{ of: ofShares, name: String(websiteId) },
					{ of: ofAllShares, name: '' },
				];
		}
	}

	function bounded(of: Bounds, began: number, isLong: boolean): ClickHouse {
		const turns = createTurns({
			running: of.atOnce,
			waiting: Number.POSITIVE_INFINITY,
			waitMs: 60_000,
		});
		const memory = engineMemoryMb && Math.floor(engineMemoryMb * of.memoryShare) * 1024 * 1024;
		return {
			...services.clickhouse,
			async ask(query, options = {}) {
				const end = await turns.take('', options.signal ?? new AbortController().signal);
				// The question has ended while this part of it waited.
				if (!end) throw left();
				try {
					const spent = (performance.now() - began) / 1000;
					const within = {
						...options,
						settings: {
							...options.settings,
							max_execution_time: Math.max(1, Math.ceil(of.seconds - spent)),
							max_block_size: String(maxBlockRows),
							...(memory && { max_memory_usage: String(memory) }),
							...(of.maxThreads && { max_threads: of.maxThreads }),
						},
					};
					if (!isLong) return await services.clickhouse.ask(query, within);
					return { rows: await services.clickhouse.rows(query, within), readRows: 0 };
				} finally {
					end();
				}
			},
		};
	}

	const within: Stats['within'] = ({ principal, websiteId, signal }, work) =>
		run({ turns: turnsOf(websiteId, principal), of: boundsOf(principal), isLong: false, signal }, work);

	async function run<Result>(
		{ turns, of, isLong, signal }: Run,
		work: (services: StatsServices, signal: AbortSignal) => Promise<Result>,
	): Promise<Result> {
		return withTurns(turns, signal, async () => {
			const began = performance.now();
			const late = AbortSignal.timeout(of.seconds * 1000 + graceMs);
			try {
				return await work(
					{ ...services, clickhouse: bounded(of, began, isLong) },
					AbortSignal.any([signal, late]),
				);
			} catch (error) {
				throw refusedAs(error, of, late.aborted) ?? error;
			}
		});
	}

	return {
		within,
		admit(websiteId, principal) {
			if (turnsOf(websiteId, principal).some(({ of, name }) => of.isFull(name))) throw busy();
		},
		async ask(question, { principal, signal, isByClock = false }) {
			const isShare = isOfShare(principal);
			if (isShare) refuseForShares(question);
			const asked = isShare ? widenForShares(question) : question;
			const days = await readDaysOf(postgres, asked);
			const key = digestOf([isShare, isByClock, withoutBuckets(asked), days.map(stateOf)]);
			const isLong = hasMany(asked);
			const turns = isByClock ? [{ of: byClock, name: '' }] : turnsOf(asked.website.id, principal);
			const of = isByClock ? bounds.clock : boundsOf(principal);
			if (isLong) turns.push({ of: ofMany, name: '' });
			const found = await flights.share(
				key,
				signal,
				(allLeft) =>
					run({ turns, of, isLong, signal: allLeft }, (within, ending) =>
						answer(asked, within, { days, signal: ending }),
					),
				left,
			);
			return isShare ? hideFew(question, found) : found;
		},
	};
}

const isOfShare = ({ kind }: Principal): boolean => kind === 'share' || kind === 'nobody';

const boundsOf = (principal: Principal): Bounds => bounds[isOfShare(principal) ? 'share' : 'account'];

const hasMany = ({ breakdowns }: Question): boolean => breakdowns.some(({ limit }) => limit > manyRows);

/** Of which there may be thousands: these say which they are. */
const withoutBuckets = (question: Question) => {
	const { buckets, comparedBuckets, ...rest } = question;
	const ends = [buckets, comparedBuckets].map((of) => of && [of.length, of[0], of[1], of.at(-1)]);
	return { ...rest, ends };
};

/** What of a day tells that its answer would be another. */
const stateOf = ({ date, isSealed, generation, goalRevision, size, provisional, imported }: Day): string =>
	[date, isSealed, generation, goalRevision, size, provisional?.generation, imported?.importId].join(' ');

const digestOf = (of: unknown): string => createHash('sha256').update(JSON.stringify(of)).digest('base64');

/** Nobody reads it. */
const left = () => new AppError('unavailable', 'Whoever asked has left.');

const busy = () =>
	new AppError(
		'too_many_requests',
		'Too many questions are being answered for this account; ask again when one of them is done.',
		{ retryAfterSeconds: 5 },
	);

const advice = 'Ask about a shorter time, with fewer breakdowns or a simpler filter.';

/** What ClickHouse refuses, as words for who asked. */
function refusedAs(error: unknown, { seconds }: Bounds, isLate: boolean): AppError | undefined {
	const refusal = isLate ? 'time' : refusalOf(error);
	switch (refusal) {
		case 'time':
			return new AppError(
				'unavailable',
				`This question took longer than ${seconds} seconds and was ended. ${advice}`,
			);
		case 'memory':
			return new AppError('unavailable', `This question needs more memory than one may have. ${advice}`);
		case 'size':
			return invalid({ filters: ['This filter has too many values to be answered; use fewer.'] });
		case 'busy':
			return new AppError(
				'too_many_requests',
				'The statistics engine has too much to do for the moment; ask again in a few seconds.',
				{ retryAfterSeconds: 5 },
			);
		case 'away':
			return new AppError(
				'unavailable',
				'The statistics engine is not there for the moment; ask again in a few seconds.',
				{ retryAfterSeconds: 5 },
			);
		case undefined:
			return undefined;
	}
}

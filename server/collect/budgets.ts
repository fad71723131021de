/**
 * How many hits a website may get. A viral or a hostile one must not take the machine from the others, so it is refused
 * while a refusal is still cheap: before its hit is parsed, and without a question to any database.
 *
 * A budget is so many hits a second, and what was not used is kept for a burst. What is refused takes nothing, so a
 * website at ten times its budget gets its budget, not less.
 *
 * Counted in each process: N collectors let N times as much through. A common count would be a round trip for every hit,
 * and what is protected here is the process that counts, not a bill.
 */
import { AppError } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import type { EventLog } from '../store/event-log.ts';
import { dateOf } from '../websites/zones.ts';
import type { TrackedWebsite } from './hit.ts';

export type Budgets = {
	/** Refuses a hit by what is known of its website already; takes nothing. */
	check(websiteId: number): void;
	/** Takes hits from the budget, or refuses them all. A list may take more than is left: the website owes it then. */
	take(website: TrackedWebsite, hits: number): void;
	/** Refuses hits that had a budget and found no room. */
	refuse(website: TrackedWebsite, hits: number): never;
};

type Budget = { website: TrackedWebsite; left: number; filledAt: number };

/** Seconds of budget that are kept for a burst. */
const burstSeconds = 10;
const maxKept = 200_000;

export function createBudgets(options: {
	/** Of a website whose account has no limit of its own. */
	hitsASecond: number;
	eventLog: Pick<EventLog, 'countDrop'>;
	now: Clock;
	/** Milliseconds that never go back. */
	ticks: () => number;
}): Budgets {
	const { eventLog, now, ticks } = options;
	const budgets = new Map<number, Budget>();
	const rateOf = ({ hitLimit }: TrackedWebsite) => hitLimit ?? options.hitsASecond;

	function fill(budget: Budget) {
		const rate = rateOf(budget.website);
		const passed = ticks() - budget.filledAt;
		budget.left = Math.min(rate * burstSeconds, budget.left + (passed / 1000) * rate);
		budget.filledAt += passed;
	}

	function refuse(website: TrackedWebsite, hits: number, seconds = 1): never {
		const { date } = dateOf(website.zones, now().getTime());
		for (let n = 0; n < hits; n++) eventLog.countDrop({ websiteId: website.id, date, reason: 'over_budget' });
		throw new AppError('too_many_requests', 'The website gets more hits than it may; try again later.', {
			retryAfterSeconds: Math.max(1, Math.ceil(seconds)),
		});
	}

	function refuseSpent({ website, left }: Budget, hits: number) {
		if (left < 1) refuse(website, hits, (1 - left) / rateOf(website));
	}

	return {
		check(websiteId) {
			const budget = budgets.get(websiteId);
			if (!budget) return;
			fill(budget);
			refuseSpent(budget, 1);
		},
		take(website, hits) {
			let budget = budgets.get(website.id);
			if (!budget) {
				// A map keeps the order of insertion. Whoever is forgotten begins with a full budget.
				if (budgets.size >= maxKept) budgets.delete(budgets.keys().next().value ?? website.id);
				budget = { website, left: rateOf(website) * burstSeconds, filledAt: ticks() };
				budgets.set(website.id, budget);
			}
			// It may have changed.
			budget.website = website;
			fill(budget);
			refuseSpent(budget, hits);
			budget.left -= hits;
		},
		refuse: (website, hits) => refuse(website, hits),
	};
}

const head = /^\s*\{\s*"w"\s*:\s*([1-9]\d{0,14})\s*[,}]/;
const headBytes = 64;

/**
 * The website of a hit by its first bytes, where the tracker writes it; undefined when it stands elsewhere. It may be
 * named again further on, so what was not refused by this one is charged by what the whole hit says.
 */
export function peekWebsiteId(body: unknown): number | undefined {
	if (!Buffer.isBuffer(body)) return undefined;
	const found = head.exec(body.toString('latin1', 0, headBytes))?.[1];
	return found === undefined ? undefined : Number(found);
}

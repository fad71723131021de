import type { DropDetail } from '../../event-log/event-log.ts';
import { createEvent, type Event } from '../event.ts';
import type { Hit } from '../hit.ts';

/** Why a hit was dropped. Drops are counted by website, day and reason. */
export const dropReasons = [
	'prefetch',
	'bot',
	'excluded_address',
	'foreign_hostname',
	'privacy_signal',
	'bad_url',
	'late',
	'erased',
	'over_budget',
	'rule',
] as const;

export type DropReason = (typeof dropReasons)[number];

/** The result of a step that drops a hit. Never thrown or logged. */
export class Dropped {
	readonly reason: DropReason;
	readonly detail: DropDetail | undefined;
	constructor(reason: DropReason, detail?: DropDetail) {
		this.reason = reason;
		this.detail = detail;
	}
}

/** Sets fields of the event, or drops the hit. It depends on nothing else: no database, no log, no clock. */
export type Step = (event: Event, hit: Hit, lookups: Lookups) => Dropped | undefined;

/** All steps set fields of one event, because each hit would otherwise copy its 40 fields six times. */
export function applySteps(steps: readonly Step[], hit: Hit, lookups: Lookups): Event | Dropped {
	const event = createEvent();
	for (const step of steps) {
		const dropped = step(event, hit, lookups);
		if (dropped) return dropped;
	}
	return event;
}

/** Data for the steps, loaded at start. */
export type Lookups = {
	geo: GeoLookup;
	/** Only traffic rules need it, so imports have none. */
	operators?: OperatorLookup;
};

/** Finds the place of an IP address, as far as the database has it. */
export type GeoLookup = { find(address: string): { country: string; region: string; city: string } };

/** A network operator: the number of its autonomous system, and its name if the database has it. */
export type Operator = { number: number; name: string };

/** Finds the operator of the network that an IP address belongs to. */
export type OperatorLookup = { find(address: string): Operator | undefined };

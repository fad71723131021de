import type { Event } from './event.ts';
import type { Hit } from './hit.ts';

/** Why a hit was not kept. Counted by website, day and reason, for the owner to see. */
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
] as const;

export type DropReason = (typeof dropReasons)[number];

/** A hit we choose not to keep is a value, never thrown, never logged one by one. */
export class Dropped {
	readonly reason: DropReason;
	/** Of `foreign_hostname`: which one, for the owner to recognise. */
	readonly hostname?: string;
	constructor(reason: DropReason, hostname?: string) {
		this.reason = reason;
		if (hostname !== undefined) this.hostname = hostname;
	}
}

/** Gives a fuller event, or drops the hit. Touches no store, writes no log, reads no clock. */
export type Step = (event: Event, hit: Hit, lists: Lists) => Event | Dropped;

/** The data that steps look things up in; loaded once at start. */
export type Lists = { places: Places };

/** The place of an address, as far as the loaded database knows. */
export type Places = { find(address: string): { country: string; region: string; city: string } };

import type { Event } from './event.ts';
import type { DropReason } from './step.ts';

/**
 * What somebody who watches the collection is shown of a hit: nothing by which two hits could be told to be of one visitor,
 * and of a hit that was dropped only when and why, because nothing else of it was cleaned.
 */
export type Seen =
	| (Pick<
			Event,
			'time' | 'kind' | 'name' | 'hostname' | 'path' | 'source' | 'channel' | 'country' | 'browser' | 'device'
	  > & { websiteId: number })
	| { websiteId: number; time: string; dropped: DropReason };

export type Watchers = {
	/** So that nothing is made for nobody. */
	isWatched(): boolean;
	tell(seen: Seen): void;
	/** Gives a function that ends it. */
	watch(listener: (seen: Seen) => void): () => void;
};

export function createWatchers(): Watchers {
	const listeners = new Set<(seen: Seen) => void>();
	return {
		isWatched: () => listeners.size > 0,
		tell: (seen) => {
			for (const listener of listeners) listener(seen);
		},
		watch: (listener) => {
			listeners.add(listener);
			return () => void listeners.delete(listener);
		},
	};
}

export const seenEvent = (event: Event): Seen => ({
	websiteId: event.website_id,
	time: event.time,
	kind: event.kind,
	name: event.name,
	hostname: event.hostname,
	path: event.path,
	source: event.source,
	channel: event.channel,
	country: event.country,
	browser: event.browser,
	device: event.device,
});

import type { Event } from './event.ts';
import type { DropReason } from './steps/step.ts';

/**
 * A hit as `tidemark tail` shows it. It has nothing that links two hits of one visitor. A dropped hit has only a time and a reason,
 * because its other fields were not cleaned.
 */
export type TailEntry =
	| (Pick<
			Event,
			'time' | 'kind' | 'name' | 'hostname' | 'path' | 'source' | 'channel' | 'country' | 'browser' | 'device'
	  > & { websiteId: number })
	| { websiteId: number; time: string; dropped: DropReason };

export type LiveTail = {
	hasSubscribers(): boolean;
	publish(entry: TailEntry): void;
	/** Returns a function that unsubscribes. */
	subscribe(listener: (entry: TailEntry) => void): () => void;
};

export function createLiveTail(): LiveTail {
	const listeners = new Set<(entry: TailEntry) => void>();
	return {
		hasSubscribers: () => listeners.size > 0,
		publish: (entry) => {
			for (const listener of listeners) listener(entry);
		},
		subscribe: (listener) => {
			listeners.add(listener);
			return () => void listeners.delete(listener);
		},
	};
}

export const toTailEntry = (event: Event): TailEntry => ({
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

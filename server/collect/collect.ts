import { attributeSource } from './attribute-source.ts';
import { begin } from './begin.ts';
import { cleanUrl } from './clean-url.ts';
import { describeDevice } from './describe-device.ts';
import { blankEvent, type Event } from './event.ts';
import type { Hit } from './hit.ts';
import { locate } from './locate.ts';
import {
	honourPrivacySignals,
	refuseBots,
	refuseExcludedAddresses,
	refuseForeignHostnames,
	refusePrefetches,
} from './refuse.ts';
import { Dropped, type Lists, type Step } from './step.ts';

/** The life of a hit, in order. Cheap refusals first; the visitor is identified afterwards, and the address forgotten. */
export const steps: readonly Step[] = [
	begin,
	refusePrefetches,
	refuseBots,
	refuseExcludedAddresses,
	refuseForeignHostnames,
	honourPrivacySignals,
	cleanUrl,
	attributeSource,
	describeDevice,
	locate,
];

export function collect(hit: Hit, lists: Lists): Event | Dropped {
	let event: Event = blankEvent;
	for (const step of steps) {
		const result = step(event, hit, lists);
		if (result instanceof Dropped) return result;
		event = result;
	}
	return event;
}

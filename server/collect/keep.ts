import { AppError } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import { type EventLog, EventLogFull, type LoggedEvent } from '../store/event-log.ts';
import { dateOf } from '../websites/zones.ts';
import type { Budgets } from './budgets.ts';
import { collect } from './collect.ts';
import type { Event } from './event.ts';
import type { Hit, TrackedWebsite } from './hit.ts';
import { identifyVisitor } from './identify-visitor.ts';
import { LaneFull } from './lanes.ts';
import type { Salts } from './salts.ts';
import { Dropped, type DropReason, type Lists } from './step.ts';
import type { TrackedWebsites } from './tracked-websites.ts';
import { type Seen, seenEvent, type Watchers } from './watchers.ts';

export type CollectServices = {
	websites: TrackedWebsites;
	salts: Salts;
	eventLog: EventLog;
	budgets: Budgets;
	lists: Lists;
	watchers: Watchers;
	now: Clock;
};

/** Hits of one website, through the list of steps and onto disk; for each the reason when it was dropped instead. */
export async function keep(
	hits: readonly (Hit & { mayRepeat?: boolean })[],
	services: CollectServices,
): Promise<(DropReason | undefined)[]> {
	const [first] = hits;
	if (!first) return [];
	services.budgets.take(first.website, hits.length);
	const logged: LoggedEvent[] = [];
	const reasons: (DropReason | undefined)[] = [];
	const seen: Seen[] | undefined = services.watchers.isWatched() ? [] : undefined;
	for (const hit of hits) {
		const cleaned =
			hit.time.getTime() < hit.website.resetAt ? new Dropped('erased') : collect(hit, services.lists);
		const event =
			cleaned instanceof Dropped
				? cleaned
				: await identifyVisitor(cleaned, hit, services.salts, services.now);
		if (event instanceof Dropped) {
			const { date } = dateOf(hit.website.zones, hit.time.getTime());
			const { reason, hostname } = event;
			services.eventLog.countDrop({ websiteId: hit.website.id, date, reason }, hostname);
			reasons.push(event.reason);
			seen?.push({ websiteId: hit.website.id, time: timeText(hit.time), dropped: event.reason });
		} else {
			logged.push(toLogged(event, hit.mayRepeat === true));
			reasons.push(undefined);
			seen?.push(seenEvent(event));
		}
	}
	if (logged.length > 0) await append(services, first.website, logged);
	for (const one of seen ?? []) services.watchers.tell(one);
	return reasons;
}

async function append(
	{ eventLog, budgets }: CollectServices,
	website: TrackedWebsite,
	events: readonly LoggedEvent[],
) {
	try {
		await eventLog.append(events);
	} catch (error) {
		if (error instanceof LaneFull) budgets.refuse(website, events.length);
		if (error instanceof EventLogFull) throw new AppError('unavailable', error.message);
		throw error;
	}
}

const timeText = (time: Date): string => time.toISOString().replace('T', ' ').slice(0, -1);

const toLogged = (event: Event, mayRepeat: boolean) => ({
	websiteId: event.website_id,
	date: event.date,
	visitorId: event.visitor_id,
	eventId: event.event_id,
	isPageview: event.kind === 'pageview',
	mayRepeat,
	line: JSON.stringify(event),
});

/**
 * The whole life of a hit, in order, from the request to the event log:
 *
 * 1. `ingestHit` refuses hits of a website over its rate limit, loads the website and parses the hit (parse-hit.ts). Events that a
 *    server sends with an API key are parsed by parse-server-event.ts and join at 2.
 * 2. `ingestHits` takes the hits from the rate limit of their website.
 * 3. `toEvent` drops hits from before a reset, runs the pure `steps`, and identifies the visitor, after which the IP address is gone.
 * 4. Events are appended to the event log. The request is answered when they are on disk. Drops are counted by reason.
 */
import { type EventLog, EventLogFull, type LoggedEvent } from '../event-log/event-log.ts';
import { WebsiteQueueFull } from '../event-log/fair-queue.ts';
import { AppError } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import { dateOf } from '../websites/zones.ts';
import type { Event } from './event.ts';
import { toLine } from './event-line.ts';
import type { Hit, TrackedWebsite } from './hit.ts';
import { type LiveTail, type TailEntry, toTailEntry } from './live-tail.ts';
import type { Salts } from './lookups/salts.ts';
import type { TrackedWebsites } from './lookups/tracked-websites.ts';
import { type Headers, parseHit, readWebsiteId } from './parse-hit.ts';
import { applyTrafficRules } from './steps/apply-traffic-rules.ts';
import { attributeSource } from './steps/attribute-source.ts';
import { cleanUrl } from './steps/clean-url.ts';
import { copyHitFields } from './steps/copy-hit-fields.ts';
import { describeDevice } from './steps/describe-device.ts';
import { identifyVisitor } from './steps/identify-visitor.ts';
import { locate } from './steps/locate.ts';
import {
	honourPrivacySignals,
	refuseBots,
	refuseExcludedAddresses,
	refuseForeignHostnames,
	refusePrefetches,
} from './steps/refuse.ts';
import { applySteps, Dropped, type DropReason, type Lookups, type Step } from './steps/step.ts';
import { toClickHouseTime } from './text.ts';
import { peekWebsiteId, type WebsiteRateLimits } from './website-rate-limits.ts';

export type IngestServices = {
	websites: TrackedWebsites;
	salts: Salts;
	eventLog: EventLog;
	rateLimits: WebsiteRateLimits;
	lookups: Lookups;
	/** Whether pages must name the source of places or network operators. */
	needsAttribution(): boolean;
	/** Whether the database of network operators is installed. */
	hasOperators(): boolean;
	liveTail: LiveTail;
	now: Clock;
};

/** The tracker sends JSON; the pixel has fields in its query. */
type HitRequest = ({ json: unknown } | { fields: unknown }) & { address: string; headers: Headers };

/** Ingests a hit that a browser sent. Returns why it was dropped, if it was. */
export async function ingestHit(
	request: HitRequest,
	services: IngestServices,
): Promise<DropReason | undefined> {
	const { rateLimits, websites, now } = services;
	// Reads the id from the first bytes, because a flood is not worth parsing.
	const peekedId = 'json' in request ? peekWebsiteId(request.json) : undefined;
	if (peekedId !== undefined) rateLimits.check(peekedId);
	const fields = 'json' in request ? parseJson(request.json) : request.fields;
	const id = readWebsiteId(fields);
	if (typeof id !== 'number') throw new AppError('bad_request', id.fault);
	if (id !== peekedId) rateLimits.check(id);
	// Nearly always known, and then there is nothing to wait for.
	const found = websites.find(id);
	const website = found instanceof Promise ? await found : found;
	if (!website) throw new AppError('not_found', 'There is no such website.');
	const { address, headers } = request;
	const hit = parseHit(fields, { website, address, headers, now: now() });
	if ('fault' in hit) throw new AppError('bad_request', hit.fault);
	const [outcome] = await ingestHits([hit], services);
	return outcome?.reason;
}

function parseJson(body: unknown): unknown {
	try {
		return JSON.parse(Buffer.isBuffer(body) ? body.toString('utf8') : '');
	} catch {
		throw new AppError('bad_request', 'The hit is not valid JSON.');
	}
}

/** Whether a hit was dropped and why, or stored; `isLate` when it was stored after the salt of its day was destroyed. */
export type Outcome = { reason?: DropReason; isLate: boolean };

/** Ingests parsed hits of one website. */
export async function ingestHits(
	hits: readonly (Hit & { mayRepeat?: boolean })[],
	services: IngestServices,
): Promise<Outcome[]> {
	const { eventLog, rateLimits, liveTail } = services;
	const [first] = hits;
	if (!first) return [];
	rateLimits.take(first.website, hits.length);
	const logged: LoggedEvent[] = [];
	const outcomes: Outcome[] = [];
	const tail: TailEntry[] | undefined = liveTail.hasSubscribers() ? [] : undefined;
	for (const hit of hits) {
		const result = toEvent(hit, services);
		const event = result instanceof Promise ? await result : result;
		if (event instanceof Dropped) {
			const websiteId = hit.website.id;
			const { date } = dateOf(hit.website.zones, hit.time.getTime());
			const { reason, detail } = event;
			eventLog.countDrop({ websiteId, date, reason }, detail);
			outcomes.push({ reason, isLate: false });
			tail?.push({ websiteId, time: toClickHouseTime(hit.time), dropped: reason });
		} else {
			logged.push(toLogged(event, hit.mayRepeat === true));
			outcomes.push({ isLate: event.late === 1 });
			tail?.push(toTailEntry(event));
		}
	}
	if (logged.length > 0) await append(services, first.website, logged);
	for (const entry of tail ?? []) liveTail.publish(entry);
	return outcomes;
}

function toEvent(
	hit: Hit,
	{ lookups, salts, now }: IngestServices,
): Event | Dropped | Promise<Event | Dropped> {
	if (hit.time.getTime() < hit.website.resetAt) return new Dropped('erased');
	const event = runSteps(hit, lookups);
	return event instanceof Dropped ? event : identifyVisitor(event, hit, salts, now);
}

/** The cheapest refusals come first. No step reads a clock or a database. */
export const steps: readonly Step[] = [
	copyHitFields,
	refusePrefetches,
	refuseBots,
	refuseExcludedAddresses,
	refuseForeignHostnames,
	honourPrivacySignals,
	cleanUrl,
	attributeSource,
	describeDevice,
	locate,
	applyTrafficRules,
];

export const runSteps = (hit: Hit, lookups: Lookups): Event | Dropped => applySteps(steps, hit, lookups);

const toLogged = (event: Event, mayRepeat: boolean): LoggedEvent => ({
	websiteId: event.website_id,
	date: event.date,
	visitorId: event.visitor_id,
	eventId: event.event_id,
	isPageview: event.kind === 'pageview',
	mayRepeat,
	line: toLine(event),
});

async function append(
	{ eventLog, rateLimits }: IngestServices,
	website: TrackedWebsite,
	events: readonly LoggedEvent[],
) {
	try {
		await eventLog.append(events);
	} catch (error) {
		if (error instanceof WebsiteQueueFull) rateLimits.refuse(website, events.length);
		if (error instanceof EventLogFull) throw new AppError('unavailable', error.message);
		throw error;
	}
}

/**
 * Recognizes a visitor within one day, without storing anything that identifies a person.
 *
 * A visitor id is 64 bits of a keyed hash of website, IP address and user agent. The key is the salt of the local day of the website
 * (salts.ts), so a browser has a different id on every website and every day, and no id can be computed again once the salt is
 * destroyed. This is the last use of the IP address: an event has no field for it.
 *
 * Without an IP address and a user agent the visitor is 0, which counts in page views, events and revenue but not in visitors or visits.
 * An event that a server sends after the salt of its day was destroyed gets an id from today's salt, marked as late: late events are
 * matched with each other, never with events that were already counted.
 *
 * The salt belongs to the calendar date in the time zone of the website, which can differ from the date that the event is counted on:
 * after a change of time zone one date can last up to 50 hours (websites/zones.ts). A visitor id still lasts one calendar day.
 */
import { hash as digest } from 'node:crypto';
import type { Clock } from '../../lib/clock.ts';
import { localDate } from '../../lib/local-dates.ts';
import { dateOf } from '../../websites/zones.ts';
import type { Event } from '../event.ts';
import type { Hit } from '../hit.ts';
import type { Salts } from '../lookups/salts.ts';
import { Dropped } from './step.ts';

/** A promise only when the salt has to be loaded, which is rare: every hit would wait for it. */
export function identifyVisitor(
	event: Event,
	hit: Hit,
	salts: Salts,
	now: Clock,
): Event | Dropped | Promise<Event | Dropped> {
	const { zones, id } = hit.website;
	const saltFor = ({ zone }: { zone: string }, time: Date) =>
		salts.get(zone, localDate(zone, time.getTime()));
	const day = dateOf(zones, hit.time.getTime());
	event.date = day.date;
	if (hit.address === '' && hit.headers.userAgent === '') return event;
	const salt = saltFor(day, hit.time);
	return salt instanceof Promise ? salt.then(identify) : identify(salt);

	function identify(found: Buffer | undefined): Event | Dropped | Promise<Event | Dropped> {
		if (!found) return identifyLate();
		event.visitor_id = hash(found, id, hit, '');
		return event;
	}

	async function identifyLate(): Promise<Event | Dropped> {
		// Late engagement of a browser would otherwise create a new visitor.
		if (!hit.isServerSide) return new Dropped('late');
		const todaysSalt = await saltFor(dateOf(zones, now().getTime()), now());
		if (!todaysSalt) return new Dropped('late');
		event.visitor_id = hash(todaysSalt, id, hit, 'late');
		event.late = 1;
		return event;
	}
}

/**
 * SHA-256 of the salt and the input, cut to 64 bits. HMAC protects against length extension, which needs the whole digest, and would cost
 * three times as much on every hit.
 */
function hash(salt: Buffer, websiteId: number, hit: Hit, mark: string): string {
	const input = `${websiteId}\0${hit.address}\0${hit.headers.userAgent}\0${mark}`;
	const id = digest('sha256', Buffer.concat([salt, Buffer.from(input)]), 'buffer').readBigUInt64LE(0);
	// 0 means an unknown visitor.
	return String(id === 0n ? 1n : id);
}

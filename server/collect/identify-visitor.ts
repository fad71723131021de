/**
 * Who is the same visitor, for one day, and for nobody to find out.
 *
 * A visitor id is 64 bits of a keyed hash over the website, the address and the browser's name. The key is the salt of the
 * website's local day (salts.ts), so the same browser has another id on every website and another one every day, and once
 * the salt is destroyed no id can be computed again. The address is used here and nowhere after: the event that leaves this
 * file has no member that could hold it.
 *
 * What cannot be told apart is not guessed: without an address and a browser's name the visitor is 0, who counts in page
 * views, events and revenue and never in visitors or visits. An event that a server sends days later, when the salt of its
 * day is gone, gets an id from today's salt and the word 'late': late events are told apart among themselves and never
 * joined with those that were already counted.
 */
import { hash as digest } from 'node:crypto';
import type { Clock } from '../lib/clock.ts';
import { dateOf } from '../websites/zones.ts';
import type { Event } from './event.ts';
import type { Hit } from './hit.ts';
import type { Salts } from './salts.ts';
import { Dropped } from './step.ts';

export async function identifyVisitor(
	event: Event,
	hit: Hit,
	salts: Salts,
	now: Clock,
): Promise<Event | Dropped> {
	const { zones, id } = hit.website;
	const { date, zone } = dateOf(zones, hit.time.getTime());
	const dated: Event = { ...event, date };
	if (hit.address === '' && hit.headers.userAgent === '') return dated;
	const salt = await salts.of(zone, date);
	if (salt) return { ...dated, visitor_id: hash(salt, id, hit, '') };
	// Reading time that is reported when its day can no longer be told apart would make a new visitor.
	if (!hit.isServerSide) return new Dropped('late');
	const today = dateOf(zones, now().getTime());
	const todays = await salts.of(today.zone, today.date);
	return todays ? { ...dated, visitor_id: hash(todays, id, hit, 'late'), late: 1 } : new Dropped('late');
}

/**
 * SHA-256 over the salt and what it keys, cut to 64 bits. HMAC would guard against lengthening a known digest; an eighth of
 * one cannot be lengthened, and HMAC costs three times as much, on every hit.
 */
function hash(salt: Buffer, websiteId: number, hit: Hit, mark: string): string {
	const told = `${websiteId}\0${hit.address}\0${hit.headers.userAgent}\0${mark}`;
	const id = digest('sha256', Buffer.concat([salt, Buffer.from(told)]), 'buffer').readBigUInt64LE(0);
	// 0 is nobody.
	return String(id === 0n ? 1n : id);
}

/**
 * Salts: the reason why a visitor id means nothing the day after.
 *
 * A visitor is recognised within one day of a website's calendar by a keyed hash of what every request carries anyway, an
 * address and a browser's name. The key of that hash is the salt. It is 32 random bytes, belongs to one time zone and one
 * date of it, is the same for all collectors, and is destroyed two hours after that date has ended there: the two hours are
 * for reading times that are reported when a page that was opened before midnight is closed after it.
 *
 * Once it is destroyed nobody can compute a visitor id of that day again, not with the whole database, the program and
 * the address in hand. So the ids that stay in `events` are numbers without a person: they tell how many there were, and
 * nothing else. Whoever lengthens the life of a salt changes what this product promises; see docs/privacy.md first.
 *
 * A salt is made when it is first needed, at most a day ahead, and never for a date whose salt is already destroyed.
 */
import type { Clock } from '../lib/clock.ts';
import { endOfDate, localDate, nextDate } from '../lib/local-dates.ts';
import type { Log } from '../lib/log.ts';
import type { SaltStore } from '../store/salt-store.ts';

export type Salts = {
	/** The salt of a zone's date; undefined when it is spent, or when that date is not near. */
	of(zone: string, date: string): Promise<Buffer | undefined> | Buffer | undefined;
	/** Destroys what is spent. Called by the job, and by tests that move the clock. */
	destroySpent(): Promise<number>;
	close(): void;
};

const livesOnMs = 2 * 3_600_000;
const tidyEveryMs = 60_000;

const spentAt = (zone: string, date: string): number => endOfDate(zone, date) + livesOnMs;

export function createSalts(store: SaltStore, now: Clock, log: Log): Salts {
	const live = new Map<string, { salt: Buffer; spentAt: number }>();
	const loading = new Map<string, Promise<Buffer | undefined>>();

	async function load(key: string, zone: string, date: string): Promise<Buffer | undefined> {
		const end = spentAt(zone, date);
		const moment = now().getTime();
		if (moment >= end || date > nextDate(localDate(zone, moment))) return undefined;
		const salt = await store.readOrMake(zone, date, end);
		live.set(key, { salt, spentAt: end });
		return salt;
	}

	async function destroySpent(): Promise<number> {
		const moment = now().getTime();
		for (const [key, entry] of live) {
			if (entry.spentAt > moment) continue;
			entry.salt.fill(0);
			live.delete(key);
		}
		return store.destroySpent(moment);
	}

	const tidy = setInterval(() => {
		destroySpent()
			.then(() =>
				store.publish(
					[...live].map(([key, { salt, spentAt: end }]) => ({ ...split(key), salt, spentAt: end })),
				),
			)
			.catch((error) => log.error({ error }, 'salts could not be destroyed; trying again in a minute'));
	}, tidyEveryMs);
	tidy.unref();

	return {
		of(zone, date) {
			const key = `${zone} ${date}`;
			const known = live.get(key);
			if (known) return known.spentAt > now().getTime() ? known.salt : undefined;
			let pending = loading.get(key);
			if (!pending) {
				pending = load(key, zone, date).finally(() => loading.delete(key));
				loading.set(key, pending);
			}
			return pending;
		},
		destroySpent,
		close() {
			clearInterval(tidy);
			for (const { salt } of live.values()) salt.fill(0);
			live.clear();
		},
	};
}

function split(key: string): { zone: string; date: string } {
	const at = key.lastIndexOf(' ');
	return { zone: key.slice(0, at), date: key.slice(at + 1) };
}

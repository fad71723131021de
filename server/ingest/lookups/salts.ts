/**
 * Salts make visitor ids meaningless after a day.
 *
 * A visitor is recognized within one local day of a website by a keyed hash of IP address and user agent. The key is the salt: 32 random
 * bytes for one time zone and date, shared by all collectors, and destroyed two hours after that date has ended there. The two hours are
 * for the engagement of pages that are opened before midnight and closed after it.
 *
 * After that nobody can compute a visitor id of that day again, even with the database, the code and the IP address. The ids in `events`
 * then only tell visitors apart. Keeping a salt longer would break the privacy promise; read docs/privacy.md before you change it.
 *
 * A salt is created when it is first needed, at most a day ahead, and never for a date whose salt has expired.
 */
import type { Clock } from '../../lib/clock.ts';
import { endOfDate, localDate, nextDate } from '../../lib/local-dates.ts';
import type { Log } from '../../lib/log.ts';
import type { SaltStore } from '../../store/salt-store.ts';

export type Salts = {
	/** The salt of a date in a time zone; undefined when it has expired, or when the date is more than a day ahead. */
	get(zone: string, date: string): Promise<Buffer | undefined> | Buffer | undefined;
	/** Destroys expired salts. Called every minute, and by tests that move the clock. */
	destroySpent(): Promise<number>;
	close(): void;
};

const graceMs = 2 * 3_600_000;
const cleanUpEveryMs = 60_000;

const spentAt = (zone: string, date: string): number => endOfDate(zone, date) + graceMs;

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

	const cleanUp = setInterval(() => {
		destroySpent()
			.then(() =>
				store.publish(
					[...live].map(([key, { salt, spentAt: end }]) => ({ ...split(key), salt, spentAt: end })),
				),
			)
			.catch((error) => log.error({ error }, 'could not destroy expired salts; retrying in a minute'));
	}, cleanUpEveryMs);
	cleanUp.unref();

	return {
		get(zone, date) {
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
			clearInterval(cleanUp);
			for (const { salt } of live.values()) salt.fill(0);
			live.clear();
		},
	};
}

function split(key: string): { zone: string; date: string } {
	const space = key.lastIndexOf(' ');
	return { zone: key.slice(0, space), date: key.slice(space + 1) };
}

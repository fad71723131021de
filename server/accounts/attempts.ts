/**
 * Limits password attempts. PostgreSQL counts them, so that concurrent attempts and several processes share one count. An
 * attempt is counted when it gets a slot for hashing, before the hash is computed; requests that get no slot are not counted.
 * After some free attempts the delay until the next one doubles each time. Attempts during the delay are rejected without
 * being counted.
 */
import { AppError } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import { keyedHash } from '../lib/secrets.ts';
import type { Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';

/** A counter of attempts, such as an account or a network. */
export type Bucket = {
	name: string;
	/** Attempts without a delay. */
	free: number;
	maxDelaySeconds: number;
};

export type Attempts = {
	/** Throws during a delay. Counts nothing. */
	check(buckets: readonly Bucket[]): Promise<void>;
	/** Counts one attempt in every bucket. Throws during a delay. */
	take(buckets: readonly Bucket[]): Promise<void>;
	/** After a correct password: resets the bucket. */
	forget(bucket: Bucket): Promise<void>;
	/** After a correct password: uncounts this attempt. */
	giveBack(bucket: Bucket): Promise<void>;
};

const forgetMs = 3_600_000;

/** Names are stored as a hash keyed with `key`, because some contain addresses. */
export function createAttempts(postgres: Queries, now: Clock, key: Buffer): Attempts {
	const hashOf = (bucket: Bucket) => keyedHash(key, bucket.name);

	async function take(bucket: Bucket): Promise<void> {
		const moment = now();
		const name = hashOf(bucket);
		const taken = await postgres.run(sql`
			INSERT INTO attempts AS a (name, used, free_at, forgotten_at)
			VALUES (${value(name)}, 1, ${value(moment)}, ${value(new Date(moment.getTime() + forgetMs))})
			ON CONFLICT (name) DO UPDATE SET
				used = CASE WHEN a.forgotten_at <= ${value(moment)} THEN 1 ELSE a.used + 1 END,
				free_at = CASE WHEN a.forgotten_at <= ${value(moment)} OR a.used + 1 < ${value(bucket.free)}::integer
					THEN ${value(moment)}::timestamptz
					ELSE ${value(moment)}::timestamptz + interval '1 second'
						* least(power(2, least(a.used + 1 - ${value(bucket.free)}::integer, 30)), ${value(bucket.maxDelaySeconds)}::integer)
				END,
				forgotten_at = excluded.forgotten_at
			WHERE a.free_at <= ${value(moment)}`);
		if (taken === 0) throw tooEarly(await freeAtOf(name), moment);
	}

	async function freeAtOf(name: Buffer): Promise<Date> {
		const [row] = await postgres.rows<{ freeAt: Date }>(
			sql`SELECT free_at AS "freeAt" FROM attempts WHERE name = ${value(name)}`,
		);
		return row?.freeAt ?? new Date(0);
	}

	return {
		async check(buckets) {
			for (const bucket of buckets) {
				const [freeAt, moment] = [await freeAtOf(hashOf(bucket)), now()];
				if (freeAt > moment) throw tooEarly(freeAt, moment);
			}
		},
		async take(buckets) {
			for (const bucket of buckets) await take(bucket);
		},
		async forget(bucket) {
			await postgres.run(sql`
				DELETE FROM attempts WHERE name = ${value(hashOf(bucket))} OR forgotten_at <= ${value(now())}`);
		},
		async giveBack(bucket) {
			await postgres.run(
				sql`UPDATE attempts SET used = used - 1 WHERE name = ${value(hashOf(bucket))} AND used > 0`,
			);
		},
	};
}

const tooEarly = (freeAt: Date, moment: Date): AppError =>
	new AppError('too_many_requests', 'Too many attempts. Try again later.', {
		retryAfterSeconds: Math.max(1, Math.ceil((freeAt.getTime() - moment.getTime()) / 1000)),
	});

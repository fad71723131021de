/**
 * A create that is repeated because its answer got lost must not create twice. The answer is stored in the very
 * transaction that creates, and a transaction lock on the key tells a second caller that the first is still at it:
 * a crash leaves neither a website without its answer nor a key that is busy for ever.
 */
import { errorCodes } from '../../api/errors.ts';
import { AppError } from '../lib/app-error.ts';
import { keyedHash } from '../lib/secrets.ts';
import type { Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import type { Answer, Services } from './call.ts';
import { describeProblem } from './problem.ts';

const keptMs = 24 * 3_600_000;

type Stored = { bodyHash: Buffer; status: number; headers: Record<string, string>; text: string };

export function readIdempotencyKey(header: string | undefined): string | undefined {
	if (header === undefined || /^[\x21-\x7e]{1,255}$/.test(header)) return header;
	throw new AppError('bad_request', 'Idempotency-Key must be 1 to 255 visible ASCII characters.');
}

export async function answerOnce<T>(
	services: Services,
	request: { accountId: number; key: string; body: Buffer },
	work: { prepare(): Promise<T>; run(tx: Queries, prepared: T): Promise<Answer> },
): Promise<Answer> {
	const { accountId, key } = request;
	const bodyHash = keyedHash(services.bodyKey, request.body);
	const prepared = await work.prepare().then(
		(ready) => ({ ready }),
		(fault: unknown) => ({ fault }),
	);
	return services.postgres.transaction(async (tx) => {
		const [lock] = await tx.rows<{ taken: boolean }>(sql`
			SELECT pg_try_advisory_xact_lock(hashtextextended(${value(key)}, ${value(accountId)})) AS taken`);
		if (!lock?.taken) {
			throw new AppError('idempotency_conflict', 'A request with this Idempotency-Key is still under way.');
		}
		const oldest = new Date(services.now().getTime() - keptMs);
		await tx.run(sql`DELETE FROM idempotent_answers WHERE created_at < ${value(oldest)}`);
		const [stored] = await tx.rows<Stored>(sql`
			SELECT body_hash AS "bodyHash", status, headers, body AS text FROM idempotent_answers
			WHERE account_id = ${value(accountId)} AND key = ${value(key)}`);
		if (stored) return replay(stored, bodyHash);
		const answer = await attempt(tx, async () => {
			if ('fault' in prepared) throw prepared.fault;
			return work.run(tx, prepared.ready);
		});
		await tx.run(sql`
			INSERT INTO idempotent_answers (account_id, key, body_hash, status, headers, body, created_at)
			VALUES (${value(accountId)}, ${value(key)}, ${value(bodyHash)}, ${value(answer.status)},
				${value(JSON.stringify(answer.headers))}, ${value(answer.text)}, ${value(services.now())})`);
		return answer;
	});
}

function replay(stored: Stored, bodyHash: Buffer): Answer {
	if (!stored.bodyHash.equals(bodyHash)) {
		throw new AppError('idempotency_mismatch', 'This Idempotency-Key was used with another body.');
	}
	const { status, headers, text } = stored;
	return { status, headers: { ...headers, 'idempotency-replayed': 'true' }, text };
}

/** A refused create is an answer too; what it wrote before it was refused is taken back. */
async function attempt(tx: Queries, work: () => Promise<Answer>): Promise<Answer> {
	await tx.script('SAVEPOINT attempt');
	try {
		return await work();
	} catch (error) {
		if (!(error instanceof AppError) || errorCodes[error.code] !== 422) throw error;
		await tx.script('ROLLBACK TO SAVEPOINT attempt');
		return describeProblem(error);
	}
}

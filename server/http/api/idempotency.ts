/**
 * Lets clients retry a create with an Idempotency-Key. The response is stored in the transaction that creates the record,
 * and an advisory lock detects concurrent requests, so a crash leaves neither a record without a response nor a locked key.
 *
 * A response with a secret (a new API key, the secret of a webhook) is encrypted with the API key of the request, which the
 * service does not store. A retry with another API key or from a session cannot decrypt it and gets a 409.
 */
import { errorCodes } from '../../../api/errors.ts';
import { notFound } from '../../accounts/authorize.ts';
import { AppError } from '../../lib/app-error.ts';
import { decrypt, encrypt } from '../../lib/encrypt.ts';
import { deriveKey, keyedHash } from '../../lib/secrets.ts';
import type { Queries } from '../../store/postgres.ts';
import { sql, value } from '../../store/sql.ts';
import { describeProblem } from '../request/problem.ts';
import type { ApiRequest, ApiResponse, Services } from './route.ts';

const storedMs = 24 * 3_600_000;

type Stored = {
	bodyHash: Buffer;
	status: number;
	headers: Record<string, string>;
	/** JSON. With a secret: base64 of the encrypted JSON, or empty if it was created from a session. */
	text: string;
};

function readIdempotencyKey(header: string | undefined): string | undefined {
	if (header === undefined || /^[\x21-\x7e]{1,255}$/.test(header)) return header;
	throw new AppError('bad_request', 'Idempotency-Key must be 1 to 255 visible ASCII characters.');
}

/** `prepare` does slow work before the transaction; `run` creates the record. */
export type Work<T> = { prepare(): Promise<T>; run(tx: Queries, prepared: T): Promise<ApiResponse> };

/** Creates once per Idempotency-Key, if the request has one. The caller must already be authorized. */
export async function createOnce<T>(
	call: ApiRequest,
	services: Services,
	/**
	 * `path`: below the mount, so that using one key for two paths is a mismatch. Empty for websites, for compatibility.
	 * `body`: replaces the body of the request where that is a file.
	 */
	request: { path: string; body?: Buffer },
	work: Work<T>,
): Promise<ApiResponse> {
	const key = readIdempotencyKey(call.header('idempotency-key'));
	if (key === undefined) {
		const prepared = await work.prepare();
		return services.postgres.transaction((tx) => work.run(tx, prepared));
	}
	if (!('accountId' in call.principal)) throw notFound();
	const { accountId } = call.principal;
	const secrecy = secrecyOf(call, accountId, key);
	const sent = Buffer.concat([Buffer.from(request.path), request.body ?? call.body.bytes]);
	const bodyHash = keyedHash(services.bodyKey, sent);
	// Before `prepare`, so that a retry skips the slow work.
	const earlier = await findStored(services.postgres, services, accountId, key);
	if (earlier) return replay(earlier, bodyHash, secrecy);
	const prepared = await work.prepare().then(
		(ready) => ({ ready }),
		(fault: unknown) => ({ fault }),
	);
	return services.postgres.transaction(async (tx) => {
		const [lock] = await tx.rows<{ taken: boolean }>(sql`
			SELECT pg_try_advisory_xact_lock(hashtextextended(${value(key)}, ${value(accountId)})) AS taken`);
		if (!lock?.taken) {
			throw new AppError('idempotency_conflict', 'A request with this Idempotency-Key is still running.');
		}
		// A bulk request holds its rows for up to 30 seconds, and others must not wait for it.
		await tx.run(sql`
			DELETE FROM idempotent_answers WHERE (account_id, key) IN (
				SELECT account_id, key FROM idempotent_answers
				WHERE created_at < ${value(oldestStored(services))} FOR UPDATE SKIP LOCKED)`);
		const stored = await findStored(tx, services, accountId, key);
		if (stored) return replay(stored, bodyHash, secrecy);
		const response = await attempt(tx, async () => {
			if ('fault' in prepared) throw prepared.fault;
			return work.run(tx, prepared.ready);
		});
		await tx.run(sql`
			INSERT INTO idempotent_answers (account_id, key, body_hash, status, headers, body, created_at)
			VALUES (${value(accountId)}, ${value(key)}, ${value(bodyHash)}, ${value(response.status)},
				${value(JSON.stringify(response.headers))},
				${value(response.hasSecret ? secrecy.encrypt(response.text) : response.text)}, ${value(services.now())})`);
		return response;
	});
}

const oldestStored = ({ now }: Pick<Services, 'now'>): Date => new Date(now().getTime() - storedMs);

async function findStored(
	queries: Queries,
	services: Pick<Services, 'now'>,
	accountId: number,
	key: string,
): Promise<Stored | undefined> {
	const [stored] = await queries.rows<Stored>(sql`
		SELECT body_hash AS "bodyHash", status, headers, body AS text FROM idempotent_answers
		WHERE account_id = ${value(accountId)} AND key = ${value(key)} AND created_at >= ${value(oldestStored(services))}`);
	return stored;
}

type Secrecy = { encrypt(text: string): string; decrypt(stored: string): string | undefined };

/** Only the API key of the request can decrypt. A session has no key, so nothing is stored for it. */
function secrecyOf(call: ApiRequest, accountId: number, key: string): Secrecy {
	const authorization = call.header('authorization');
	if (call.principal.kind !== 'key' || authorization === undefined)
		return { encrypt: () => '', decrypt: () => undefined };
	const cipherKey = deriveKey(authorization.replace(/^\S+\s+/, ''), 'idempotent answer');
	const context = `${accountId} ${key}`;
	return {
		encrypt: (text) => encrypt(cipherKey, context, text).toString('base64'),
		decrypt(stored) {
			try {
				return decrypt(cipherKey, context, Buffer.from(stored, 'base64'));
			} catch {
				return undefined;
			}
		},
	};
}

function replay(stored: Stored, bodyHash: Buffer, secrecy: Secrecy): ApiResponse {
	if (!stored.bodyHash.equals(bodyHash)) {
		throw new AppError('idempotency_mismatch', 'This Idempotency-Key was used with another request.');
	}
	const { status, headers } = stored;
	const text = stored.text.startsWith('{') ? stored.text : secrecy.decrypt(stored.text);
	if (text === undefined)
		throw new AppError(
			'idempotency_conflict',
			`A request with this Idempotency-Key has created ${headers.location}. Its secret is shown only to the API key that sent the request.`,
		);
	return { status, headers: { ...headers, 'idempotency-replayed': 'true' }, text };
}

/** A 422 is stored like any response; what the attempt wrote is rolled back. */
async function attempt(tx: Queries, work: () => Promise<ApiResponse>): Promise<ApiResponse> {
	await tx.script('SAVEPOINT attempt');
	try {
		return await work();
	} catch (error) {
		if (!(error instanceof AppError) || errorCodes[error.code] !== 422) throw error;
		await tx.script('ROLLBACK TO SAVEPOINT attempt');
		return describeProblem(error);
	}
}

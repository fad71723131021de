/** A service at work that was backed up and destroyed, for tests of what comes back. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../../server/config.ts';
import { createLog } from '../../server/lib/log.ts';
import { startService } from '../../server/main.ts';
import { sql } from '../../server/store/sql.ts';
import { startBox } from './box.ts';
import { client } from './client.ts';
import { websiteOf } from './contract.ts';
import { eventIdOf, type LedgerEntry, sendHit, startLoad } from './ledger.ts';
import type { Random } from './random.ts';
import { temporaryFolder, tidemark, until } from './service.ts';

export const passphrase = 'tide mark shore gull sand foam';
export const encrypting = { TIDEMARK_BACKUP_PASSPHRASE: passphrase };
/** Each stands where nobody may find it in a backup, but for the domain. */
export const canaries = {
	password: 'canary-of-a-password',
	domain: 'canary-of-a-domain.example',
	answer: 'canary-of-an-answer.example',
};

export const command = async (args: string[], settings: Record<string, string> = {}): Promise<string> => {
	const printed = await tidemark(args, { settings });
	assert.equal(printed.code, 0, printed.stderr);
	return printed.stdout;
};

export type BackedUp = Awaited<ReturnType<typeof backUpAndDestroy>>;

/** `early` was made under load; then a website was erased, and `late` was made, encrypted. `killed` is the folder as a kill left it. */
export async function backUpAndDestroy(scope: { after(work: () => Promise<void>): void }, random: Random) {
	const folder = temporaryFolder(scope);
	const early = join(folder, 'early.tidemark');
	const late = join(folder, 'late.tidemark');
	const killed = join(folder, 'killed');
	// A box asks for the context of a test; of that it uses what the scope has.
	const box = await startBox(scope as unknown as Parameters<typeof startBox>[0]);
	const data = ['--data', box.folder];
	const made = await command([
		...['key', 'create', '--json', ...data, '--account', 'ledger@example.test', '--name', 'k'],
	]);
	const { key } = JSON.parse(made);
	const api = client(box.service.base, key);
	const secret = { domain: canaries.domain, privacy: '2', password: canaries.password };
	websiteOf(await api('POST', '/websites', { form: secret }), 201);
	await api('POST', '/websites', {
		form: { domain: canaries.answer },
		headers: { 'idempotency-key': 'canary' },
	});
	const erasedId = websiteOf(await api('POST', '/websites', { form: { domain: 'erased.example' } }), 201).id;
	const demo = await command(['demo', '--days', '6', ...data, '--account', 'ledger@example.test']);
	await command(['rebuild', '--website', demo.trim(), '--to', '2026-10-30', ...data]);
	await sendHit(box.ledger, box.service.base, { id: erasedId, domain: 'erased.example' }, eventIdOf(random));

	const load = startLoad({ ...box, random, clients: 6, pauseMs: 3 });
	const { ledger } = box;
	await until(() => ledger.acknowledged().length > 150, 60_000, 'many were acknowledged before the backup');
	const began = performance.now();
	await command(['backup', early, ...data]);
	const ended = performance.now();
	const soFar = ledger.entries.size;
	await until(() => ledger.entries.size > soFar + 50, 60_000, 'some were sent after it');
	await load.end();
	assert.equal((await api('DELETE', `/websites/${erasedId}`)).status, 200);
	await command(['backup', late, ...data], encrypting);
	const saltFolder = join(box.folder, 'salts');
	const salts = readdirSync(saltFolder).map((name) => readFileSync(join(saltFolder, name)));
	await box.service.killTree();
	// With owners: PostgreSQL's files are not ours when we are root.
	execFileSync('cp', ['-a', box.folder, killed]);
	rmSync(box.folder, { recursive: true });

	const entries = [...ledger.entries.values()];
	const acknowledged = ledger.acknowledged().filter(({ websiteId }) => websiteId !== erasedId);
	return {
		...{ folder, early, late, killed, key, salts, erasedId, acknowledged },
		ledger,
		websites: box.websites,
		/** Answered before the first backup began. */
		before: acknowledged.filter(({ answeredAt = Number.POSITIVE_INFINITY }) => answeredAt < began),
		/** Sent when it was made. */
		after: entries.filter(({ sentAt }) => sentAt > ended),
	};
}

export const keyOf = ({ websiteId, eventId }: LedgerEntry): string => `${websiteId} ${eventId}`;

/** How often each event is there, once the log is written; `again` is sent once more before. */
export async function eventsIn(
	{ ledger, websites }: BackedUp,
	data: string,
	again: readonly LedgerEntry[] = [],
): Promise<Map<string, number>> {
	const behindMs = Date.now() - Date.parse('2026-10-31T20:00:00Z');
	const service = await startService(readConfig({ TIDEMARK_DATA: data, TIDEMARK_PORT: '0' }), {
		log: createLog('silent', () => undefined),
		now: () => new Date(Date.now() - behindMs),
	});
	try {
		for (const { websiteId, eventId } of again) {
			const website = websites.find(({ id }) => id === websiteId);
			if (website) await sendHit(ledger, service.address, website, eventId);
		}
		await service.drain();
		const rows = await service.clickhouse?.rows<{ key: string; times: string }>(
			sql`SELECT concat(toString(website_id), ' ', toString(event_id)) AS key, count() AS times FROM events GROUP BY key`,
			{ as: 'migrate' },
		);
		return new Map(rows?.map((row) => [row.key, Number(row.times)]));
	} finally {
		await service.stop();
	}
}

/** What was acknowledged before the first backup is there once, and nothing that came after it. */
export function assertAsOfEarly({ before, after }: BackedUp, found: ReadonlyMap<string, number>): void {
	const lost = before.map(keyOf).filter((event) => !found.has(event));
	const doubled = [...found].filter(([, times]) => times > 1);
	const late = after.map(keyOf).filter((event) => found.has(event));
	assert.deepEqual({ lost, doubled, late }, { lost: [], doubled: [], late: [] });
	assert.ok(before.length > 100 && after.length > 10, `${before.length} before, ${after.length} after`);
}

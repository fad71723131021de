/** One box under load: a service in its own process, its websites, and the ledger of what was sent to them. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '../../server/config.ts';
import { createLog } from '../../server/lib/log.ts';
import { startService } from '../../server/main.ts';
import { sql } from '../../server/store/sql.ts';
import { client } from './client.ts';
import { websiteOf } from './contract.ts';
import { createLedger, faultsOf, inWords, type Ledger, type LedgerWebsite, type Verdict } from './ledger.ts';
import {
	engineOf,
	type ServiceProcess,
	startServiceProcess,
	strictSettingsOf,
	temporaryFolder,
	tidemark,
	until,
} from './service.ts';
import { copyTemplate } from './template.ts';
import { patience } from './timeout-factor.ts';

const settings = { TIDEMARK_RATE_LIMIT: '100000000' };
/** 1 November in Kiritimati, 31 October in Honolulu: every batch is two parts of the table. */
const clock = '2026-10-31T20:00:00Z';
const zones = ['Pacific/Kiritimati', 'Pacific/Honolulu', 'UTC', 'Pacific/Kiritimati'];

export type Box = {
	/** Another one holds from the next restart on. */
	folder: string;
	service: ServiceProcess;
	/** Of the account that has the websites. */
	key: string;
	websites: LedgerWebsite[];
	ledger: Ledger;
	/** Where it is reached, undefined while it is away. */
	base(): string | undefined;
	restart(): Promise<void>;
};

export async function startBox(
	t: TestContext,
	options: { folder?: string; settings?: Record<string, string>; longestMs?: number } = {},
): Promise<Box> {
	const { longestMs } = options;
	let folder = options.folder ?? join(temporaryFolder(t), 'data');
	// What was copied has not reached the disk: a folder that is named may lie on one that loses its power.
	if (!options.folder) copyTemplate(folder);
	const start = () =>
		startServiceProcess(t, {
			...{ folder, settings: { ...settings, ...options.settings }, clock },
			...(longestMs === undefined ? {} : { longestMs }),
		});
	let service = await start();
	let isAway = false;
	const made = await tidemark([
		...['account', 'create', '--json', '--data', folder],
		...['--email', 'ledger@example.test', '--name', 'Ledger'],
	]);
	assert.equal(made.code, 0, made.stderr);
	const key: string = JSON.parse(made.stdout).key;
	const api = client(service.base, key);
	const websites: LedgerWebsite[] = [];
	for (const [index, timezone] of zones.entries()) {
		const form = { domain: `w${index}.example`, timezone };
		websites.push(websiteOf(await api('POST', '/websites', { form }), 201));
	}
	return {
		get folder() {
			return folder;
		},
		set folder(other) {
			folder = other;
		},
		key,
		websites,
		ledger: createLedger(),
		get service() {
			return service;
		},
		base: () => (isAway || service.hasExited() ? undefined : service.base),
		async restart() {
			isAway = true;
			service = await start();
			isAway = false;
		},
	};
}

/** Opens the folder of a service that has ended, lets the writer finish, and sorts every event. */
export async function judge(
	t: TestContext,
	folder: string,
	ledger: Ledger,
	what: string,
	{
		partsMayBreak = false,
		settings = {},
	}: { partsMayBreak?: boolean; settings?: Record<string, string> } = {},
): Promise<Verdict> {
	const behindMs = Date.now() - Date.parse(clock);
	const config = readConfig({
		TIDEMARK_DATA: folder,
		TIDEMARK_PORT: '0',
		...strictSettingsOf(folder),
		...settings,
	});
	const service = await startService(config, {
		log: createLog('silent', () => undefined),
		now: () => new Date(Date.now() - behindMs),
	});
	try {
		await within(30_000 * patience, service.drain(), 'the log is written');
		const { clickhouse } = service;
		assert.ok(clickhouse);
		const verdict = await ledger.judge(clickhouse);
		t.diagnostic(`${what}: ${inWords(verdict)}`);
		assert.deepEqual(faultsOf(verdict), [], what);
		assert.ok(verdict.ok > 0, what);
		const months = await clickhouse.rows(sql`SELECT DISTINCT toYYYYMM(date) AS month FROM events`, {
			as: 'migrate',
		});
		assert.equal(months.length, 2, 'there were batches over the end of the month');
		const names = readdirSync(join(folder, 'clickhouse'), { recursive: true, encoding: 'utf8' });
		const broken = names.filter((name) => /detached\/broken[^/]*$/.test(name));
		if (!partsMayBreak) assert.deepEqual(broken, []);
		return verdict;
	} finally {
		await service.stop();
	}
}

async function within<T>(ms: number, work: Promise<T>, what: string): Promise<T> {
	const late = sleep(ms, undefined, { ref: false }).then(() => {
		throw new Error(`After ${ms} ms it is not so that ${what}.`);
	});
	return Promise.race([work, late]);
}

export async function engineIn({ service }: Box): Promise<number> {
	await until(() => engineOf(service.pid) !== undefined, 15_000, 'there is an engine');
	return engineOf(service.pid) ?? 0;
}

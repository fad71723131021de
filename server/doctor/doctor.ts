/**
 * The list of health checks. Checks change nothing; each result has a text and, unless it is ok, advice. A check that throws
 * or times out becomes a finding too, so that the other checks still run.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { findPublicAddress } from '../accounts/setup.ts';
import type { Config } from '../config.ts';
import type { SealServices } from '../derive/seal-types.ts';
import type { EventLog } from '../event-log/event-log.ts';
import { keysOf } from '../lib/keys-of.ts';
import type { SmtpSettings } from '../notify/mail/smtp.ts';
import type { ClickHouse } from '../store/clickhouse.ts';
import { examineAddress, type SeenProxies } from './address.ts';
import { examineCertificates } from './certificates.ts';
import { examineEngines, examineLeftovers, examineVersions } from './engines.ts';
import { examineDerived, examineDuplicates, examineEventLog } from './events.ts';
import {
	type CheckResult,
	type DoctorCheck,
	type Finding,
	notice,
	ok,
	problem,
	reasonOf,
} from './finding.ts';
import { examineGeolocation, examineOperators } from './geolocation.ts';
import { examineClock, examineDisk } from './machine.ts';
import { examineMail } from './mail.ts';
import { examineSettings } from './settings.ts';

export type CheckContext = Omit<SealServices, 'clickhouse'> & {
	/** Missing in a process that only collects. */
	clickhouse?: ClickHouse | undefined;
	config: Config;
	version: string;
	mail: SmtpSettings | undefined;
	/** Only in a running service. */
	proxies: SeenProxies | undefined;
	lag?: EventLog['lag'] | undefined;
	/** Number of pending migrations; only a stopped folder can have some. */
	pending?: (() => Promise<number>) | undefined;
};

type CheckResults = CheckResult[] | Promise<CheckResult[]>;
type Check = {
	/** It queries tables of the current schema. */
	needsSchema?: true;
	run(context: CheckContext): CheckResults;
};

const noClickHouse = 'Not checked: this process has no ClickHouse.';

/** A check of data in ClickHouse. */
const clickHouseCheck = (
	run: (context: CheckContext & { clickhouse: ClickHouse }) => CheckResults,
): Check => ({
	needsSchema: true,
	run: ({ clickhouse, ...context }) => (clickhouse ? run({ ...context, clickhouse }) : [ok(noClickHouse)]),
});

const publicAddressOf = async ({ config, postgres }: CheckContext) =>
	config.baseUrl ?? (await findPublicAddress(postgres));

/** In the order of the output. */
const checks: Record<DoctorCheck, Check> = {
	settings: { run: ({ config }) => examineSettings(config) },
	address: {
		needsSchema: true,
		run: async (context) =>
			examineAddress(context.config, {
				publicAddress: await publicAddressOf(context),
				proxies: context.proxies,
			}),
	},
	clock: { run: examineClock },
	disk: { run: examineDisk },
	mail: { needsSchema: true, run: examineMail },
	engines: { run: examineEngines },
	geolocation: {
		needsSchema: true,
		run: async ({ config, postgres, now }) => [
			...(await examineGeolocation(config, now())),
			...(await examineOperators(config, postgres, now())),
		],
	},
	event_log: { needsSchema: true, run: examineEventLog },
	duplicates: clickHouseCheck(({ clickhouse, now }) => examineDuplicates({ clickhouse, today: now() })),
	derived: clickHouseCheck((context) => examineDerived(context, context.now())),
	certificates: {
		needsSchema: true,
		run: async (context) =>
			examineCertificates(context.config, {
				publicAddress: await publicAddressOf(context),
				now: context.now(),
			}),
	},
	versions: { run: examineVersions },
	leftovers: { needsSchema: true, run: examineLeftovers },
};

const timeoutMs = 30_000;

export async function examine(
	context: CheckContext,
	report: (progress: { done: number; total: number }) => void = () => undefined,
): Promise<Finding[]> {
	const names = keysOf(checks);
	const findings: Finding[] = [];
	const isOlder = ((await context.pending?.()) ?? 0) > 0;
	for (const [done, name] of names.entries()) {
		report({ done, total: names.length });
		const check = checks[name];
		const results = isOlder && check.needsSchema ? [olderSchema] : await runCheck(check, context);
		for (const result of results) findings.push({ check: name, ...hideSecrets(result, context.config) });
	}
	report({ done: names.length, total: names.length });
	return findings;
}

const olderSchema = notice(
	'Not checked: the databases are of an older version.',
	'Run `tidemark upgrade`, then run the doctor again.',
);

/** Concurrent callers share one run. */
export function examineOnce(contextOf: () => CheckContext): () => Promise<Finding[]> {
	let running: Promise<Finding[]> | undefined;
	return () => {
		running ??= examine(contextOf()).finally(() => {
			running = undefined;
		});
		return running;
	};
}

async function runCheck(check: Check, context: CheckContext): Promise<CheckResult[]> {
	const finished = new AbortController();
	const timeout = sleep(timeoutMs, undefined, { signal: finished.signal }).then(() => {
		throw new Error(`it took longer than ${timeoutMs / 1000} seconds`);
	});
	try {
		return await Promise.race([check.run(context), timeout]);
	} catch (error) {
		return [
			problem(
				`The check failed: ${reasonOf(error)}`,
				'Fix the other problems first, then run the doctor again. The log may have details.',
			),
		];
	} finally {
		timeout.catch(() => undefined);
		finished.abort();
	}
}

/** The password, or the token or seed in place of the user name. */
const secretOf = ({ username, password }: URL): string => decodeURIComponent(password || username);

/** Error messages of servers may contain credentials. */
function hideSecrets(result: CheckResult, config: Config): CheckResult {
	const passwords = [config.databaseUrl, config.clickhouseUrl]
		.filter((url) => url !== undefined)
		.flatMap((url) => [url, decodeURIComponent(new URL(url).password)]);
	const natsSecrets = (config.natsUrl?.split(',') ?? []).flatMap((url) => [
		url,
		secretOf(new URL(url.trim())),
	]);
	const secrets = [...passwords, ...natsSecrets, config.secret, config.smtpPassword, config.metricsToken];
	const hide = (text: string) =>
		secrets.reduce<string>((shown, secret) => (secret ? shown.replaceAll(secret, '…') : shown), text);
	const { what, advice } = result;
	return { ...result, what: hide(what), advice: advice === null ? null : hide(advice) };
}

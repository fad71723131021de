import { z } from 'zod';
import { exportedFormats, exportedWhat } from '../../api/export.ts';
import { importSourceNames } from '../../api/imports.ts';
import {
	createAccount,
	deleteAccount,
	getAccountByEmail,
	listAccounts,
	setDisabled,
	setLimits,
} from '../accounts/accounts.ts';
import { createKey, listKeys, revokeKey, rotateKey } from '../accounts/keys.ts';
import { makeLink } from '../accounts/links.ts';
import { findPublicAddress } from '../accounts/setup.ts';
import { type BackupServices, takeBackup } from '../backup/take.ts';
import type { CollectServices } from '../collect/keep.ts';
import { fillDemo } from '../demo/fill-demo.ts';
import { checkDays } from '../derive/check.ts';
import { rebuildDays } from '../derive/rebuild.ts';
import { eventsAtOnce } from '../derive/seal.ts';
import type { SealServices } from '../derive/sealing.ts';
import type { SeenProxies } from '../doctor/address.ts';
import { examine, type Patient } from '../doctor/doctor.ts';
import { exportRows } from '../export/export.ts';
import { createImport, importing, readImports, undoImport } from '../import/imports.ts';
import { eraseUndone, runImport } from '../import/run-imports.ts';
import { AppError } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { testMessage } from '../mail/messages.ts';
import { createSmtp, type SmtpSettings } from '../mail/smtp.ts';
import { showReport } from '../reports/show-report.ts';
import { listCountedGoals } from '../stats/goals.ts';
import type { ClickHouse } from '../store/clickhouse.ts';
import type { Postgres, Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import { announceAll } from '../websites/announce.ts';
import { importWebsites } from '../websites/import-websites.ts';
import { moveWebsite } from '../websites/move.ts';
import { buryWebsitesOf } from '../websites/tombstones.ts';
import { dropDeadLetters, listDeadLetters, retryDeadLetters } from '../write/dead-letters.ts';
import { tail } from './tail.ts';

/** What an operator can do. Runs in the service when it is up, else in the command itself; nobody else can call it. */
export type OperatorServices = {
	postgres: Postgres;
	now: Clock;
	log: Log;
	/** Not opened for an operation that does not need it. */
	clickhouse?: ClickHouse | undefined;
	/** Of this program, and what second factors are sealed with where that was made here: for a backup. */
	version: string;
	secret?: string | undefined;
	/** Where mail is given to, if anywhere. */
	mail?: SmtpSettings | undefined;
	/** What the doctor looks at; proxies are seen by a running service. */
	doctor: Pick<Patient, 'config'> & { proxies?(): SeenProxies; lag?: Patient['lag'] };
	/** Where the service is reached; only it knows the port that it listens on. */
	baseUrl?: (() => string) | undefined;
	/** Only where hits are collected: in the service. */
	collect?: Pick<CollectServices, 'websites' | 'watchers' | 'eventLog'> | undefined;
};

/** Tells the operator how far a long operation is. */
export type Report = (progress: { done: number; total: number }) => void;

/** Whoever waits for the result, as the operation sees them. */
export type Caller = {
	report: Report;
	/** Shows one thing of many, before the result; false when they read too slowly, and it was not sent. */
	tell(said: unknown): boolean;
	/** The same for what must not be missed: resolves when they have room for more. */
	hand(said: unknown): Promise<void>;
	/** Aborted when they have left. */
	gone: AbortSignal;
};

/** What an operation needs beyond PostgreSQL, which is always there. */
type Needs = 'records' | 'statistics' | 'service';

type ServicesOf = {
	records: Pick<OperatorServices, 'postgres' | 'now' | 'mail' | 'baseUrl'>;
	statistics: OperatorServices & { clickhouse: ClickHouse };
	service: OperatorServices & { collect: NonNullable<OperatorServices['collect']> };
};

type Operation<I extends z.ZodType, O, N extends Needs = Needs> = {
	/** Without it, the records in PostgreSQL are all it works on. */
	needs?: N;
	/** It works on databases of any version and leaves them as they are. */
	isOfAnyVersion?: true;
	input: I;
	run(services: ServicesOf[N], input: z.output<I>, caller: Caller): Promise<O>;
};

const operation = <I extends z.ZodType, O, N extends Needs = 'records'>(
	row: Operation<I, O, N>,
): Operation<I, O, N> => row;

const byEmail = z.object({ email: z.string() });
const byKey = z.object({ id: z.int() });
/** Without ids: all. */
const byIds = z.object({ ids: z.array(z.int().positive()).min(1).optional() });
const limit = z.int().nonnegative().nullable().optional();
const dates = z.object({ from: z.iso.date().optional(), to: z.iso.date().optional() });

const toSeal = (services: ServicesOf['statistics'], { gone }: Caller): SealServices => ({
	...services,
	signal: gone,
	goalsOf: (websiteIds) => listCountedGoals(services.postgres, websiteIds),
	atOnce: { events: eventsAtOnce },
});

const toImport = (services: ServicesOf['statistics']) => ({
	...services,
	...importing(services.doctor.config),
});

/** A one-time link in its two halves; the first is for who prints it to know, unless the service or the first account has said it. */
const linkOf = async (queries: Queries, token: string, baseUrl: OperatorServices['baseUrl']) => ({
	token,
	publicAddress: baseUrl?.() ?? (await findPublicAddress(queries)),
});

const operations = {
	'mail.test': operation({
		input: z.object({ to: z.email() }),
		run: async ({ mail }, { to }) => {
			if (!mail)
				throw new AppError(
					'unavailable',
					'No mail server is set. Set TIDEMARK_SMTP_HOST and TIDEMARK_MAIL_FROM.',
				);
			const smtp = createSmtp(mail);
			try {
				const outcome = await smtp.send({ to, ...testMessage() }, async () => true);
				if (outcome.kind !== 'sent')
					throw new AppError(
						'unavailable',
						`${mail.host}:${mail.port} did not take the mail: ${outcome.reason}`,
					);
				return { host: mail.host, port: mail.port, from: mail.from };
			} finally {
				smtp.close();
			}
		},
	}),
	'account.create': operation({
		input: z.object({
			name: z.string(),
			email: z.string(),
			locale: z.string().optional(),
			timezone: z.string().optional(),
		}),
		run: ({ postgres, now, baseUrl }, account) =>
			postgres.transaction(async (tx) => {
				const created = await createAccount(tx, now, account);
				const of = { accountId: created.account.id, purpose: 'invitation' } as const;
				return { ...created, link: await linkOf(tx, await makeLink(tx, now, of), baseUrl) };
			}),
	}),
	'account.reset': operation({
		input: byEmail,
		run: async ({ postgres, now, baseUrl }, { email }) => {
			const { id } = await getAccountByEmail(postgres, email);
			return postgres.transaction(async (tx) =>
				linkOf(tx, await makeLink(tx, now, { accountId: id, purpose: 'reset' }), baseUrl),
			);
		},
	}),
	'account.list': operation({
		input: z.object({}),
		run: ({ postgres }) => listAccounts(postgres),
	}),
	'account.disable': operation({
		input: byEmail.extend({ disabled: z.boolean() }),
		run: async ({ postgres, now }, { email, disabled }) =>
			setDisabled(postgres, now, (await getAccountByEmail(postgres, email)).id, disabled),
	}),
	'account.delete': operation({
		input: byEmail,
		run: async ({ postgres, now }, { email }) => {
			const account = await getAccountByEmail(postgres, email);
			await postgres.transaction(async (tx) => {
				await buryWebsitesOf(tx, now, account.id);
				await deleteAccount(tx, account.id);
			});
			return account;
		},
	}),
	'account.limit': operation({
		input: byEmail.extend({
			websites: limit,
			pageviews: limit,
			hits: z.int().positive().nullable().optional(),
		}),
		run: async ({ postgres }, { email, ...limits }) => {
			const { id } = await getAccountByEmail(postgres, email);
			return postgres.transaction(async (tx) => {
				if (limits.hits !== undefined) await announceAll(tx, id);
				return setLimits(tx, id, limits);
			});
		},
	}),
	'account.find': operation({
		input: byEmail,
		run: ({ postgres }, { email }) => getAccountByEmail(postgres, email),
	}),
	'key.create': operation({
		input: byEmail.extend({
			name: z.string().min(1).max(200),
			access: z.enum(['full', 'read']),
			websiteIds: z.array(z.int().positive()).min(1).nullable(),
		}),
		run: async ({ postgres, now }, { email, ...key }) =>
			createKey(postgres, now, { accountId: (await getAccountByEmail(postgres, email)).id, ...key }),
	}),
	'key.list': operation({
		input: z.object({ email: z.string().optional() }),
		run: async ({ postgres }, { email }) =>
			listKeys(postgres, email === undefined ? undefined : (await getAccountByEmail(postgres, email)).id),
	}),
	'key.rotate': operation({ input: byKey, run: ({ postgres }, { id }) => rotateKey(postgres, id) }),
	'key.revoke': operation({ input: byKey, run: ({ postgres }, { id }) => revokeKey(postgres, id) }),
	'website.create': operation({
		input: byEmail.extend({ rows: z.array(z.record(z.string(), z.string())) }),
		run: async ({ postgres, now }, { email, rows }, { report }) =>
			importWebsites(postgres, now, (await getAccountByEmail(postgres, email)).id, rows, report),
	}),
	'website.move': operation({
		input: z.object({ id: z.int().positive(), email: z.string() }),
		run: async ({ postgres, now }, { id, email }) =>
			moveWebsite(postgres, now, id, await getAccountByEmail(postgres, email)),
	}),
	demo: operation({
		needs: 'statistics',
		input: z.object({
			email: z.string().optional(),
			domain: z.string(),
			days: z.int().min(1).max(1_000),
		}),
		run: (services, { email, ...request }, caller) => fillDemo(services, { email, ...request }, caller),
	}),
	'import.preview': operation({
		needs: 'statistics',
		// The file was put where the service finds it.
		input: z.object({
			websiteId: z.int().positive(),
			source: z.enum(importSourceNames),
			fileName: z.string(),
			upload: z.uuid(),
			zone: z.string().optional(),
		}),
		run: (services, request) =>
			createImport(toImport(services), { accountId: null, ...request, zone: request.zone }),
	}),
	'import.run': operation({
		needs: 'statistics',
		input: z.object({ id: z.int().positive() }),
		run: async (services, { id }, { report, gone }) => {
			const ended = await runImport(toImport(services), id, { report, signal: gone });
			if (!ended)
				throw new AppError('unavailable', `Import ${id} is being brought in already, or was undone.`);
			return ended;
		},
	}),
	'import.list': operation({
		input: z.object({ websiteId: z.int().positive().optional() }),
		run: ({ postgres }, { websiteId }) =>
			readImports(postgres, websiteId === undefined ? sql`true` : sql`website_id = ${value(websiteId)}`),
	}),
	'import.undo': operation({
		needs: 'statistics',
		input: z.object({ id: z.int().positive() }),
		run: async (services, { id }, { gone }) => {
			const imports = toImport(services);
			await undoImport(imports, id);
			await eraseUndone(imports, gone);
			return { id };
		},
	}),
	rebuild: operation({
		needs: 'statistics',
		input: dates.extend({ websiteId: z.int().positive() }),
		run: (services, request, caller) => rebuildDays(toSeal(services, caller), request, caller.report),
	}),
	check: operation({
		needs: 'statistics',
		input: dates.extend({ websiteId: z.int().positive().optional() }),
		run: (services, request, caller) => checkDays(toSeal(services, caller), request, caller.report),
	}),
	doctor: operation({
		needs: 'statistics',
		input: z.object({}),
		run: async (services, _input, caller) => {
			const { mail, version, doctor } = services;
			const { config, proxies, lag } = doctor;
			const patient = { ...toSeal(services, caller), config, version, mail, lag, proxies: proxies?.() };
			return { findings: await examine(patient, caller.report) };
		},
	}),
	report: operation({
		needs: 'statistics',
		input: z.object({
			websiteId: z.int().positive(),
			kind: z.enum(['week', 'month']),
			day: z.iso.date().optional(),
			width: z.int().positive(),
			isColored: z.boolean(),
		}),
		run: showReport,
	}),
	backup: operation({
		needs: 'statistics',
		isOfAnyVersion: true,
		// The file is made by who asks: it is theirs, and so is its passphrase.
		input: z.object({ withSecret: z.boolean() }),
		run: async (services, { withSecret }, { report, hand, gone }) => {
			const secret = withSecret ? services.secret : undefined;
			const of: BackupServices = { ...services, secret, report, signal: gone };
			for await (const piece of takeBackup(of)) await hand(piece);
		},
	}),
	'letter.list': operation({
		input: z.object({}),
		run: ({ postgres }) => listDeadLetters(postgres),
	}),
	'letter.retry': operation({
		needs: 'service',
		input: byIds,
		run: ({ postgres, collect }, { ids }) =>
			retryDeadLetters({ postgres, eventLog: collect.eventLog }, ids ? { ids } : 'all'),
	}),
	'letter.drop': operation({
		input: byIds,
		run: async ({ postgres }, { ids }) => ({
			dropped: await dropDeadLetters(postgres, ids ? { ids } : 'all'),
		}),
	}),
	export: operation({
		needs: 'statistics',
		// As with a backup, the file is made by who asks.
		input: dates.extend({
			websiteId: z.int().positive(),
			what: z.enum(exportedWhat),
			format: z.enum(exportedFormats),
			raw: z.boolean().optional(),
		}),
		run: async ({ postgres, clickhouse }, request, { hand, gone }) => {
			for await (const piece of exportRows({ postgres, clickhouse }, request, gone)) await hand(piece);
		},
	}),
	tail: operation({
		needs: 'service',
		input: z.object({ websiteId: z.int().positive().optional() }),
		run: ({ collect }, { websiteId }, caller) => tail(collect, websiteId, caller),
	}),
};

export type OperationName = keyof typeof operations;
export type OperationInput<N extends OperationName> = z.input<(typeof operations)[N]['input']>;
export type OperationResult<N extends OperationName> = Awaited<ReturnType<(typeof operations)[N]['run']>>;

export function isOperation(name: string): name is OperationName {
	return Object.hasOwn(operations, name);
}

export const needsOf = (name: OperationName): Needs => operations[name].needs ?? 'records';

export const isOfAnyVersion = (name: OperationName): boolean => operations[name].isOfAnyVersion ?? false;

export async function runOperation(
	services: OperatorServices,
	name: OperationName,
	input: unknown,
	caller: Caller,
): Promise<unknown> {
	// The compiler cannot see that the row's schema and its function belong together, nor that what it needs is there.
	const row = operations[name] as Operation<z.ZodType, unknown, 'records'>;
	const needs = needsOf(name);
	if (needs === 'statistics' && !services.clickhouse)
		throw new AppError(
			'unavailable',
			'This process has no ClickHouse. Run the command on the data folder of one with the role write, api or jobs.',
		);
	if (needs === 'service' && !services.collect)
		throw new AppError(
			'unavailable',
			'This process takes no hits. Run the command on the data folder of one with the role collect.',
		);
	const parsed = row.input.safeParse(input);
	if (!parsed.success) {
		const [issue] = parsed.error.issues;
		throw new AppError(
			'validation_failed',
			`${issue?.path.join('.') ?? 'input'}: ${issue?.message ?? 'not valid'}`,
		);
	}
	return row.run(services, parsed.data, caller);
}

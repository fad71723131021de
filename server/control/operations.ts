import { z } from 'zod';
import { exportedFormats, exportedWhat } from '../../api/export.ts';
import { importSourceNames } from '../../api/imports.ts';
import { createAccount, getAccountOf, getConfirmedAccountOf, listAccounts } from '../accounts/accounts.ts';
import { setAddress } from '../accounts/address-change.ts';
import { confirmAddress } from '../accounts/confirmation.ts';
import { allScopes, changeLimits, unlimited } from '../accounts/key-limits.ts';
import { createKey, getKey, listKeys, revokeKey, rotateKey, updateKey } from '../accounts/keys.ts';
import { makeLink } from '../accounts/links.ts';
import { appointPrimaryOwner, listOwnedAccounts } from '../accounts/owners.ts';
import { getConfirmedPersonByEmail, getPersonByEmail, setOperator } from '../accounts/people.ts';
import { endSessions } from '../accounts/sessions.ts';
import { findPublicAddress } from '../accounts/setup.ts';
import { removeSecondFactors } from '../accounts/two-factor.ts';
import { takeBackup } from '../backup/take.ts';
import { fillDemo } from '../demo/fill-demo.ts';
import { checkDays, isLoss } from '../derive/check.ts';
import { refuseDamaged } from '../derive/damage.ts';
import { rebuildDays } from '../derive/rebuild.ts';
import { maxEventsPerStatement } from '../derive/seal.ts';
import { examine } from '../doctor/doctor.ts';
import { exportRows } from '../export/export.ts';
import { createImport, importing, readImports, undoImport } from '../import/imports.ts';
import { eraseUndone, runImport } from '../import/run-imports.ts';
import { importDomainRule } from '../items/domain-list.ts';
import { AppError } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import { isNetwork } from '../lib/networks.ts';
import { sendTest } from '../notify/mail/send-test.ts';
import { type OperatorAction, recordOperatorAction } from '../operator/log.ts';
import {
	changeLimits as changeAccountLimits,
	changeDisabled,
	recordNewAccount,
	removeAccount,
} from '../operator/manage-accounts.ts';
import { showReport } from '../reports/show-report.ts';
import { listCountedGoals } from '../stats/question/goals.ts';
import type { Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import { importWebsites } from '../websites/import-websites.ts';
import { transferWebsite } from '../websites/transfers.ts';
import { dropDeadLetters, listDeadLetters, retryDeadLetters } from '../write/dead-letters.ts';
import { oidcOperations } from './oidc-operations.ts';
import {
	type Caller,
	type Needs,
	type Operation,
	type OperatorServices,
	operation,
	type ServicesOf,
} from './operation.ts';
import { commandLine, operatorOperations } from './operator-operations.ts';
import { policyOperations } from './policy-operations.ts';
import { tail } from './tail.ts';

const byEmail = z.object({ email: z.string() });
const byKey = z.object({ id: z.int() });
const keyLimits = {
	access: z.enum(['full', 'read', 'scoped']).optional(),
	scopes: z.array(z.enum(allScopes)).min(1).optional(),
	websiteIds: z.array(z.int().positive()).min(1).nullable().optional(),
	expiresAt: z.iso
		.datetime()
		.transform((time) => new Date(time))
		.nullable()
		.optional(),
	networks: z
		.array(z.string().refine(isNetwork, 'A network is an IP address, or a network such as 10.0.0.0/8.'))
		.min(1)
		.nullable()
		.optional(),
};
/** No ids: all. */
const byIds = z.object({ ids: z.array(z.int().positive()).min(1).optional() });
const limit = z.int().nonnegative().nullable().optional();
const dates = z.object({ from: z.iso.date().optional(), to: z.iso.date().optional() });

const sealServices = <S extends OperatorServices>(services: S, { signal }: Caller) => ({
	...services,
	signal,
	goalsOf: (websiteIds: readonly number[]) => listCountedGoals(services.postgres, websiteIds),
	atOnce: { events: maxEventsPerStatement },
});

const importServices = (services: ServicesOf['statistics']) => ({
	...services,
	...importing(services.doctor.config),
});

/** The URL for links: of the running service, or as entered with the first account. If it is not known, the CLI chooses one. */
const publicAddressOf = async (queries: Queries, baseUrl: OperatorServices['baseUrl']) =>
	baseUrl?.() ?? (await findPublicAddress(queries));

/** The parts of a one-time link. */
const linkOf = async (queries: Queries, token: string, baseUrl: OperatorServices['baseUrl']) => ({
	token,
	publicAddress: await publicAddressOf(queries, baseUrl),
});

const record = (tx: Queries, now: Clock, action: Omit<OperatorAction, 'by'>) =>
	recordOperatorAction(tx, now, { by: commandLine, ...action });

/** About a person: an entry for each of their accounts, whose owners see it. */
async function recordAboutPerson(tx: Queries, now: Clock, what: string, personId: number): Promise<void> {
	for (const { id } of await listOwnedAccounts(tx, personId))
		await record(tx, now, { what, accountId: id, subjectId: personId });
}

const operations = {
	...oidcOperations,
	...operatorOperations,
	...policyOperations,
	'mail.test': operation({
		reads: 'any version',
		input: z.object({ to: z.email() }),
		run: ({ mail }, { to }) => sendTest(mail, to),
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
				await recordNewAccount(tx, now, commandLine, created.account);
				const token = await makeLink(tx, now, { personId: created.account.ownerId, purpose: 'invitation' });
				return { ...created, link: await linkOf(tx, token, baseUrl) };
			}),
	}),
	'account.reset': operation({
		input: byEmail.extend({ removesSecondFactors: z.boolean().optional() }),
		run: async ({ postgres, now, baseUrl }, { email, removesSecondFactors }) => {
			const { id } = await getPersonByEmail(postgres, email);
			return postgres.transaction(async (tx) => {
				if (removesSecondFactors) {
					await removeSecondFactors(tx, id);
					await endSessions(tx, id);
					await recordAboutPerson(tx, now, 'removeSecondFactors', id);
				}
				await recordAboutPerson(tx, now, 'makeResetLink', id);
				return linkOf(tx, await makeLink(tx, now, { personId: id, purpose: 'reset' }), baseUrl);
			});
		},
	}),
	'account.list': operation({
		reads: 'this version',
		input: z.object({}),
		run: ({ postgres }) => listAccounts(postgres),
	}),
	'account.disable': operation({
		input: byEmail.extend({ disabled: z.boolean() }),
		run: async ({ postgres, now }, { email, disabled }) =>
			postgres.transaction(async (tx) => {
				const { id } = await getAccountOf(tx, email);
				await changeDisabled(tx, now, commandLine, { id, isDisabled: disabled });
			}),
	}),
	'account.confirm': operation({
		input: byEmail,
		run: async ({ postgres, now }, { email }) => {
			const { id } = await getPersonByEmail(postgres, email);
			return postgres.transaction(async (tx) => {
				const wasUnconfirmed = await confirmAddress(tx, now, id);
				if (wasUnconfirmed) await recordAboutPerson(tx, now, 'confirmAddress', id);
				return { wasUnconfirmed };
			});
		},
	}),
	'account.address': operation({
		input: byEmail.extend({ newEmail: z.email() }),
		run: async ({ postgres, now }, { email, newEmail }) => {
			const { id } = await getPersonByEmail(postgres, email);
			await postgres.transaction(async (tx) => {
				await setAddress(tx, now, { personId: id, email: newEmail });
				await recordAboutPerson(tx, now, 'changeAddress', id);
			});
		},
	}),
	'account.operator': operation({
		input: byEmail.extend({ isOperator: z.boolean() }),
		run: async ({ postgres, now }, { email, isOperator }) => {
			const { id } = await (isOperator ? getConfirmedPersonByEmail : getPersonByEmail)(postgres, email);
			await postgres.transaction(async (tx) => {
				await setOperator(tx, id, isOperator);
				await record(tx, now, { what: isOperator ? 'makeOperator' : 'removeOperator', subjectId: id });
			});
		},
	}),
	'account.delete': operation({
		input: byEmail,
		run: async ({ postgres, now }, { email }) => {
			const account = await getAccountOf(postgres, email);
			await postgres.transaction((tx) => removeAccount(tx, now, commandLine, account.id));
			return account;
		},
	}),
	'account.owner': operation({
		input: z.object({ account: z.string(), email: z.string() }),
		run: async ({ postgres, now }, { account, email }) => {
			const { id, name } = await getAccountOf(postgres, account);
			const person = await getConfirmedPersonByEmail(postgres, email);
			await postgres.transaction(async (tx) => {
				await appointPrimaryOwner(tx, now, { accountId: id, personId: person.id });
				await record(tx, now, { what: 'makePrimaryOwner', accountId: id, subjectId: person.id });
			});
			return { id, name, email: person.email };
		},
	}),
	'account.limit': operation({
		input: byEmail.extend({
			websites: limit,
			pageviews: limit,
			hits: z.int().positive().nullable().optional(),
		}),
		run: async ({ postgres, now }, { email, ...limits }) => {
			const { id } = await getAccountOf(postgres, email);
			return postgres.transaction((tx) => changeAccountLimits(tx, now, commandLine, { id, limits }));
		},
	}),
	'account.find': operation({
		reads: 'this version',
		input: byEmail,
		run: ({ postgres }, { email }) => getAccountOf(postgres, email),
	}),
	'key.create': operation({
		input: byEmail.extend({
			name: z.string().min(1).max(200),
			...keyLimits,
		}),
		run: async ({ postgres, now }, { email, name, ...limits }) =>
			postgres.transaction(async (tx) => {
				const { id: accountId } = await getAccountOf(tx, email);
				const created = await createKey(tx, now, { ...changeLimits(unlimited, limits), accountId, name });
				await record(tx, now, { what: 'createKey', accountId });
				return created;
			}),
	}),
	'key.update': operation({
		input: byKey.extend({ name: z.string().min(1).max(200).optional(), ...keyLimits }),
		run: ({ postgres, now }, { id, name, ...change }) =>
			postgres.transaction(async (tx) => {
				const before = await getKey(tx, id, sql`FOR NO KEY UPDATE`);
				await record(tx, now, { what: 'updateKey', accountId: before.accountId });
				return updateKey(tx, now, before, { name: name ?? before.name, ...changeLimits(before, change) });
			}),
	}),
	'key.list': operation({
		reads: 'this version',
		input: z.object({ email: z.string().optional() }),
		run: async ({ postgres }, { email }) =>
			listKeys(postgres, email === undefined ? undefined : (await getAccountOf(postgres, email)).id),
	}),
	'key.rotate': operation({
		input: byKey,
		run: ({ postgres, now }, { id }) =>
			postgres.transaction(async (tx) => {
				const key = await getKey(tx, id, sql`FOR NO KEY UPDATE`);
				await record(tx, now, { what: 'rotateKey', accountId: key.accountId });
				return rotateKey(tx, now, key);
			}),
	}),
	'key.revoke': operation({
		input: byKey,
		run: ({ postgres, now }, { id }) =>
			postgres.transaction(async (tx) => {
				const { accountId } = await getKey(tx, id, sql`FOR NO KEY UPDATE`);
				await revokeKey(tx, id);
				await record(tx, now, { what: 'revokeKey', accountId });
			}),
	}),
	'website.create': operation({
		input: byEmail.extend({ rows: z.array(z.record(z.string(), z.string())) }),
		run: async ({ postgres, now }, { email, rows }, { report }) => {
			const { id: accountId } = await getAccountOf(postgres, email);
			const imported = await importWebsites(postgres, now, accountId, rows, report);
			for (const { id: websiteId, created } of imported)
				if (created) await record(postgres, now, { what: 'createWebsite', accountId, websiteId });
			return imported;
		},
	}),
	'website.move': operation({
		input: z.object({ id: z.int().positive(), email: z.string() }),
		run: async ({ postgres, now }, { id, email }) =>
			postgres.transaction(async (tx) => {
				const moved = await transferWebsite(tx, now, id, await getConfirmedAccountOf(tx, email));
				// The transfer is already in the activity logs of both accounts.
				for (const accountId of [moved.formerOwnerId, moved.ownerId])
					await record(tx, now, {
						what: 'moveWebsite',
						accountId,
						websiteId: id,
						isHiddenFromOwners: true,
					});
				return moved;
			}),
	}),
	'rules.import': operation({
		input: z.object({
			websiteId: z.int().positive(),
			name: z.string(),
			domains: z.array(z.string()).min(1),
		}),
		run: async ({ postgres, now }, list) => {
			const imported = await importDomainRule(postgres, now, list);
			await record(postgres, now, { what: 'importTrafficRule', websiteId: list.websiteId });
			return imported;
		},
	}),
	demo: operation({
		needs: 'statistics',
		input: z.object({
			email: z.string().optional(),
			domain: z.string(),
			days: z.int().min(1).max(1_000),
		}),
		run: async (services, { email, ...request }, caller) => ({
			...(await fillDemo(
				services,
				{ email, ...request },
				{ report: caller.report, tell: caller.trySend, gone: caller.signal },
			)),
			publicAddress: await publicAddressOf(services.postgres, services.baseUrl),
		}),
	}),
	'import.preview': operation({
		needs: 'statistics',
		// The command has already copied the file into the data folder.
		input: z.object({
			websiteId: z.int().positive(),
			source: z.enum(importSourceNames),
			fileName: z.string(),
			upload: z.string(),
			zone: z.string().optional(),
		}),
		run: (services, request, { signal }) =>
			createImport(
				importServices(services),
				{ accountId: null, ...request, zone: request.zone, by: 'operator' },
				signal,
			),
	}),
	'import.run': operation({
		needs: 'statistics',
		input: z.object({ id: z.int().positive() }),
		run: async (services, { id }, { report, signal }) => {
			const ended = await runImport(importServices(services), id, { report, signal });
			if (!ended) throw new AppError('unavailable', `Import ${id} is already running or was undone.`);
			return ended;
		},
	}),
	'import.list': operation({
		reads: 'this version',
		input: z.object({ websiteId: z.int().positive().optional() }),
		run: ({ postgres }, { websiteId }) =>
			readImports(postgres, websiteId === undefined ? sql`true` : sql`website_id = ${value(websiteId)}`),
	}),
	'import.undo': operation({
		needs: 'statistics',
		input: z.object({ id: z.int().positive() }),
		run: async (services, { id }, { signal }) => {
			const imports = importServices(services);
			await undoImport(imports, id);
			await eraseUndone(imports, signal);
			return { id };
		},
	}),
	rebuild: operation({
		needs: 'statistics',
		input: dates.extend({ websiteId: z.int().positive(), acceptLoss: z.boolean().optional() }),
		run: (services, request, caller) => rebuildDays(sealServices(services, caller), request, caller.report),
	}),
	check: operation({
		needs: 'statistics',
		reads: 'this version',
		input: dates.extend({ websiteId: z.int().positive().optional(), despiteDamage: z.boolean().optional() }),
		run: async (services, { despiteDamage = false, ...request }, caller) => {
			const seal = sealServices(services, caller);
			const override = 'To compare the remaining data, pass --despite-damage.';
			if (!despiteDamage) await refuseDamaged(seal, [], override);
			const checked = await checkDays(seal, request, caller.report);
			const lost = checked.differences.filter(isLoss);
			if (!despiteDamage && lost.length > 0) await refuseDamaged(seal, lost, override);
			return { ...checked, hasLoss: lost.length > 0 };
		},
	}),
	doctor: operation({
		needs: 'whatever there is',
		reads: 'any version',
		input: z.object({}),
		run: async (services, _input, caller) => {
			const { mail, version, doctor } = services;
			const { config, proxies, lag, pending } = doctor;
			const context = {
				...sealServices(services, caller),
				config,
				version,
				mail,
				lag,
				pending,
				proxies: proxies?.(),
			};
			return { findings: await examine(context, caller.report) };
		},
	}),
	report: operation({
		needs: 'statistics',
		reads: 'this version',
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
		reads: 'any version',
		// The command writes the file, so that its user owns it and the passphrase stays there.
		input: z.object({ withSecret: z.boolean() }),
		run: async (services, { withSecret }, { report, send, signal }) => {
			const secret = withSecret ? services.secret : undefined;
			for await (const piece of takeBackup({ ...services, secret, report, signal })) await send(piece);
		},
	}),
	'letter.list': operation({
		reads: 'this version',
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
		run: async ({ postgres, now }, { ids }) => {
			const dropped = await dropDeadLetters(postgres, ids ? { ids } : 'all');
			if (dropped > 0) await record(postgres, now, { what: 'dropDeadLetters' });
			return { dropped };
		},
	}),
	export: operation({
		needs: 'statistics',
		reads: 'this version',
		// As with a backup, the command writes the file.
		input: dates.extend({
			websiteId: z.int().positive(),
			what: z.enum(exportedWhat),
			format: z.enum(exportedFormats),
			raw: z.boolean().optional(),
		}),
		run: async ({ postgres, clickhouse }, request, { send, signal }) => {
			for await (const piece of exportRows({ postgres, clickhouse }, request, signal)) await send(piece);
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

export const readsOf = (name: OperationName): 'this version' | 'any version' | undefined =>
	operations[name].reads;

export async function runOperation(
	services: OperatorServices,
	name: OperationName,
	input: unknown,
	caller: Caller,
): Promise<unknown> {
	// The type system cannot express that the schema and the function of a row belong together.
	const row = operations[name] as Operation<z.ZodType, unknown, 'records'>;
	const needs = needsOf(name);
	if (needs === 'statistics' && !services.clickhouse)
		throw new AppError(
			'unavailable',
			'This process has no ClickHouse. Run the command on the data folder of a process with the role write, api or jobs.',
		);
	if (needs === 'service' && !services.collect)
		throw new AppError(
			'unavailable',
			'This process does not collect hits. Run the command on the data folder of a process with the role collect.',
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

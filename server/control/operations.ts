import { z } from 'zod';
import {
	createAccount,
	deleteAccount,
	getAccountByEmail,
	listAccounts,
	setDisabled,
	setLimits,
} from '../accounts/accounts.ts';
import { createKey, listKeys, revokeKey, rotateKey } from '../accounts/keys.ts';
import { AppError } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import type { Postgres } from '../store/postgres.ts';
import { importWebsites } from '../websites/import-websites.ts';
import { buryWebsitesOf } from '../websites/tombstones.ts';

/** What an operator can do. Runs in the service when it is up, else in the command itself; nobody else can call it. */
export type OperatorServices = { postgres: Postgres; now: Clock };

/** Tells the operator how far a long operation is. */
export type Report = (progress: { done: number; total: number }) => void;

type Operation<I extends z.ZodType, O> = {
	input: I;
	run(services: OperatorServices, input: z.output<I>, report: Report): Promise<O>;
};

const operation = <I extends z.ZodType, O>(row: Operation<I, O>): Operation<I, O> => row;

const byEmail = z.object({ email: z.string() });
const byKey = z.object({ id: z.int() });
const limit = z.int().nonnegative().nullable().optional();

const operations = {
	'account.create': operation({
		input: z.object({
			name: z.string(),
			email: z.string(),
			locale: z.string().optional(),
			timezone: z.string().optional(),
		}),
		run: ({ postgres, now }, account) => postgres.transaction((tx) => createAccount(tx, now, account)),
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
		input: byEmail.extend({ websites: limit, pageviews: limit }),
		run: async ({ postgres }, { email, ...limits }) =>
			setLimits(postgres, (await getAccountByEmail(postgres, email)).id, limits),
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
		run: async ({ postgres, now }, { email, rows }, report) =>
			importWebsites(postgres, now, (await getAccountByEmail(postgres, email)).id, rows, report),
	}),
};

export type OperationName = keyof typeof operations;
export type OperationInput<N extends OperationName> = z.input<(typeof operations)[N]['input']>;
export type OperationResult<N extends OperationName> = Awaited<ReturnType<(typeof operations)[N]['run']>>;

export function isOperation(name: string): name is OperationName {
	return Object.hasOwn(operations, name);
}

export async function runOperation(
	services: OperatorServices,
	name: OperationName,
	input: unknown,
	report: Report,
): Promise<unknown> {
	// The compiler cannot see that the row's schema and its function belong together.
	const row = operations[name] as Operation<z.ZodType, unknown>;
	const parsed = row.input.safeParse(input);
	if (!parsed.success) {
		const [issue] = parsed.error.issues;
		throw new AppError(
			'validation_failed',
			`${issue?.path.join('.') ?? 'input'}: ${issue?.message ?? 'not valid'}`,
		);
	}
	return row.run(services, parsed.data, report);
}

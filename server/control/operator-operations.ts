import { z } from 'zod';
import { getAccountOf } from '../accounts/accounts.ts';
import { isNetwork } from '../lib/networks.ts';
import { createOperatorKey, listOperatorKeys, revokeOperatorKey } from '../operator/keys.ts';
import { listOperatorLog } from '../operator/log.ts';
import { changeSignUpPolicy, readSignUpPolicy, signUpModes } from '../operator/sign-up.ts';
import { operation } from './operation.ts';

export const commandLine = { kind: 'commandLine' } as const;

const limit = z.int().nonnegative().nullable().optional();

/** Operator keys, the log of operators, and the sign-up policy. */
export const operatorOperations = {
	'operator.key.create': operation({
		input: z.object({
			name: z.string().min(1).max(200),
			access: z.enum(['full', 'read']),
			expiresAt: z.iso
				.datetime()
				.transform((time) => new Date(time))
				.nullable(),
			networks: z
				.array(z.string().refine(isNetwork, 'A network is an IP address, or a network such as 10.0.0.0/8.'))
				.min(1)
				.nullable(),
		}),
		run: ({ postgres, now }, key) => postgres.transaction((tx) => createOperatorKey(tx, now, key)),
	}),
	'operator.key.list': operation({
		reads: 'this version',
		input: z.object({}),
		run: ({ postgres }) => listOperatorKeys(postgres),
	}),
	'operator.key.revoke': operation({
		input: z.object({ id: z.int().positive() }),
		run: ({ postgres, now }, { id }) => postgres.transaction((tx) => revokeOperatorKey(tx, now, id)),
	}),
	'operator.log': operation({
		reads: 'this version',
		input: z.object({ account: z.string().optional(), count: z.int().min(1).max(10_000) }),
		run: async ({ postgres }, { account, count }) => {
			const accountId = account === undefined ? undefined : (await getAccountOf(postgres, account)).id;
			return (await listOperatorLog(postgres, { accountId }, { skip: 0, count })).entries;
		},
	}),
	'signup.get': operation({
		reads: 'this version',
		input: z.object({}),
		run: ({ postgres }) => readSignUpPolicy(postgres),
	}),
	'signup.set': operation({
		input: z.object({
			mode: z.enum(signUpModes).optional(),
			domains: z.array(z.string()).max(100).optional(),
			websiteLimit: limit,
			pageviewLimit: limit,
		}),
		run: ({ postgres, now }, change) =>
			postgres.transaction((tx) => changeSignUpPolicy(tx, now, commandLine, change)),
	}),
};

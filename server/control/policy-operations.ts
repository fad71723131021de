import { z } from 'zod';
import { getAccountOf } from '../accounts/accounts.ts';
import { recordAudit } from '../accounts/audit-log.ts';
import { noPolicy, policyLimits, readPolicy, savePolicy } from '../accounts/policies.ts';
import { signInRules } from '../accounts/policy-refusals.ts';
import { listProviders } from '../oidc/providers.ts';
import type { Queries } from '../store/postgres.ts';
import { operation } from './operation.ts';

/** An account by its id or the address of its primary owner; null: the policy of the service. */
const ofWhom = z.object({ account: z.string().nullable() });

const { idleMinutes, sessionHours, networks } = policyLimits;
const changes = {
	signIn: z.enum(signInRules),
	idleMinutes: z.int().min(idleMinutes.least).max(idleMinutes.most).nullable(),
	sessionHours: z.int().min(sessionHours.least).max(sessionHours.most).nullable(),
	networks: z.array(z.string()).min(1).max(networks).nullable(),
};

const accountIdOf = async (queries: Queries, account: string | null) =>
	account === null ? null : (await getAccountOf(queries, account)).id;

/** Policies, for the operator: of the service, and of accounts whose owners have locked themselves out. */
export const policyOperations = {
	'policy.show': operation({
		reads: 'this version',
		input: ofWhom,
		run: async ({ postgres }, { account }) => readPolicy(postgres, await accountIdOf(postgres, account)),
	}),
	/** Fields that are left out stay as they are. */
	'policy.set': operation({
		input: ofWhom.extend(z.object(changes).partial().shape),
		run: async ({ postgres, now }, { account, ...sent }) =>
			postgres.transaction(async (tx) => {
				const accountId = await accountIdOf(tx, account);
				const before = await readPolicy(tx, accountId);
				const policy = {
					signIn: sent.signIn ?? before.signIn,
					idleMinutes: sent.idleMinutes === undefined ? before.idleMinutes : sent.idleMinutes,
					sessionHours: sent.sessionHours === undefined ? before.sessionHours : sent.sessionHours,
					networks: sent.networks === undefined ? before.networks : sent.networks,
				};
				await savePolicy(tx, now, accountId, policy);
				if (accountId !== null)
					await recordAudit(tx, now, { by: { kind: 'operator' }, what: 'changePolicy', ownerId: accountId });
				return { ...policy, hasProviders: (await listProviders(tx)).length > 0 };
			}),
	}),
	'policy.clear': operation({
		input: ofWhom.extend({ onlyNetworks: z.boolean() }),
		run: async ({ postgres, now }, { account, onlyNetworks }) =>
			postgres.transaction(async (tx) => {
				const accountId = await accountIdOf(tx, account);
				const rest = onlyNetworks ? await readPolicy(tx, accountId) : noPolicy;
				await savePolicy(tx, now, accountId, { ...rest, networks: null });
				if (accountId !== null)
					await recordAudit(tx, now, { by: { kind: 'operator' }, what: 'changePolicy', ownerId: accountId });
			}),
	}),
};

import { z } from 'zod';
import { getAccountOf } from '../accounts/accounts.ts';
import { findPublicAddress } from '../accounts/setup.ts';
import { AppError } from '../lib/app-error.ts';
import { deriveKey } from '../lib/secrets.ts';
import { createOidcClient, explainFault } from '../oidc/client.ts';
import { groupRoles, listMappings, mapGroup, unmapGroup } from '../oidc/group-roles.ts';
import {
	addProvider,
	admissions,
	clientSecretPurpose,
	getProvider,
	isOidcRequired,
	listProviders,
	type Provider,
	removeProvider,
	requireOidc,
	updateProvider,
} from '../oidc/providers.ts';
import { recordOperatorAction } from '../operator/log.ts';
import { operation, type ServicesOf } from './operation.ts';
import { commandLine } from './operator-operations.ts';

const byName = z.object({ name: z.string() });

const fields = {
	issuer: z.string(),
	clientId: z.string(),
	/** null: a public client. */
	secret: z.string().min(1).nullable(),
	allowedDomains: z.array(z.string()),
	groupsClaim: z.string().min(1).max(200),
	admits: z.enum(admissions),
	hasSecondFactor: z.boolean(),
};

const keyOf = async ({ readSecret }: ServicesOf['records']) =>
	deriveKey(await readSecret(), clientSecretPurpose);

/** Without the secret. */
const shown = ({ clientSecret, ...provider }: Provider) => ({ ...provider, isPublic: clientSecret === null });

/** Providers of OpenID Connect, which only the operator can change. */
export const oidcOperations = {
	'oidc.add': operation({
		input: byName.extend({ ...fields, label: z.string().optional() }),
		run: async (services, provider) => {
			const { postgres, now, baseUrl } = services;
			const key = await keyOf(services);
			const added = await postgres.transaction(async (tx) => {
				await recordOperatorAction(tx, now, { by: commandLine, what: 'addProvider' });
				return addProvider(tx, now, key, provider);
			});
			return { ...shown(added), publicAddress: baseUrl?.() ?? (await findPublicAddress(postgres)) };
		},
	}),
	'oidc.update': operation({
		input: byName.extend(z.object({ ...fields, label: z.string() }).partial().shape),
		run: async (services, { name, ...changes }) => {
			const key = await keyOf(services);
			const updated = await services.postgres.transaction(async (tx) => {
				await recordOperatorAction(tx, services.now, { by: commandLine, what: 'updateProvider' });
				return updateProvider(tx, key, name, changes);
			});
			return shown(updated);
		},
	}),
	'oidc.list': operation({
		reads: 'this version',
		input: z.object({}),
		run: async ({ postgres }) => ({
			required: await isOidcRequired(postgres),
			providers: await Promise.all(
				(await listProviders(postgres)).map(async (provider) => ({
					...shown(provider),
					mappings: await listMappings(postgres, provider.id),
				})),
			),
		}),
	}),
	'oidc.remove': operation({
		input: byName,
		run: ({ postgres, now }, { name }) =>
			postgres.transaction(async (tx) => {
				await recordOperatorAction(tx, now, { by: commandLine, what: 'removeProvider' });
				return removeProvider(tx, now, name);
			}),
	}),
	'oidc.test': operation({
		reads: 'this version',
		input: byName,
		run: async (services, { name }) => {
			const provider = await getProvider(services.postgres, name);
			try {
				return await createOidcClient(services.now, await keyOf(services)).examine(provider);
			} catch (error) {
				throw new AppError('unavailable', `${name} does not work: ${explainFault(error).detail}.`);
			}
		},
	}),
	'oidc.map': operation({
		input: byName.extend({
			group: z.string(),
			role: z.enum(groupRoles),
			/** Its id, or the address of its primary owner. */
			account: z.string().nullable(),
			websiteId: z.int().positive().nullable(),
		}),
		run: async ({ postgres, now }, { name, account, ...mapping }) => {
			const { id } = await getProvider(postgres, name);
			const accountId = account === null ? null : (await getAccountOf(postgres, account)).id;
			await postgres.transaction(async (tx) => {
				await mapGroup(tx, id, { ...mapping, accountId });
				await recordOperatorAction(tx, now, {
					by: commandLine,
					what: 'mapGroup',
					accountId: accountId ?? undefined,
					websiteId: mapping.websiteId ?? undefined,
				});
			});
		},
	}),
	'oidc.unmap': operation({
		input: byName.extend({ group: z.string() }),
		run: ({ postgres, now }, { name, group }) =>
			postgres.transaction(async (tx) => {
				const removed = await unmapGroup(tx, (await getProvider(tx, name)).id, group);
				if (removed === 0) throw new AppError('not_found', `The group ${group} of ${name} has no role.`);
				await recordOperatorAction(tx, now, { by: commandLine, what: 'unmapGroup' });
				return { removed };
			}),
	}),
	'oidc.require': operation({
		input: z.object({ required: z.boolean() }),
		run: ({ postgres, now }, { required }) =>
			postgres.transaction(async (tx) => {
				const what = required ? 'requireProvider' : 'allowPasswords';
				await recordOperatorAction(tx, now, { by: commandLine, what });
				await requireOidc(tx, now, required);
			}),
	}),
};

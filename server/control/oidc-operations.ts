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
import { operation, type ServicesOf } from './operation.ts';

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
			const added = await postgres.transaction((tx) => addProvider(tx, now, key, provider));
			return { ...shown(added), publicAddress: baseUrl?.() ?? (await findPublicAddress(postgres)) };
		},
	}),
	'oidc.update': operation({
		input: byName.extend(z.object({ ...fields, label: z.string() }).partial().shape),
		run: async (services, { name, ...changes }) => {
			const key = await keyOf(services);
			return shown(await services.postgres.transaction((tx) => updateProvider(tx, key, name, changes)));
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
		run: ({ postgres, now }, { name }) => postgres.transaction((tx) => removeProvider(tx, now, name)),
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
		run: async ({ postgres }, { name, account, ...mapping }) => {
			const { id } = await getProvider(postgres, name);
			const accountId = account === null ? null : (await getAccountOf(postgres, account)).id;
			await postgres.transaction((tx) => mapGroup(tx, id, { ...mapping, accountId }));
		},
	}),
	'oidc.unmap': operation({
		input: byName.extend({ group: z.string() }),
		run: async ({ postgres }, { name, group }) => {
			const removed = await unmapGroup(postgres, (await getProvider(postgres, name)).id, group);
			if (removed === 0) throw new AppError('not_found', `The group ${group} of ${name} has no role.`);
			return { removed };
		},
	}),
	'oidc.require': operation({
		input: z.object({ required: z.boolean() }),
		run: ({ postgres, now }, { required }) => postgres.transaction((tx) => requireOidc(tx, now, required)),
	}),
};

import { z } from 'zod';
import { list, singleRecord } from '../../../../api/envelopes.ts';
import {
	changeLimitsBody,
	changeSignUpBody,
	createAccountBody,
	createdAccount,
	deletedAccount,
	exportLogQuery,
	listAccountsQuery,
	listOperatorLogQuery,
	type OperatedAccount,
	type OperatorEntryRecord,
	operatedAccount,
	operatorEntry,
	type SignUpPolicyRecord,
	signUpPolicy,
} from '../../../../api/operator.ts';
import { anyProofBody } from '../../../../api/passkeys.ts';
import type { Limits } from '../../../accounts/accounts.ts';
import { isOwner } from '../../../accounts/owners.ts';
import type { Principal } from '../../../accounts/principal.ts';
import { AppError } from '../../../lib/app-error.ts';
import {
	getOperatedAccount,
	type ListedAccount,
	listOperatedAccounts,
} from '../../../operator/list-accounts.ts';
import {
	holdOperator,
	listOperatorLog,
	type OperatorAuthor,
	type OperatorEntry,
	readOperatorLog,
} from '../../../operator/log.ts';
import {
	addAccount,
	changeDisabled,
	changeLimits,
	removeAccount,
} from '../../../operator/manage-accounts.ts';
import { changeSignUpPolicy, readSignUpPolicy, type SignUpPolicy } from '../../../operator/sign-up.ts';
import type { Queries } from '../../../store/postgres.ts';
import { knownFields, readFields } from '../../request/read-body.ts';
import { readParameters } from '../../request/read-parameters.ts';
import { readProof, readProven } from '../../request/read-proof.ts';
import { validate } from '../../request/validate.ts';
import { ndjsonFile, ndjsonType } from '../ndjson.ts';
import { paginate } from '../pagination.ts';
import { type AccountRoute, type ApiRequest, json, readId, type Services } from '../route.ts';
import { toTimes } from './activity.ts';

const newAccountFields = knownFields(createAccountBody);
const limitFields = knownFields(changeLimitsBody);
const proofFields = knownFields(anyProofBody);
const signUpFields = knownFields(changeSignUpBody, ['domains']);
const provenSignUpFields = knownFields(changeSignUpBody.extend(anyProofBody.shape), ['domains']);

const idOf = (call: ApiRequest) => readId(call, 'account_id');

const toRecord = (account: ListedAccount): OperatedAccount => ({
	id: account.id,
	name: account.name,
	owner: {
		person_id: account.ownerId,
		name: account.ownerName,
		email: account.email,
		is_confirmed: account.confirmedAt !== null,
	},
	owners: account.owners,
	created_at: account.createdAt.toISOString(),
	disabled_at: account.disabledAt?.toISOString() ?? null,
	last_used_at: account.lastUsedAt?.toISOString() ?? null,
	usage: { websites: account.websiteCount, pageviews_this_month: account.pageviews },
	limits: {
		websites: account.websiteLimit,
		pageviews_per_month: account.pageviewLimit,
		hits_per_second: account.hitLimit,
	},
});

type SentLimits = z.output<typeof changeLimitsBody>;

const toLimits = ({ website_limit, pageview_limit, hit_limit }: SentLimits): Limits => ({
	websites: website_limit,
	pageviews: pageview_limit,
	hits: hit_limit,
});

const toPolicy = (policy: SignUpPolicy, canMail: boolean): SignUpPolicyRecord => ({
	mode: policy.mode,
	domains: policy.domains,
	website_limit: policy.websiteLimit,
	pageview_limit: policy.pageviewLimit,
	can_mail: canMail,
});

function toEntry(entry: OperatorEntry): OperatorEntryRecord {
	const { personId, keyId, accountId, subjectId, websiteId } = entry;
	return {
		id: entry.id,
		at: entry.at.toISOString(),
		what: entry.what,
		by:
			personId !== null
				? { kind: 'person', id: personId, name: entry.personName }
				: keyId !== null
					? { kind: 'operator_key', id: keyId, name: entry.keyName }
					: { kind: 'command_line' },
		account: accountId === null ? null : { id: accountId, name: entry.accountName },
		person: subjectId === null ? null : { id: subjectId, name: entry.subjectName },
		website: websiteId === null ? null : { id: websiteId, domain: entry.domain },
	};
}

/** A stolen session must not be enough for what cannot be undone, or lets strangers in. An operator key needs no proof. */
async function provePerson(
	{ principal, body, passkeyBrowser }: ApiRequest,
	{ prove }: Services,
): Promise<void> {
	if (principal.kind !== 'person') return;
	await prove(principal.personId, readProof(readFields(body, proofFields), passkeyBrowser));
}

/** Operators who disabled or deleted their own account could not undo it here. */
async function refuseOwnAccount(tx: Queries, principal: Principal, accountId: number): Promise<void> {
	if (principal.kind === 'person' && (await isOwner(tx, { accountId, personId: principal.personId })))
		throw new AppError(
			'forbidden',
			'You own this account. Another operator, or the command line, can do this.',
		);
}

/** Runs a change of an account that exists, and returns the account. */
async function changeAccount(
	call: ApiRequest,
	{ postgres, now, forgetKeys }: Services,
	change: (tx: Queries, by: OperatorAuthor, id: number) => Promise<unknown>,
) {
	const id = idOf(call);
	const account = await postgres.transaction(async (tx) => {
		const by = await holdOperator(tx, call.principal);
		await getOperatedAccount(tx, now, id);
		await change(tx, by, id);
		return getOperatedAccount(tx, now, id);
	});
	forgetKeys();
	return json(200, { data: toRecord(account) });
}

const setDisabled =
	(isDisabled: boolean): AccountRoute['handle'] =>
	async (call, services) => {
		await getOperatedAccount(services.postgres, services.now, idOf(call));
		if (isDisabled) await provePerson(call, services);
		return changeAccount(call, services, async (tx, by, id) => {
			if (isDisabled) await refuseOwnAccount(tx, call.principal, id);
			await changeDisabled(tx, services.now, by, { id, isDisabled });
		});
	};

const createAccount: AccountRoute['handle'] = async (call, services) => {
	const { postgres, now, baseUrl } = services;
	const { name, email, locale, timezone, ...limits } = validate(
		createAccountBody,
		readFields(call.body, newAccountFields),
	);
	const created = await postgres.transaction(async (tx) => {
		const by = await holdOperator(tx, call.principal);
		const person = { name, email, locale, timezone };
		const { account, token } = await addAccount(tx, now, by, { ...person, limits: toLimits(limits) });
		return { account: await getOperatedAccount(tx, now, account.id), token };
	});
	const { account, token } = created;
	return json(
		201,
		{ data: { ...toRecord(account), invitation_link: `${baseUrl()}/password#token=${token}` } },
		{ 'cache-control': 'no-store', location: `${call.mountedAt}/operator/accounts/${account.id}` },
	);
};

const deleteAccount: AccountRoute['handle'] = async (call, services) => {
	const { postgres, now, forgetKeys } = services;
	const id = idOf(call);
	await getOperatedAccount(postgres, now, id);
	await provePerson(call, services);
	await postgres.transaction(async (tx) => {
		const by = await holdOperator(tx, call.principal);
		await getOperatedAccount(tx, now, id);
		await refuseOwnAccount(tx, call.principal, id);
		await removeAccount(tx, now, by, id);
	});
	forgetKeys();
	return json(200, { data: { id, object: 'account', deleted: true } });
};

const changePolicy: AccountRoute['handle'] = async (call, services) => {
	const { postgres, now, canMail } = services;
	const { mode, domains, website_limit, pageview_limit } = await readPolicyChange(call, services);
	const policy = await postgres.transaction(async (tx) =>
		changeSignUpPolicy(tx, now, await holdOperator(tx, call.principal), {
			mode,
			domains,
			websiteLimit: website_limit,
			pageviewLimit: pageview_limit,
		}),
	);
	return json(200, { data: toPolicy(policy, canMail) });
};

async function readPolicyChange({ principal, body, passkeyBrowser }: ApiRequest, { prove }: Services) {
	if (principal.kind !== 'person') return validate(changeSignUpBody, readFields(body, signUpFields));
	const fields = readFields(body, provenSignUpFields);
	const { values, proof } = readProven(fields, passkeyBrowser, () => validate(changeSignUpBody, fields));
	await prove(principal.personId, proof);
	return values;
}

const bodyErrors = ['bad_request', 'body_too_large', 'unsupported_media_type', 'validation_failed'] as const;
const oneAccount = {
	status: 200,
	schema: singleRecord(operatedAccount),
	description: 'The account.',
};
const whoCan = 'Only for operators and operator keys.';

/** For operators and operator keys. To everyone else, these routes do not exist. */
export const operatorRoutes: readonly AccountRoute[] = [
	{
		methods: ['GET'],
		path: '/operator/accounts',
		action: 'operator.read',
		operationId: 'listAccounts',
		summary: 'List all accounts',
		description: `Returns the accounts of the service with their usage and limits, newest first. ${whoCan}`,
		query: listAccountsQuery,
		response: { status: 200, schema: list(operatedAccount), description: 'A page of accounts.' },
		errors: ['validation_failed', 'not_found'],
		handle: async (call, { postgres, now }) =>
			paginate(call, '/operator/accounts', listAccountsQuery, async ({ page, per_page, search, state }) => {
				const range = { skip: (page - 1) * per_page, count: per_page };
				const { accounts, total } = await listOperatedAccounts(postgres, now, { search, state }, range);
				return { records: accounts.map(toRecord), total };
			}),
	},
	{
		methods: ['POST'],
		path: '/operator/accounts',
		action: 'operator.change',
		operationId: 'createAccount',
		summary: 'Create an account',
		description: `Creates a person with an account, and returns a link with which the person sets a password. It creates no API key. ${whoCan}`,
		body: createAccountBody,
		response: { status: 201, schema: singleRecord(createdAccount), description: 'The new account.' },
		errors: [...bodyErrors, 'not_found'],
		handle: createAccount,
	},
	{
		methods: ['GET'],
		path: '/operator/accounts/:account_id',
		action: 'operator.read',
		operationId: 'getOperatedAccount',
		summary: 'Get any account',
		description: `Returns an account with its usage and limits. ${whoCan}`,
		response: oneAccount,
		errors: ['not_found'],
		handle: async (call, { postgres, now }) =>
			json(200, { data: toRecord(await getOperatedAccount(postgres, now, idOf(call))) }),
	},
	{
		methods: ['PUT', 'PATCH'],
		path: '/operator/accounts/:account_id/limits',
		action: 'operator.change',
		operationId: 'setLimits',
		summary: 'Set the limits of an account',
		description: `Changes the limits that you send. ${whoCan}`,
		body: changeLimitsBody,
		response: oneAccount,
		errors: [...bodyErrors, 'not_found'],
		handle: async (call, services) => {
			const limits = toLimits(validate(changeLimitsBody, readFields(call.body, limitFields)));
			return changeAccount(call, services, (tx, by, id) =>
				changeLimits(tx, services.now, by, { id, limits }),
			);
		},
	},
	{
		methods: ['POST'],
		path: '/operator/accounts/:account_id/disable',
		action: 'operator.change',
		operationId: 'disableAccount',
		summary: 'Disable an account',
		description: `Stops everything that an account is used for, except collecting hits. Nothing is deleted. ${whoCan}`,
		response: oneAccount,
		errors: ['forbidden', 'not_found', 'validation_failed'],
		handle: setDisabled(true),
	},
	{
		methods: ['POST'],
		path: '/operator/accounts/:account_id/enable',
		action: 'operator.change',
		operationId: 'enableAccount',
		summary: 'Enable an account',
		description: `Enables a disabled account again. ${whoCan}`,
		response: oneAccount,
		errors: ['not_found'],
		handle: setDisabled(false),
	},
	{
		methods: ['DELETE'],
		path: '/operator/accounts/:account_id',
		action: 'operator.change',
		operationId: 'deleteAccount',
		summary: 'Delete an account',
		description: `Deletes an account with its websites and all their statistics. ${whoCan}`,
		response: { status: 200, schema: singleRecord(deletedAccount), description: 'The account was deleted.' },
		errors: ['forbidden', 'not_found', 'validation_failed'],
		handle: deleteAccount,
	},
	{
		methods: ['GET'],
		path: '/operator/sign-up',
		action: 'operator.read',
		operationId: 'getSignUpPolicy',
		summary: 'Get the sign-up policy',
		description: `Returns who can create an account without an invitation. ${whoCan}`,
		response: { status: 200, schema: singleRecord(signUpPolicy), description: 'The policy.' },
		errors: ['not_found'],
		handle: async (_call, { postgres, canMail }) =>
			json(200, { data: toPolicy(await readSignUpPolicy(postgres), canMail) }),
	},
	{
		methods: ['PUT', 'PATCH'],
		path: '/operator/sign-up',
		action: 'operator.change',
		operationId: 'setSignUpPolicy',
		summary: 'Change the sign-up policy',
		description: `Changes the fields that you send. ${whoCan}`,
		body: changeSignUpBody,
		response: { status: 200, schema: singleRecord(signUpPolicy), description: 'The policy.' },
		errors: [...bodyErrors, 'not_found'],
		handle: changePolicy,
	},
	{
		methods: ['GET'],
		path: '/operator/activity',
		action: 'operator.read',
		operationId: 'listOperatorActivity',
		summary: 'List what operators did',
		description: `Returns the changes that operators made on the page, with operator keys and on the command line, newest first. ${whoCan}`,
		query: listOperatorLogQuery,
		response: { status: 200, schema: list(operatorEntry), description: 'A page of entries.' },
		errors: ['validation_failed', 'not_found'],
		handle: async (call, { postgres }) =>
			paginate(
				call,
				'/operator/activity',
				listOperatorLogQuery,
				async ({ page, per_page, account_id, ...dates }) => {
					const range = { skip: (page - 1) * per_page, count: per_page };
					const scope = { accountId: account_id, ...toTimes(dates) };
					const { entries, total } = await listOperatorLog(postgres, scope, range);
					return { records: entries.map(toEntry), total };
				},
			),
	},
	{
		methods: ['GET'],
		path: '/operator/activity/export',
		action: 'operator.read',
		operationId: 'exportOperatorActivity',
		summary: 'Export what operators did',
		description: `Streams the entries of \`GET /operator/activity\` as NDJSON, oldest first. A broken connection means that the file is incomplete. ${whoCan}`,
		query: exportLogQuery,
		response: { status: 200, schema: z.string(), description: 'The file.', files: [ndjsonType] },
		errors: ['validation_failed', 'not_found'],
		handle: async (call, { postgres }) => {
			const { account_id: accountId, ...dates } = readParameters(call.query, exportLogQuery);
			const scope = { accountId, ...toTimes(dates) };
			return ndjsonFile(
				['operator', dates.from ?? '', dates.to ?? ''],
				(page) => readOperatorLog(postgres, scope, page),
				toEntry,
			);
		},
	},
];

import { list, one } from '../../../api/envelopes.ts';
import {
	createWebsiteBody,
	deletedWebsite,
	listFields,
	listWebsitesQuery,
	renameWebsiteBody,
	updateWebsiteBody,
	type WebsiteRecord,
	websiteRecord,
} from '../../../api/websites.ts';
import { demand, notFound } from '../../accounts/authorize.ts';
import type { Principal } from '../../accounts/principal.ts';
import {
	changedWebsiteFields,
	newWebsiteFields,
	renamedWebsiteFields,
	withoutEmpty,
} from '../../websites/fields.ts';
import {
	createWebsite,
	deleteWebsite,
	findSharedWebsites,
	getWebsite,
	hashNewPassword,
	listWebsites,
	missingPassword,
	renameWebsite,
	updateWebsite,
	type Website,
} from '../../websites/websites.ts';
import { type Answer, type Call, json, nullAsEmpty, type Route, readId, type Services } from '../call.ts';
import { etagOf, isExpectedBy } from '../etag.ts';
import { answerOnce, readIdempotencyKey } from '../idempotency.ts';
import { answerList } from '../list.ts';
import { readFields, wanted } from '../read-body.ts';
import { validate } from '../validate.ts';

const newFields = wanted(createWebsiteBody, listFields);
const changedFields = wanted(updateWebsiteBody, listFields);
const renamedFields = wanted(renameWebsiteBody);

function toRecord(website: Website): WebsiteRecord {
	return {
		id: website.id,
		domain: website.domain,
		privacy: website.privacy,
		has_password: website.passwordHash !== null,
		email: website.email ? 1 : 0,
		exclude_bots: website.excludeBots ? 1 : 0,
		exclude_params: website.excludeParams,
		exclude_ips: website.excludeIps,
		favorite: website.favorite ? 1 : 0,
		timezone: website.timezone,
		created_at: website.createdAt.toISOString(),
		updated_at: website.updatedAt.toISOString(),
	};
}

function oneWebsite(status: number, website: Website, headers: Record<string, string> = {}): Answer {
	const answer = json(status, { data: toRecord(website) });
	return { ...answer, headers: { ...headers, etag: etagOf(answer.text) } };
}

/** The tag of a website as `get` would answer it. */
const etagOfWebsite = (website: Website) => etagOf(json(200, { data: toRecord(website) }).text);

const isExpected = (call: Call) => (website: Website) =>
	isExpectedBy(call.header('if-match'), () => etagOfWebsite(website));

function accountOf(principal: Principal): number {
	if (principal.kind === 'key' || principal.kind === 'account') return principal.accountId;
	throw notFound();
}

async function listAnswer(call: Call, { postgres }: Services): Promise<Answer> {
	demand(call.principal, 'websites.list');
	return answerList(call, '/websites', listWebsitesQuery, async (query) => {
		const { websites, total } = await listWebsites(postgres, {
			accountId: accountOf(call.principal),
			websiteIds: call.principal.kind === 'key' ? call.principal.websiteIds : null,
			shared: await findSharedWebsites(postgres, call.principal),
			search: query.search,
			favorite: query.favorite === undefined ? undefined : query.favorite === 1,
			sortBy: query.sort_by,
			descending: query.sort === 'desc',
			page: query.page,
			perPage: query.per_page,
		});
		return { records: websites.map(toRecord), total };
	});
}

async function createAnswer(call: Call, services: Services): Promise<Answer> {
	demand(call.principal, 'websites.create');
	const accountId = accountOf(call.principal);
	const key = readIdempotencyKey(call.header('idempotency-key'));
	const body = withoutEmpty(readFields(call.body, newFields));
	const work = {
		async prepare() {
			const fields = validate(newWebsiteFields, body, () => missingPassword(body, undefined));
			return { ...fields, passwordHash: await hashNewPassword(fields) };
		},
		async run(tx: Parameters<typeof createWebsite>[0], fields: Parameters<typeof createWebsite>[3]) {
			const website = await createWebsite(tx, services.now, accountId, fields);
			return oneWebsite(201, website, { location: `${call.mountedAt}/websites/${website.id}` });
		},
	};
	if (key !== undefined) return answerOnce(services, { accountId, key, body: call.body.bytes }, work);
	const fields = await work.prepare();
	return services.postgres.transaction((tx) => work.run(tx, fields));
}

async function updateAnswer(call: Call, { postgres, now }: Services): Promise<Answer> {
	const id = readId(call);
	// Before the body is looked at: whoever may not see the website learns nothing from its fields.
	const stored = await getWebsite(postgres, call.principal, 'website.update', id);
	const body = nullAsEmpty(readFields(call.body, changedFields));
	const fields = validate(changedWebsiteFields, body, () => missingPassword(body, stored));
	return oneWebsite(
		200,
		await updateWebsite(postgres, now, call.principal, id, { fields, isExpected: isExpected(call) }),
	);
}

async function renameAnswer(call: Call, { postgres, now }: Services): Promise<Answer> {
	const id = readId(call);
	await getWebsite(postgres, call.principal, 'website.rename', id);
	const fields = validate(renamedWebsiteFields, nullAsEmpty(readFields(call.body, renamedFields)));
	return oneWebsite(
		200,
		await renameWebsite(postgres, now, call.principal, id, { fields, isExpected: isExpected(call) }),
	);
}

async function deleteAnswer(call: Call, { postgres, now }: Services): Promise<Answer> {
	const id = readId(call);
	await deleteWebsite(postgres, now, call.principal, id, isExpected(call));
	return json(200, { data: { id, object: 'website', deleted: true } });
}

export const websiteRoutes: readonly Route[] = [
	{
		methods: ['GET'],
		path: '/websites',
		action: 'websites.list',
		operationId: 'listWebsites',
		summary: 'List websites',
		about: 'The websites of the account, a page at a time.',
		query: listWebsitesQuery,
		answer: { status: 200, schema: list(websiteRecord), about: 'A page of websites.' },
		errors: ['validation_failed'],
		handle: listAnswer,
	},
	{
		methods: ['POST'],
		path: '/websites',
		action: 'websites.create',
		operationId: 'createWebsite',
		summary: 'Create a website',
		about: 'Starts a website under a domain that the account does not have yet.',
		body: createWebsiteBody,
		answer: { status: 201, schema: one(websiteRecord), about: 'The new website.' },
		errors: [
			'bad_request',
			'forbidden',
			'idempotency_conflict',
			'body_too_large',
			'unsupported_media_type',
			'validation_failed',
		],
		handle: createAnswer,
	},
	{
		methods: ['GET'],
		path: '/websites/:id',
		action: 'website.read',
		operationId: 'getWebsite',
		summary: 'Get a website',
		about: 'One website.',
		answer: { status: 200, schema: one(websiteRecord), about: 'The website.' },
		isTagged: true,
		errors: ['not_found'],
		handle: async (call, { postgres }) =>
			oneWebsite(200, await getWebsite(postgres, call.principal, 'website.read', readId(call))),
	},
	{
		methods: ['PUT', 'PATCH'],
		path: '/websites/:id',
		action: 'website.update',
		operationId: 'updateWebsite',
		summary: 'Update a website',
		about: 'Changes the fields that are sent. The domain is not among them: see rename.',
		body: updateWebsiteBody,
		answer: { status: 200, schema: one(websiteRecord), about: 'The website as it is now.' },
		errors: [
			'bad_request',
			'forbidden',
			'not_found',
			'precondition_failed',
			'body_too_large',
			'unsupported_media_type',
			'validation_failed',
		],
		handle: updateAnswer,
	},
	{
		methods: ['DELETE'],
		path: '/websites/:id',
		action: 'website.delete',
		operationId: 'deleteWebsite',
		summary: 'Delete a website',
		about: 'Deletes a website and its statistics. Its id is never given again.',
		answer: { status: 200, schema: one(deletedWebsite), about: 'It is gone.' },
		errors: ['forbidden', 'not_found', 'precondition_failed'],
		handle: deleteAnswer,
	},
	{
		methods: ['PUT', 'PATCH'],
		path: '/websites/:id/domain',
		action: 'website.rename',
		operationId: 'renameWebsite',
		summary: 'Rename a website',
		about: 'Gives a website another domain. Its id and statistics stay.',
		body: renameWebsiteBody,
		answer: { status: 200, schema: one(websiteRecord), about: 'The website under its new domain.' },
		errors: [
			'bad_request',
			'forbidden',
			'not_found',
			'precondition_failed',
			'body_too_large',
			'unsupported_media_type',
			'validation_failed',
		],
		handle: renameAnswer,
	},
];

import { list, singleRecord } from '../../../../api/envelopes.ts';
import {
	createWebsiteBody,
	deletedWebsite,
	listFields,
	listWebsitesQuery,
	renameWebsiteBody,
	template_id,
	updateWebsiteBody,
	type WebsiteRecord,
	websiteRecord,
} from '../../../../api/websites.ts';
import { accountOf, authorize, requirePermission } from '../../../accounts/authorize.ts';
import type { Principal } from '../../../accounts/principal.ts';
import { createFromTemplate } from '../../../items/bulk.ts';
import type { TemplateContent } from '../../../items/template-content.ts';
import { getNamedTemplate } from '../../../items/website-templates.ts';
import {
	changedWebsiteFields,
	newWebsiteFields,
	renamedWebsiteFields,
	withoutEmpty,
} from '../../../websites/fields.ts';
import type { LoadedWebsite } from '../../../websites/get-website.ts';
import { findListScope, listWebsites } from '../../../websites/list-websites.ts';
import {
	deleteWebsite,
	hashNewPassword,
	missingPassword,
	renameWebsite,
	updateWebsite,
} from '../../../websites/websites.ts';
import { knownFields, readFields } from '../../request/read-body.ts';
import { validate } from '../../request/validate.ts';
import { etagOf, matchesIfMatch } from '../etag.ts';
import { createOnce } from '../idempotency.ts';
import { paginate } from '../pagination.ts';
import {
	type AccountRoute,
	type ApiRequest,
	type ApiResponse,
	type ApiRoute,
	json,
	nullAsEmpty,
	type Services,
	type WebsiteRoute,
} from '../route.ts';

const newFields = knownFields(createWebsiteBody, listFields);
const changedFields = knownFields(updateWebsiteBody, listFields);
const renamedFields = knownFields(renameWebsiteBody);

export function toRecord(website: LoadedWebsite, principal: Principal): WebsiteRecord {
	return {
		id: website.id,
		domain: website.domain,
		privacy: website.privacy,
		has_password: website.passwordHash !== null,
		email: website.email ? 1 : 0,
		exclude_bots: website.excludeBots ? 1 : 0,
		exclude_params: website.excludeParams,
		exclude_ips: authorize(principal, 'website.addresses', website) === 'allowed' ? website.excludeIps : null,
		favorite: website.favorite ? 1 : 0,
		timezone: website.timezone,
		created_at: website.createdAt.toISOString(),
		updated_at: website.updatedAt.toISOString(),
	};
}

function oneWebsite(
	{ principal }: ApiRequest,
	status: number,
	website: LoadedWebsite,
	headers: Record<string, string> = {},
): ApiResponse {
	const response = json(status, { data: toRecord(website, principal) });
	return { ...response, headers: { ...headers, etag: etagOf(response.text) } };
}

/** Compares If-Match with the ETag of the GET response. */
const isExpected = (call: ApiRequest) => (website: LoadedWebsite) =>
	matchesIfMatch(call.header('if-match'), () =>
		etagOf(json(200, { data: toRecord(website, call.principal) }).text),
	);

const listHandler: AccountRoute['handle'] = async (call, { postgres }) => {
	return paginate(call, '/websites', listWebsitesQuery, async (query) => {
		const { websites, total } = await listWebsites(postgres, {
			...(await findListScope(postgres, call.principal)),
			search: query.search,
			favorite: query.favorite === undefined ? undefined : query.favorite === 1,
			labels: query.label,
			sortBy: query.sort_by,
			descending: query.sort === 'desc',
			page: query.page,
			perPage: query.per_page,
		});
		return { records: websites.map((website) => toRecord(website, call.principal)), total };
	});
};

const createHandler: AccountRoute['handle'] = async (call, services) => {
	const { principal } = call;
	const accountId = accountOf(principal);
	const body = withoutEmpty(readFields(call.body, newFields));
	return createOnce(
		call,
		services,
		{ path: '' },
		{
			async prepare() {
				const template = await findSentTemplate(call, services, body.template_id);
				const wanted = { ...template?.website, ...body };
				const fields = validate(newWebsiteFields, wanted, () => missingPassword(wanted, undefined));
				return { fields: { ...fields, passwordHash: await hashNewPassword(accountId, fields) }, template };
			},
			async run(tx, wanted) {
				const website = await createFromTemplate(tx, { now: services.now, principal }, wanted);
				const location = `${call.mountedAt}/websites/${website.id}`;
				return oneWebsite(call, 201, website, { location });
			},
		},
	);
};

/** The content of the template that the body names. An invalid id is refused with the other fields. */
export async function findSentTemplate(
	{ principal }: ApiRequest,
	{ postgres }: Pick<Services, 'postgres'>,
	sent: unknown,
): Promise<TemplateContent | undefined> {
	const id = template_id.safeParse(sent).data;
	if (id === undefined) return undefined;
	requirePermission(principal, 'templates.read');
	return (await getNamedTemplate(postgres, { accountId: accountOf(principal), id })).content;
}

const updateHandler: WebsiteRoute['handle'] = async (call, { postgres, now }) => {
	const { principal, website } = call;
	const body = nullAsEmpty(readFields(call.body, changedFields));
	const fields = validate(changedWebsiteFields, body, () => missingPassword(body, website));
	return oneWebsite(
		call,
		200,
		await updateWebsite(postgres, now, principal, website, { fields, isExpected: isExpected(call) }),
	);
};

const renameHandler: WebsiteRoute['handle'] = async (call, { postgres, now }) => {
	const { principal, website } = call;
	const fields = validate(renamedWebsiteFields, nullAsEmpty(readFields(call.body, renamedFields)));
	return oneWebsite(
		call,
		200,
		await renameWebsite(postgres, now, principal, website, { fields, isExpected: isExpected(call) }),
	);
};

const deleteHandler: WebsiteRoute['handle'] = async (call, { postgres, now }) => {
	const { id } = call.website;
	await deleteWebsite(postgres, now, call.principal, id, isExpected(call));
	return json(200, { data: { id, object: 'website', deleted: true } });
};

export const websiteRoutes: readonly ApiRoute[] = [
	{
		methods: ['GET'],
		path: '/websites',
		action: 'websites.list',
		operationId: 'listWebsites',
		summary: 'List websites',
		description: 'Returns the websites of the account, with pagination.',
		query: listWebsitesQuery,
		response: { status: 200, schema: list(websiteRecord), description: 'A page of websites.' },
		errors: ['validation_failed'],
		handle: listHandler,
	},
	{
		methods: ['POST'],
		path: '/websites',
		action: 'websites.create',
		operationId: 'createWebsite',
		summary: 'Create a website',
		description: 'Creates a website. The account must not have another website with this domain.',
		body: createWebsiteBody,
		response: {
			status: 201,
			schema: singleRecord(websiteRecord),
			description: 'The new website.',
			hasTag: true,
		},
		errors: [
			'bad_request',
			'idempotency_conflict',
			'body_too_large',
			'unsupported_media_type',
			'validation_failed',
		],
		handle: createHandler,
	},
	{
		methods: ['GET'],
		path: '/websites/:id',
		action: 'website.read',
		operationId: 'getWebsite',
		summary: 'Get a website',
		description: 'Returns a website.',
		response: { status: 200, schema: singleRecord(websiteRecord), description: 'The website.' },
		isTagged: true,
		errors: ['not_found'],
		handle: async (call) => oneWebsite(call, 200, call.website),
	},
	{
		methods: ['PUT', 'PATCH'],
		path: '/websites/:id',
		action: 'website.update',
		operationId: 'updateWebsite',
		summary: 'Update a website',
		description: 'Changes the fields that you send. To change the domain, rename the website.',
		body: updateWebsiteBody,
		response: {
			status: 200,
			schema: singleRecord(websiteRecord),
			description: 'The updated website.',
			hasTag: true,
		},
		errors: [
			'bad_request',
			'not_found',
			'precondition_failed',
			'body_too_large',
			'unsupported_media_type',
			'validation_failed',
		],
		handle: updateHandler,
	},
	{
		methods: ['DELETE'],
		path: '/websites/:id',
		action: 'website.delete',
		operationId: 'deleteWebsite',
		summary: 'Delete a website',
		description: 'Deletes a website and its statistics permanently. Its id is never reused.',
		response: { status: 200, schema: singleRecord(deletedWebsite), description: 'The website was deleted.' },
		errors: ['not_found', 'precondition_failed'],
		handle: deleteHandler,
	},
	{
		methods: ['PUT', 'PATCH'],
		path: '/websites/:id/domain',
		action: 'website.rename',
		operationId: 'renameWebsite',
		summary: 'Rename a website',
		description: 'Changes the domain of a website. Its id and statistics stay.',
		body: renameWebsiteBody,
		response: {
			status: 200,
			schema: singleRecord(websiteRecord),
			description: 'The renamed website.',
			hasTag: true,
		},
		errors: [
			'bad_request',
			'not_found',
			'precondition_failed',
			'body_too_large',
			'unsupported_media_type',
			'validation_failed',
		],
		handle: renameHandler,
	},
];

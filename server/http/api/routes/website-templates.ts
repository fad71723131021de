import { list, singleRecord } from '../../../../api/envelopes.ts';
import {
	createTemplateBody,
	deletedTemplate,
	listTemplatesQuery,
	maxTemplates,
	type TemplateRecord,
	templateRecord,
	updateTemplateBody,
} from '../../../../api/website-templates.ts';
import { accountOf, notFound } from '../../../accounts/authorize.ts';
import { holdOwnership } from '../../../accounts/owners.ts';
import { contentFields } from '../../../items/template-content.ts';
import {
	copyWebsite,
	createTemplate,
	deleteTemplate,
	findTemplate,
	listTemplates,
	updateTemplate,
	type WebsiteTemplate,
} from '../../../items/website-templates.ts';
import { AppError, invalid } from '../../../lib/app-error.ts';
import { readJsonBody } from '../../request/read-body.ts';
import { validateParts } from '../../request/validate.ts';
import { createOnce } from '../idempotency.ts';
import { paginate } from '../pagination.ts';
import { type AccountRoute, type ApiRequest, json, readId, type Services } from '../route.ts';

const { name, from_website_id } = createTemplateBody.shape;
const newFields = contentFields.extend({ name, from_website_id });
const changedFields = contentFields.extend({ name: name.optional() });

function toRecord({ id, name, content, createdAt, updatedAt }: WebsiteTemplate): TemplateRecord {
	const { website, settings, goals, funnels, segments, path_groups, traffic_rules } = content;
	return {
		id,
		name,
		website,
		settings,
		goals,
		funnels,
		segments,
		path_groups,
		traffic_rules,
		created_at: createdAt.toISOString(),
		updated_at: updatedAt.toISOString(),
	};
}

const templateOf = (call: ApiRequest) => ({
	accountId: accountOf(call.principal),
	id: readId(call, 'template_id'),
});

/** A website that does not exist looks like one that is hidden. */
async function copySent({ principal }: ApiRequest, { postgres }: Services, id: number | undefined) {
	if (id === undefined) return {};
	return copyWebsite(postgres, principal, id).catch((error: unknown) => {
		if (error instanceof AppError && error.code === 'not_found')
			throw invalid({ from_website_id: ['You have no website with this id.'] });
		throw error;
	});
}

const create: AccountRoute['handle'] = async (call, services) => {
	const body = readJsonBody(call.body);
	const accountId = accountOf(call.principal);
	return createOnce(
		call,
		services,
		{ path: '/website-templates\n' },
		{
			async prepare() {
				const { name, from_website_id: from, ...sent } = validateParts(newFields, body);
				return { name, content: { ...(await copySent(call, services, from)), ...sent } };
			},
			async run(tx, wanted) {
				await holdOwnership(tx, call.principal);
				const template = await createTemplate(tx, services.now, { accountId, ...wanted });
				const location = `${call.mountedAt}/website-templates/${template.id}`;
				return json(201, { data: toRecord(template) }, { location });
			},
		},
	);
};

const update: AccountRoute['handle'] = async (call, { postgres, now }) => {
	const of = templateOf(call);
	if (!(await findTemplate(postgres, of))) throw notFound();
	const { name, ...content } = validateParts(changedFields, readJsonBody(call.body));
	const template = await postgres.transaction(async (tx) => {
		await holdOwnership(tx, call.principal);
		return updateTemplate(tx, now, of, { name, content });
	});
	return json(200, { data: toRecord(template) });
};

export const templateRoutes: readonly AccountRoute[] = [
	{
		methods: ['GET'],
		path: '/website-templates',
		action: 'templates.read',
		operationId: 'listWebsiteTemplates',
		summary: 'List templates',
		description: 'Returns the templates for websites of the account, the latest first.',
		query: listTemplatesQuery,
		response: { status: 200, schema: list(templateRecord), description: 'A page of templates.' },
		errors: ['validation_failed'],
		handle: async (call, { postgres }) => {
			const accountId = accountOf(call.principal);
			return paginate(call, '/website-templates', listTemplatesQuery, async ({ page, per_page: perPage }) => {
				const templates = await listTemplates(postgres, accountId);
				const first = (page - 1) * perPage;
				return {
					records: templates.slice(first, first + perPage).map(toRecord),
					total: templates.length,
				};
			});
		},
	},
	{
		methods: ['POST'],
		path: '/website-templates',
		action: 'templates.change',
		operationId: 'createWebsiteTemplate',
		summary: 'Create a template',
		description: `Creates a template for websites, from scratch or from an existing website. An account has at most ${maxTemplates}.`,
		body: createTemplateBody,
		isBodyJson: true,
		response: { status: 201, schema: singleRecord(templateRecord), description: 'The new template.' },
		errors: [
			'bad_request',
			'idempotency_conflict',
			'body_too_large',
			'unsupported_media_type',
			'validation_failed',
		],
		handle: create,
	},
	{
		methods: ['GET'],
		path: '/website-templates/:template_id',
		action: 'templates.read',
		operationId: 'getWebsiteTemplate',
		summary: 'Get a template',
		description: 'Returns a template.',
		response: { status: 200, schema: singleRecord(templateRecord), description: 'The template.' },
		errors: ['not_found'],
		handle: async (call, { postgres }) => {
			const template = await findTemplate(postgres, templateOf(call));
			if (!template) throw notFound();
			return json(200, { data: toRecord(template) });
		},
	},
	{
		methods: ['PUT', 'PATCH'],
		path: '/website-templates/:template_id',
		action: 'templates.change',
		operationId: 'updateWebsiteTemplate',
		summary: 'Update a template',
		description: 'Replaces the parts that you send. Websites that were created from it stay as they are.',
		body: updateTemplateBody,
		isBodyJson: true,
		response: { status: 200, schema: singleRecord(templateRecord), description: 'The updated template.' },
		errors: ['bad_request', 'not_found', 'body_too_large', 'unsupported_media_type', 'validation_failed'],
		handle: update,
	},
	{
		methods: ['DELETE'],
		path: '/website-templates/:template_id',
		action: 'templates.change',
		operationId: 'deleteWebsiteTemplate',
		summary: 'Delete a template',
		description: 'Deletes a template. Websites that were created from it stay as they are.',
		response: {
			status: 200,
			schema: singleRecord(deletedTemplate),
			description: 'The template was deleted.',
		},
		errors: ['not_found'],
		handle: async (call, { postgres }) => {
			const of = templateOf(call);
			await postgres.transaction(async (tx) => {
				await holdOwnership(tx, call.principal);
				await deleteTemplate(tx, of);
			});
			return json(200, { data: { id: of.id, object: 'website_template', deleted: true } });
		},
	},
];

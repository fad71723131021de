import { singleRecord } from '../../../../api/envelopes.ts';
import {
	pathGroupsRecord,
	pathRulesBody,
	previewAnswer,
	proposalsAnswer,
} from '../../../../api/path-groups.ts';
import {
	type PathGroups,
	readPathGroups,
	undoneRules,
	updatePathGroups,
} from '../../../items/path-groups.ts';
import { listPaths, previewRules, type ViewedPath } from '../../../stats/page-groups/preview.ts';
import { proposeRules } from '../../../stats/page-groups/proposals.ts';
import type { PathRule } from '../../../stats/page-groups/rules.ts';
import { parseQuestion } from '../../../stats/question/parse-question.ts';
import { getStatsContext } from '../../../stats/question/stats-context.ts';
import { knownFields, readFields } from '../../request/read-body.ts';
import { validate } from '../../request/validate.ts';
import { etagOf, matchesIfMatch } from '../etag.ts';
import { type ApiResponse, json, type Services, type WebsiteRequest, type WebsiteRoute } from '../route.ts';
import { toMeta } from '../stats-meta.ts';

const fields = knownFields(pathRulesBody);
const readRules = ({ body }: WebsiteRequest) => validate(pathRulesBody, readFields(body, fields)).rules;

function toResponse({ rules, updatedAt }: PathGroups): ApiResponse {
	const record = {
		// JSON of PostgreSQL has its own order of members.
		rules: rules.map(({ pattern, target }) => ({ pattern, target })),
		can_undo: updatedAt !== null,
		updated_at: updatedAt?.toISOString() ?? null,
	};
	const response = json(200, { data: record });
	return { ...response, headers: { etag: etagOf(response.text) } };
}

async function change(
	call: WebsiteRequest,
	{ postgres, now }: Services,
	toRules: Parameters<typeof updatePathGroups>[2],
): Promise<ApiResponse> {
	const { principal, website } = call;
	const isExpected = (stored: PathGroups) =>
		matchesIfMatch(call.header('if-match'), () => etagOf(toResponse(stored).text));
	return toResponse(
		await updatePathGroups({ postgres, now, principal, websiteId: website.id }, isExpected, toRules),
	);
}

/** Compares the paths of the last 30 days with rules. */
async function comparePaths<Result>(
	{ principal, website, signal }: WebsiteRequest,
	services: Services,
	compare: (
		paths: readonly ViewedPath[],
		stored: readonly PathRule[],
		ending: AbortSignal,
	) => Promise<Result>,
) {
	const { postgres, stats, now } = services;
	stats.assertCapacity(website.id, principal);
	const { question } = parseQuestion(
		await getStatsContext(postgres, principal, website),
		{
			period: '30d',
			from: undefined,
			to: undefined,
			filters: [],
			metrics: [],
			goal: undefined,
			series: null,
			breakdowns: [],
		},
		now(),
	);
	const { from, to } = question.span;
	return stats.runBounded({ principal, websiteId: website.id, signal }, async (engine, ending) => {
		const { paths, total, meta } = await listPaths(question, engine, ending);
		return {
			found: await compare(paths, question.website.pathRules, ending),
			compared: paths.length,
			total,
			meta: { from, to, ...toMeta(question, meta, now()) },
		};
	});
}

const path = '/websites/:id/path-groups';

export const pathGroupRoutes: readonly WebsiteRoute[] = [
	{
		methods: ['GET'],
		path,
		action: 'website.settings',
		operationId: 'getPathGroups',
		summary: 'Get the page groups of a website',
		description: 'Returns the rules of the dimension `page_group`.',
		response: { status: 200, schema: singleRecord(pathGroupsRecord), description: 'The rules.' },
		isTagged: true,
		errors: ['not_found'],
		handle: async ({ website }, { postgres }) => toResponse(await readPathGroups(postgres, website.id)),
	},
	{
		methods: ['PUT'],
		path,
		action: 'website.update',
		operationId: 'updatePathGroups',
		summary: 'Update the page groups of a website',
		description: 'Replaces all rules. They also apply to past data.',
		body: pathRulesBody,
		response: {
			status: 200,
			schema: singleRecord(pathGroupsRecord),
			description: 'The rules.',
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
		handle: async (call, services) => {
			const rules = readRules(call);
			return change(call, services, () => rules);
		},
	},
	{
		methods: ['POST'],
		path: `${path}/undo`,
		action: 'website.update',
		operationId: 'undoPathGroups',
		summary: 'Undo the last change to page groups',
		description:
			'Restores the rules from before the last change; statistics follow. A second undo restores the changed rules.',
		response: {
			status: 200,
			schema: singleRecord(pathGroupsRecord),
			description: 'The restored rules.',
			hasTag: true,
		},
		errors: ['not_found', 'precondition_failed', 'validation_failed'],
		handle: async (call, services) => change(call, services, undoneRules),
	},
	{
		methods: ['POST'],
		path: `${path}/preview`,
		action: 'website.settings',
		operationId: 'previewPathGroups',
		summary: 'Preview page groups',
		description:
			'Shows which paths of the last 30 days the sent rules would group. This request changes nothing: read-only keys can send it.',
		body: pathRulesBody,
		response: { status: 200, schema: previewAnswer, description: 'What each rule groups.' },
		errors: [
			'bad_request',
			'not_found',
			'body_too_large',
			'unsupported_media_type',
			'validation_failed',
			'unavailable',
		],
		handle: async (call, services) => {
			const rules = readRules(call);
			const { found, compared, total, meta } = await comparePaths(call, services, (paths, _stored, ending) =>
				previewRules(rules, paths, ending),
			);
			return json(200, { data: { ...found, paths: total, compared }, meta });
		},
	},
	{
		methods: ['GET'],
		path: `${path}/proposals`,
		action: 'website.settings',
		operationId: 'proposePathGroups',
		summary: 'Get suggested rules for page groups',
		description:
			'Suggests rules for the paths of the last 30 days that no rule groups: where many segments look like ids or dates, or there are very many.',
		response: {
			status: 200,
			schema: proposalsAnswer,
			description: 'Up to 20 rules, those with the most page views first.',
		},
		errors: ['not_found', 'unavailable'],
		handle: async (call, services) => {
			const { found, meta } = await comparePaths(call, services, proposeRules);
			return json(200, { data: found, meta });
		},
	},
];

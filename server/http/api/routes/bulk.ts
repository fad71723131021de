/**
 * Many websites in one request. One request of an account runs at a time, in as few turns as a connection has, and it ends after
 * a time: what is left then has an error that says so. So no account keeps others waiting.
 */
import type { z } from 'zod';
import {
	type BulkResult,
	bulkAnswer,
	bulkChangeBody,
	bulkCreateBody,
	bulkCreateFields,
	maxBulk,
} from '../../../../api/bulk.ts';
import { errorCodes } from '../../../../api/errors.ts';
import { listOf } from '../../../../api/website-templates.ts';
import { accountOf } from '../../../accounts/authorize.ts';
import { changeOne, createOne } from '../../../items/bulk.ts';
import { newGoalFields } from '../../../items/goals.ts';
import { AppError, invalid } from '../../../lib/app-error.ts';
import { createKeyedSemaphore } from '../../../lib/keyed-semaphore.ts';
import { changedWebsiteFields, newWebsiteFields, withoutEmpty } from '../../../websites/fields.ts';
import type { LoadedWebsite } from '../../../websites/get-website.ts';
import { findIdsByLabels } from '../../../websites/list-websites.ts';
import { changedSettingsFields } from '../../../websites/settings.ts';
import { missingPassword } from '../../../websites/websites.ts';
import { describeProblem } from '../../request/problem.ts';
import { readJsonBody } from '../../request/read-body.ts';
import { validate, validateParts } from '../../request/validate.ts';
import { createOnce } from '../idempotency.ts';
import { type AccountRoute, type ApiRequest, type ApiResponse, json, type Services } from '../route.ts';
import { findSentTemplate, toRecord } from './websites.ts';

/** Shorter than the time that proxies usually wait. */
const maxMs = 30_000;

/** A website can have half a megabyte of excluded parameters and addresses. */
const maxResponseLength = 8 * 1024 * 1024;

/** So many websites count as one request for the rate limit. */
const websitesPerRequest = 10;

const ofAccount = createKeyedSemaphore({ running: 1, waiting: 0, waitMs: 0 });
/** Each request takes up to two connections to PostgreSQL. */
const ofProcess = createKeyedSemaphore({ running: 4, waiting: 100, waitMs: 10_000 });

async function inTurn<T>({ principal, signal }: ApiRequest, work: () => Promise<T>): Promise<T> {
	const releaseAccount = await ofAccount.take(String(accountOf(principal)), signal);
	if (!releaseAccount)
		throw new AppError(
			'too_many_requests',
			'Another bulk request of the account is running. Try again when it is done.',
			{ retryAfterSeconds: 2 },
		);
	try {
		const releaseProcess = await ofProcess.take('all', signal);
		if (!releaseProcess) throw new AppError('unavailable', 'Too many bulk requests are running.');
		try {
			return await work();
		} finally {
			releaseProcess();
		}
	} finally {
		releaseAccount();
	}
}

/** Runs the work for one website after another, in the order of the request. */
async function forEachWebsite<Entry>(
	call: ApiRequest,
	{ now, collect }: Services,
	entries: readonly Entry[],
	work: {
		status: number;
		idOf(entry: Entry): number | null;
		run(entry: Entry): Promise<LoadedWebsite>;
	},
): Promise<ApiResponse> {
	call.charge(Math.max(0, Math.ceil(entries.length / websitesPerRequest) - 1));
	const endsAt = now().getTime() + maxMs;
	const results: BulkResult[] = [];
	let length = 0;
	for (const entry of entries) {
		try {
			if (now().getTime() >= endsAt || length >= maxResponseLength)
				throw new AppError(
					'unavailable',
					'The request took too long, or its response is too long. Send the rest of it again.',
				);
			const website = await work.run(entry);
			collect.websites.forget(website.id);
			const data = toRecord(website, call.principal);
			length += (data.exclude_params?.length ?? 0) + (data.exclude_ips?.length ?? 0);
			results.push({ id: website.id, status: work.status, data });
		} catch (error) {
			if (!(error instanceof AppError)) throw error;
			const { text } = describeProblem(error);
			results.push({ id: work.idOf(entry), status: errorCodes[error.code], error: JSON.parse(text) });
		}
	}
	const failed = results.filter(({ error }) => error !== undefined).length;
	return json(200, {
		data: results,
		meta: { total: results.length, succeeded: results.length - failed, failed },
	});
}

const changeFields = bulkChangeBody.extend({
	website: changedWebsiteFields.omit({ password: true }).optional(),
	settings: changedSettingsFields.omit({ recipients: true }).optional(),
	goals: listOf('goals', newGoalFields).optional(),
});

/** Hashing a thousand passwords takes a minute of a core. */
function refusePassword(part: unknown, field: string): void {
	if (typeof part === 'object' && part !== null && 'password' in part)
		throw invalid({ [field]: ['A password cannot be set for many websites at once.'] });
}

const change: AccountRoute['handle'] = async (call, services) => {
	const body = readJsonBody(call.body);
	refusePassword(body.website, 'website');
	const fields = validateParts(changeFields, body);
	const template = await findSentTemplate(call, services, fields.template_id);
	const ids = await selectWebsites(call, services, fields);
	const wanted = {
		template,
		website: fields.website,
		settings: fields.settings,
		addLabels: fields.add_labels ?? [],
		removeLabels: fields.remove_labels ?? [],
		goals: fields.goals ?? [],
	};
	const { postgres, now } = services;
	const context = { postgres, now, principal: call.principal };
	return inTurn(call, () =>
		forEachWebsite(call, services, ids, {
			status: 200,
			idOf: (id) => id,
			run: (id) => changeOne(context, id, wanted),
		}),
	);
};

async function selectWebsites(
	{ principal }: ApiRequest,
	{ postgres }: Services,
	{ website_ids: ids, labels }: Pick<z.output<typeof changeFields>, 'website_ids' | 'labels'>,
): Promise<readonly number[]> {
	if ((ids === undefined) === (labels === undefined))
		throw invalid({ website_ids: ['Send either website_ids or labels.'] });
	if (ids) return [...new Set(ids)];
	const found = await findIdsByLabels(postgres, principal, labels ?? [], maxBulk + 1);
	if (found.length <= maxBulk) return found;
	const most = maxBulk.toLocaleString('en');
	throw invalid({ labels: [`More than ${most} websites have one of these labels. Send website_ids.`] });
}

const create: AccountRoute['handle'] = async (call, services) => {
	const { postgres, now } = services;
	const context = { postgres, now, principal: call.principal };
	const body = readJsonBody(call.body);
	return inTurn(call, () =>
		createOnce(
			call,
			services,
			{ path: '/bulk/websites\n' },
			{
				async prepare() {
					const { websites, template_id } = validateParts(bulkCreateFields, body);
					return { websites, template: await findSentTemplate(call, services, template_id) };
				},
				// Each website is committed by itself. The caller's transaction stores the response.
				run: (_tx, { websites, template }) =>
					forEachWebsite(call, services, websites, {
						status: 201,
						idOf: () => null,
						run: async (sent) => {
							refusePassword(sent, 'password');
							const wanted = { ...template?.website, ...withoutEmpty(sent) };
							const fields = validate(newWebsiteFields, wanted, () => missingPassword(wanted, undefined));
							return createOne(context, { fields, template });
						},
					}),
			},
		),
	);
};

export const bulkRoutes: readonly AccountRoute[] = [
	{
		methods: ['POST'],
		path: '/bulk/websites',
		action: 'websites.create',
		operationId: 'createWebsites',
		summary: 'Create many websites',
		description: `Creates up to ${maxBulk.toLocaleString('en')} websites, each by itself. The results are in the order of the request.`,
		body: bulkCreateBody,
		isBodyJson: true,
		isAuditedByItself: true,
		response: { status: 200, schema: bulkAnswer, description: 'A result for each website.' },
		errors: [
			'bad_request',
			'idempotency_conflict',
			'body_too_large',
			'unsupported_media_type',
			'validation_failed',
			'unavailable',
		],
		handle: create,
	},
	{
		methods: ['PUT', 'PATCH'],
		path: '/bulk/websites',
		action: 'websites.change',
		operationId: 'updateWebsites',
		summary: 'Update many websites',
		description: `Changes settings, labels and goals of up to ${maxBulk.toLocaleString('en')} websites, each by itself. Repeating it changes nothing more.`,
		body: bulkChangeBody,
		isBodyJson: true,
		isAuditedByItself: true,
		response: { status: 200, schema: bulkAnswer, description: 'A result for each website, in their order.' },
		errors: ['bad_request', 'body_too_large', 'unsupported_media_type', 'validation_failed', 'unavailable'],
		handle: change,
	},
];

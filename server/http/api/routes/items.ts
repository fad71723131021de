import type { z } from 'zod';
import {
	alertRecord,
	createAlertBody,
	deletedAlert,
	listAlertsQuery,
	testedAlert,
	updateAlertBody,
} from '../../../../api/alerts.ts';
import { list, type pageParameters, singleRecord } from '../../../../api/envelopes.ts';
import type { ErrorCode } from '../../../../api/errors.ts';
import {
	createFunnelBody,
	deletedFunnel,
	funnelRecord,
	listFunnelsQuery,
	updateFunnelBody,
} from '../../../../api/funnels.ts';
import {
	createGoalBody,
	deletedGoal,
	goalRecord,
	listGoalsQuery,
	updateGoalBody,
} from '../../../../api/goals.ts';
import {
	createNoteBody,
	deletedNote,
	listNotesQuery,
	noteRecord,
	updateNoteBody,
} from '../../../../api/notes.ts';
import {
	createSegmentBody,
	deletedSegment,
	listSegmentsQuery,
	segmentRecord,
	updateSegmentBody,
} from '../../../../api/segments.ts';
import { funnels } from '../../../items/funnels.ts';
import { goals } from '../../../items/goals.ts';
import {
	type Collection,
	createItem,
	deleteItem,
	getItem,
	type Item,
	type ItemContext,
	type ItemFields,
	listItems,
	type ParseBody,
	updateItem,
} from '../../../items/items.ts';
import { notes, notesWithin } from '../../../items/notes.ts';
import { segments } from '../../../items/segments.ts';
import { alertNames, alertsIn, decryptAlertSecret } from '../../../notify/alerts.ts';
import { sendTestNotification } from '../../../notify/notify.ts';
import type { Sql } from '../../../store/sql.ts';
import { type KnownFields, knownFields, readFields } from '../../request/read-body.ts';
import { validate } from '../../request/validate.ts';
import { etagOf, matchesIfMatch } from '../etag.ts';
import { createOnce } from '../idempotency.ts';
import { paginate } from '../pagination.ts';
import {
	type ApiRequest,
	type ApiResponse,
	json,
	nullAsEmpty,
	readId,
	type Services,
	type WebsiteRequest,
	type WebsiteRoute,
} from '../route.ts';

type SharedAction = 'items.conversions' | 'items.texts';

/** How the API exposes a collection. */
type Resource<F extends ItemFields, Q extends z.ZodObject<typeof pageParameters>> = {
	names: Pick<Collection<F>, 'singular' | 'plural' | 'changeAction' | 'maxPerWebsite'>;
	/** A function, because some collections need services, or a password that must be hashed before the transaction. */
	collection(services: Services, password?: string | null): Collection<F>;
	/** Slow work on the body of a create or an update. */
	prepare?(call: WebsiteRequest): Promise<string | null | undefined>;
	/** Other records may refer to an item. */
	isNeeded?: true;
	/** Whoever reads its record gets access, so it is encrypted where it is kept for idempotency. */
	hasSecret?: true;
	/** Goals and the like are part of the statistics, and public with them. */
	readAction: SharedAction | 'website.settings' | 'website.addresses' | 'links.read';
	toRecord?(item: Item<F>, services: Services): Readonly<Record<string, unknown>>;
	/** Fields that only the response to the create has. */
	created?(
		item: Item<F>,
		services: Services,
		websiteId: number,
	): Readonly<Record<string, unknown>> | undefined;
	description: string;
	query: Q;
	conditions(query: z.output<Q>): readonly Sql[];
	newBody: z.ZodObject;
	changedBody: z.ZodObject;
	record: z.ZodType;
	deleted: z.ZodType;
};

const contextOf = ({ principal, website }: WebsiteRequest, { postgres, now }: Services): ItemContext => ({
	postgres,
	now,
	principal,
	websiteId: website.id,
});

/** Fields of items have the same names in the API and in the code, except the timestamps. */
const toItemRecord = <F extends ItemFields>({ createdAt, updatedAt, ...item }: Item<F>) => ({
	...item,
	created_at: createdAt.toISOString(),
	updated_at: updatedAt.toISOString(),
});

function oneRecord(status: number, record: object, headers: Record<string, string> = {}): ApiResponse {
	const response = json(status, { data: record });
	return { ...response, headers: { ...headers, etag: etagOf(response.text) } };
}

export const bodyParser =
	(call: ApiRequest, fields: KnownFields): ParseBody =>
	(rules) =>
		validate(rules, nullAsEmpty(readFields(call.body, fields)));

export const bodyErrors: readonly ErrorCode[] = [
	'bad_request',
	'not_found',
	'body_too_large',
	'unsupported_media_type',
	'validation_failed',
];

export function routesOf<F extends ItemFields, Q extends z.ZodObject<typeof pageParameters>>(
	resource: Resource<F, Q>,
): WebsiteRoute[] {
	const { names, record, readAction, collection, toRecord = toItemRecord } = resource;
	const name = names.plural.replaceAll(' ', '-');
	const listPath = `/websites/:id/${name}` as const;
	const itemPath = `${listPath}/:item_id` as const;
	const capital = (text: string) => text.replace(/(?:^| )\w/g, (letter) => letter.trim().toUpperCase());
	const newFields = knownFields(resource.newBody);
	const changedFields = knownFields(resource.changedBody);
	const Singular = capital(names.singular);
	const anItem = `${/^[aeiou]/.test(names.singular) ? 'an' : 'a'} ${names.singular}`;
	const isExpected = (call: ApiRequest, services: Services) => (item: Item<F>) =>
		matchesIfMatch(call.header('if-match'), () => etagOf(oneRecord(200, toRecord(item, services)).text));
	return [
		{
			methods: ['GET'],
			path: listPath,
			action: readAction,
			operationId: `list${capital(names.plural)}`,
			summary: `List ${names.plural}`,
			description: resource.description,
			query: resource.query,
			response: { status: 200, schema: list(record), description: `A page of ${names.plural}.` },
			errors: ['not_found', 'validation_failed'],
			handle: async (call, services) => {
				const { website } = call;
				return paginate(call, `/websites/${website.id}/${name}`, resource.query, async (query) => {
					const conditions = resource.conditions(query);
					const request = { page: query.page, perPage: query.per_page, conditions };
					const { items, total } = await listItems(services.postgres, collection(services), website, request);
					return { records: items.map((item) => toRecord(item, services)), total };
				});
			},
		},
		{
			methods: ['POST'],
			path: listPath,
			action: names.changeAction,
			operationId: `create${Singular}`,
			summary: `Create ${anItem}`,
			description: `${resource.description} A website has at most ${names.maxPerWebsite.toLocaleString('en')}.`,
			body: resource.newBody,
			response: {
				status: 201,
				schema: singleRecord(record),
				description: `The new ${names.singular}.`,
				hasTag: true,
			},
			errors: [...bodyErrors, 'idempotency_conflict'],
			handle: async (call, services) => {
				const context = contextOf(call, services);
				const { websiteId } = context;
				const path = `/websites/${websiteId}/${name}`;
				return createOnce(
					call,
					services,
					{ path: `${path}\n` },
					{
						prepare: async () => resource.prepare?.(call),
						async run(tx, password) {
							const created = collection(services, password);
							const item = await createItem(tx, context, created, bodyParser(call, newFields));
							const secrets = resource.created?.(item, services, websiteId);
							const location = `${call.mountedAt}${path}/${item.id}`;
							const response = oneRecord(201, { ...toRecord(item, services), ...secrets }, { location });
							return secrets || resource.hasSecret ? { ...response, hasSecret: true } : response;
						},
					},
				);
			},
		},
		{
			methods: ['GET'],
			path: itemPath,
			action: readAction,
			operationId: `get${Singular}`,
			summary: `Get ${anItem}`,
			description: `Returns ${anItem}.`,
			response: { status: 200, schema: singleRecord(record), description: `The ${names.singular}.` },
			isTagged: true,
			errors: ['not_found'],
			handle: async (call, services) =>
				oneRecord(
					200,
					toRecord(
						await getItem(services.postgres, collection(services), call.website.id, readId(call, 'item_id')),
						services,
					),
				),
		},
		{
			methods: ['PUT', 'PATCH'],
			path: itemPath,
			action: names.changeAction,
			operationId: `update${Singular}`,
			summary: `Update ${anItem}`,
			description: 'Changes the fields that you send.',
			body: resource.changedBody,
			response: {
				status: 200,
				schema: singleRecord(record),
				description: `The updated ${names.singular}.`,
				hasTag: true,
			},
			errors: [...bodyErrors, 'precondition_failed'],
			handle: async (call, services) => {
				const change = {
					parseBody: bodyParser(call, changedFields),
					isExpected: isExpected(call, services),
				};
				const id = readId(call, 'item_id');
				const updated = collection(services, await resource.prepare?.(call));
				return oneRecord(
					200,
					toRecord(await updateItem(contextOf(call, services), updated, id, change), services),
				);
			},
		},
		{
			methods: ['DELETE'],
			path: itemPath,
			action: names.changeAction,
			operationId: `delete${Singular}`,
			summary: `Delete ${anItem}`,
			description: resource.isNeeded ? `Deletes ${anItem} that nothing else uses.` : `Deletes ${anItem}.`,
			response: {
				status: 200,
				schema: singleRecord(resource.deleted),
				description: `The ${names.singular} was deleted.`,
			},
			errors: [
				'not_found',
				'precondition_failed',
				...(resource.isNeeded ? ['validation_failed' as const] : []),
			],
			handle: async (call, services) => {
				const id = readId(call, 'item_id');
				await deleteItem(contextOf(call, services), collection(services), id, isExpected(call, services));
				return json(200, { data: { id, object: names.singular.replaceAll(' ', '_'), deleted: true } });
			},
		},
	];
}

export const noConditions = () => [];

/** A collection that is public with the statistics. */
const shared = <F extends ItemFields>(collection: Collection<F>, readAction: SharedAction) => ({
	names: collection,
	collection: () => collection,
	readAction,
});

export const itemRoutes: readonly WebsiteRoute[] = [
	...routesOf({
		...shared(goals, 'items.conversions'),
		isNeeded: true,
		description: 'A goal is a page or an event that counts as a conversion. It also applies to past data.',
		query: listGoalsQuery,
		conditions: noConditions,
		newBody: createGoalBody,
		changedBody: updateGoalBody,
		record: goalRecord,
		deleted: deletedGoal,
	}),
	...routesOf({
		...shared(funnels, 'items.conversions'),
		description: 'A funnel is a list of steps that visitors should complete in order.',
		query: listFunnelsQuery,
		conditions: noConditions,
		newBody: createFunnelBody,
		changedBody: updateFunnelBody,
		record: funnelRecord,
		deleted: deletedFunnel,
	}),
	...routesOf({
		...shared(segments, 'items.texts'),
		description: 'A segment is a saved filter.',
		query: listSegmentsQuery,
		conditions: noConditions,
		newBody: createSegmentBody,
		changedBody: updateSegmentBody,
		record: segmentRecord,
		deleted: deletedSegment,
	}),
	...routesOf({
		...shared(notes, 'items.texts'),
		description: 'A note describes what happened on a day. The latest day comes first.',
		query: listNotesQuery,
		conditions: notesWithin,
		newBody: createNoteBody,
		changedBody: updateNoteBody,
		record: noteRecord,
		deleted: deletedNote,
	}),
	...routesOf({
		names: alertNames,
		collection: ({ alerts }) => alertsIn(alerts.vault),
		readAction: 'website.settings',
		toRecord: ({ url: _url, secret: _secret, url_shown: url, ...alert }) => ({
			...toItemRecord(alert),
			url,
			last_fired_at: alert.last_fired_at?.toISOString() ?? null,
		}),
		created: ({ secret }, { alerts }, websiteId) =>
			secret === null ? undefined : { secret: decryptAlertSecret(alerts.vault, websiteId, secret) },
		description: 'An alert notifies you by email or webhook when something happens on a website.',
		query: listAlertsQuery,
		conditions: noConditions,
		newBody: createAlertBody,
		changedBody: updateAlertBody,
		record: alertRecord,
		deleted: deletedAlert,
	}),
	{
		methods: ['POST'],
		path: '/websites/:id/alerts/:item_id/test',
		action: 'website.administer',
		operationId: 'testAlert',
		summary: 'Test an alert',
		description:
			'Sends a test message to the destination of the alert, at most once a minute. Test mails go only to the owner.',
		response: { status: 200, schema: singleRecord(testedAlert), description: 'The test message was queued.' },
		errors: ['not_found', 'too_many_requests', 'unavailable'],
		handle: async (call, { postgres, alerts }) => {
			const id = readId(call, 'item_id');
			await postgres.transaction((tx) =>
				sendTestNotification(tx, alerts, { websiteId: call.website.id, id }),
			);
			return json(200, { data: { id, object: 'alert', tested: true } });
		},
	},
];

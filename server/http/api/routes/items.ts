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
	type About,
	type Collection,
	createItem,
	deleteItem,
	getItem,
	type Item,
	listItems,
	type Place,
	type Read,
	updateItem,
} from '../../../items/items.ts';
import { notes, notesWithin } from '../../../items/notes.ts';
import { segments } from '../../../items/segments.ts';
import { alertNames, alertsIn, decryptAlertSecret } from '../../../notify/alerts.ts';
import { sendTestNotification } from '../../../notify/notify.ts';
import type { Sql } from '../../../store/sql.ts';
import { getWebsite } from '../../../websites/websites.ts';
import { type KnownFields, knownFields, readFields } from '../../request/read-body.ts';
import { validate } from '../../request/validate.ts';
import { etagOf, matchesIfMatch } from '../etag.ts';
import { createOnce } from '../idempotency.ts';
import { paginate } from '../pagination.ts';
import {
	type ApiRequest,
	type ApiResponse,
	type ApiRoute,
	json,
	nullAsEmpty,
	readId,
	type Services,
} from '../route.ts';

/** How the API exposes a collection. */
type Resource<A extends About, Q extends z.ZodObject<typeof pageParameters>> = {
	names: Pick<Collection<A>, 'one' | 'many' | 'changing' | 'most'>;
	/** A function, because some collections need services. */
	collection(services: Services): Collection<A>;
	/** Other records may refer to an item. */
	isNeeded?: true;
	/** Goals and the like are part of the statistics, and public with them. */
	reading: 'stats.read' | 'website.read';
	shown?(item: Item<A>): Readonly<Record<string, unknown>>;
	/** Fields that only the response to the create has. */
	created?(
		item: Item<A>,
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

const placeOf = (call: ApiRequest, { postgres, now }: Services): Place => ({
	postgres,
	now,
	principal: call.principal,
	websiteId: readId(call),
});

/** Fields of items have the same names in the API and in the code, except the timestamps. */
const toRecord = <A extends About>({ createdAt, updatedAt, ...item }: Item<A>) => ({
	...item,
	created_at: createdAt.toISOString(),
	updated_at: updatedAt.toISOString(),
});

function oneRecord(status: number, record: object, headers: Record<string, string> = {}): ApiResponse {
	const answer = json(status, { data: record });
	return { ...answer, headers: { ...headers, etag: etagOf(answer.text) } };
}

const readBody =
	(call: ApiRequest, fields: KnownFields): Read =>
	(rules) =>
		validate(rules, nullAsEmpty(readFields(call.body, fields)));

const bodyErrors: readonly ErrorCode[] = [
	'bad_request',
	'forbidden',
	'not_found',
	'body_too_large',
	'unsupported_media_type',
	'validation_failed',
];

function routesOf<A extends About, Q extends z.ZodObject<typeof pageParameters>>(
	resource: Resource<A, Q>,
): ApiRoute[] {
	const { names, record, reading, collection, shown = toRecord } = resource;
	const all = `/websites/:id/${names.many}` as const;
	const single = `${all}/:item_id` as const;
	const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
	const newFields = knownFields(resource.newBody);
	const changedFields = knownFields(resource.changedBody);
	const One = capital(names.one);
	const anItem = `${/^[aeiou]/.test(names.one) ? 'an' : 'a'} ${names.one}`;
	const isExpected = (call: ApiRequest) => (item: Item<A>) =>
		matchesIfMatch(call.header('if-match'), () => etagOf(oneRecord(200, shown(item)).text));
	return [
		{
			methods: ['GET'],
			path: all,
			action: reading,
			operationId: `list${capital(names.many)}`,
			summary: `List ${names.many}`,
			description: resource.description,
			query: resource.query,
			response: { status: 200, schema: list(record), description: `A page of ${names.many}.` },
			errors: ['not_found', 'validation_failed'],
			handle: async (call, services) => {
				const { postgres } = services;
				const website = await getWebsite(postgres, call.principal, reading, readId(call));
				return paginate(call, `/websites/${website.id}/${names.many}`, resource.query, async (query) => {
					const conditions = resource.conditions(query);
					const request = { page: query.page, perPage: query.per_page, conditions };
					const { items, total } = await listItems(postgres, collection(services), website, request);
					return { records: items.map(shown), total };
				});
			},
		},
		{
			methods: ['POST'],
			path: all,
			action: names.changing,
			operationId: `create${One}`,
			summary: `Create ${anItem}`,
			description: `${resource.description} A website has at most ${names.most.toLocaleString('en')}.`,
			body: resource.newBody,
			response: {
				status: 201,
				schema: singleRecord(record),
				description: `The new ${names.one}.`,
				hasTag: true,
			},
			errors: [...bodyErrors, 'idempotency_conflict'],
			handle: async (call, services) => {
				const place = placeOf(call, services);
				const { websiteId } = place;
				// Before a stored response could be replayed.
				await getWebsite(services.postgres, call.principal, names.changing, websiteId);
				const path = `/websites/${websiteId}/${names.many}`;
				return createOnce(
					call,
					services,
					{ path: `${path}\n` },
					{
						prepare: async () => undefined,
						async run(tx) {
							const item = await createItem(tx, place, collection(services), readBody(call, newFields));
							const once = resource.created?.(item, services, websiteId);
							const location = `${call.mountedAt}${path}/${item.id}`;
							const answer = oneRecord(201, { ...shown(item), ...once }, { location });
							return once ? { ...answer, hasSecret: true } : answer;
						},
					},
				);
			},
		},
		{
			methods: ['GET'],
			path: single,
			action: reading,
			operationId: `get${One}`,
			summary: `Get ${anItem}`,
			description: `Returns ${anItem}.`,
			response: { status: 200, schema: singleRecord(record), description: `The ${names.one}.` },
			isTagged: true,
			errors: ['not_found'],
			handle: async (call, services) =>
				oneRecord(
					200,
					shown(
						await getItem(placeOf(call, services), collection(services), reading, readId(call, 'item_id')),
					),
				),
		},
		{
			methods: ['PUT', 'PATCH'],
			path: single,
			action: names.changing,
			operationId: `update${One}`,
			summary: `Update ${anItem}`,
			description: 'Changes the fields that you send.',
			body: resource.changedBody,
			response: {
				status: 200,
				schema: singleRecord(record),
				description: `The updated ${names.one}.`,
				hasTag: true,
			},
			errors: [...bodyErrors, 'precondition_failed'],
			handle: async (call, services) => {
				const change = { read: readBody(call, changedFields), isExpected: isExpected(call) };
				const id = readId(call, 'item_id');
				return oneRecord(
					200,
					shown(await updateItem(placeOf(call, services), collection(services), id, change)),
				);
			},
		},
		{
			methods: ['DELETE'],
			path: single,
			action: names.changing,
			operationId: `delete${One}`,
			summary: `Delete ${anItem}`,
			description: resource.isNeeded ? `Deletes ${anItem} that nothing else uses.` : `Deletes ${anItem}.`,
			response: {
				status: 200,
				schema: singleRecord(resource.deleted),
				description: `The ${names.one} was deleted.`,
			},
			errors: [
				'forbidden',
				'not_found',
				'precondition_failed',
				...(resource.isNeeded ? ['validation_failed' as const] : []),
			],
			handle: async (call, services) => {
				const id = readId(call, 'item_id');
				await deleteItem(placeOf(call, services), collection(services), id, isExpected(call));
				return json(200, { data: { id, object: names.one, deleted: true } });
			},
		},
	];
}

const noConditions = () => [];

/** A collection that is public with the statistics. */
const shared = <A extends About>(collection: Collection<A>) => ({
	names: collection,
	collection: () => collection,
	reading: 'stats.read' as const,
});

export const itemRoutes: readonly ApiRoute[] = [
	...routesOf({
		...shared(goals),
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
		...shared(funnels),
		description: 'A funnel is a list of steps that visitors should complete in order.',
		query: listFunnelsQuery,
		conditions: noConditions,
		newBody: createFunnelBody,
		changedBody: updateFunnelBody,
		record: funnelRecord,
		deleted: deletedFunnel,
	}),
	...routesOf({
		...shared(segments),
		description: 'A segment is a saved filter.',
		query: listSegmentsQuery,
		conditions: noConditions,
		newBody: createSegmentBody,
		changedBody: updateSegmentBody,
		record: segmentRecord,
		deleted: deletedSegment,
	}),
	...routesOf({
		...shared(notes),
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
		reading: 'website.read',
		shown: ({ url: _url, secret: _secret, url_shown: url, ...alert }) => ({
			...toRecord(alert),
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
		response: { status: 200, schema: singleRecord(testedAlert), description: 'It is on its way.' },
		errors: ['forbidden', 'not_found', 'too_many_requests', 'unavailable'],
		handle: async (call, { postgres, alerts }) => {
			const place = { websiteId: readId(call), id: readId(call, 'item_id') };
			await getWebsite(postgres, call.principal, 'website.administer', place.websiteId);
			await postgres.transaction((tx) => sendTestNotification(tx, alerts, place));
			return json(200, { data: { id: place.id, object: 'alert', tested: true } });
		},
	},
];

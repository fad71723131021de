import type { z } from 'zod';
import {
	alertRecord,
	createAlertBody,
	deletedAlert,
	listAlertsQuery,
	testedAlert,
	updateAlertBody,
} from '../../../api/alerts.ts';
import { list, one, type pageParameters } from '../../../api/envelopes.ts';
import type { ErrorCode } from '../../../api/errors.ts';
import {
	createFunnelBody,
	deletedFunnel,
	funnelRecord,
	listFunnelsQuery,
	updateFunnelBody,
} from '../../../api/funnels.ts';
import {
	createGoalBody,
	deletedGoal,
	goalRecord,
	listGoalsQuery,
	updateGoalBody,
} from '../../../api/goals.ts';
import {
	createNoteBody,
	deletedNote,
	listNotesQuery,
	noteRecord,
	updateNoteBody,
} from '../../../api/notes.ts';
import {
	createSegmentBody,
	deletedSegment,
	listSegmentsQuery,
	segmentRecord,
	updateSegmentBody,
} from '../../../api/segments.ts';
import { alertNames, alertsIn, openSealed } from '../../alerts/alerts.ts';
import { tellTest } from '../../alerts/tell.ts';
import { funnels } from '../../items/funnels.ts';
import { goals } from '../../items/goals.ts';
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
} from '../../items/items.ts';
import { notes, notesWithin } from '../../items/notes.ts';
import { segments } from '../../items/segments.ts';
import type { Sql } from '../../store/sql.ts';
import { getWebsite } from '../../websites/websites.ts';
import { type Answer, type Call, json, nullAsEmpty, type Route, readId, type Services } from '../call.ts';
import { etagOf, isExpectedBy } from '../etag.ts';
import { answerList } from '../list.ts';
import { readFields, type Wanted, wanted } from '../read-body.ts';
import { validate } from '../validate.ts';

/** How a collection is asked for and answered. */
type Resource<A extends About, Q extends z.ZodObject<typeof pageParameters>> = {
	/** One of them, all of them, and how many a website may have. */
	names: Pick<Collection<A>, 'one' | 'many' | 'most'>;
	/** Of what needs more than itself to be stored. */
	collection(services: Services): Collection<A>;
	/** Others may need an item. */
	isNeeded?: true;
	/** Who may read it. Goals and their like are part of the statistics, and shared with them. */
	reading: 'stats.read' | 'website.read';
	/** An item as the API shows it; `created`: what is shown once, to whoever made it. */
	shown?(item: Item<A>): Readonly<Record<string, unknown>>;
	created?(item: Item<A>, services: Services, websiteId: number): Readonly<Record<string, unknown>>;
	/** What it is, in the words of the API's own description. */
	about: string;
	query: Q;
	conditions(query: z.output<Q>): readonly Sql[];
	newBody: z.ZodObject;
	changedBody: z.ZodObject;
	record: z.ZodType;
	deleted: z.ZodType;
};

const placeOf = (call: Call, { postgres, now }: Services): Place => ({
	postgres,
	now,
	principal: call.principal,
	websiteId: readId(call),
});

/** What people say of an item is spelt in the API as in the domain; only our own members are not. */
const toRecord = <A extends About>({ createdAt, updatedAt, ...item }: Item<A>) => ({
	...item,
	created_at: createdAt.toISOString(),
	updated_at: updatedAt.toISOString(),
});

function oneRecord(status: number, record: object, headers: Record<string, string> = {}): Answer {
	const answer = json(status, { data: record });
	return { ...answer, headers: { ...headers, etag: etagOf(answer.text) } };
}

const readBody =
	(call: Call, fields: Wanted): Read =>
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
): Route[] {
	const { names, record, reading, collection, shown = toRecord } = resource;
	const all = `/websites/:id/${names.many}` as const;
	const single = `${all}/:item_id` as const;
	const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
	const newFields = wanted(resource.newBody);
	const changedFields = wanted(resource.changedBody);
	const One = capital(names.one);
	const isExpected = (call: Call) => (item: Item<A>) =>
		isExpectedBy(call.header('if-match'), () => etagOf(oneRecord(200, shown(item)).text));
	return [
		{
			methods: ['GET'],
			path: all,
			action: reading,
			operationId: `list${capital(names.many)}`,
			summary: `List ${names.many}`,
			about: resource.about,
			query: resource.query,
			answer: { status: 200, schema: list(record), about: `A page of ${names.many}.` },
			errors: ['not_found', 'validation_failed'],
			handle: async (call, services) => {
				const { postgres } = services;
				const website = await getWebsite(postgres, call.principal, reading, readId(call));
				return answerList(call, `/websites/${website.id}/${names.many}`, resource.query, async (query) => {
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
			action: 'website.update',
			operationId: `create${One}`,
			summary: `Create a ${names.one}`,
			about: `${resource.about} A website has at most ${names.most.toLocaleString('en')}.`,
			body: resource.newBody,
			answer: { status: 201, schema: one(record), about: `The new ${names.one}.` },
			errors: bodyErrors,
			handle: async (call, services) => {
				const place = placeOf(call, services);
				const item = await createItem(place, collection(services), readBody(call, newFields));
				const location = `${call.mountedAt}/websites/${place.websiteId}/${names.many}/${item.id}`;
				const once = resource.created?.(item, services, place.websiteId);
				return oneRecord(201, { ...shown(item), ...once }, { location });
			},
		},
		{
			methods: ['GET'],
			path: single,
			action: reading,
			operationId: `get${One}`,
			summary: `Get a ${names.one}`,
			about: `One ${names.one}.`,
			answer: { status: 200, schema: one(record), about: `The ${names.one}.` },
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
			action: 'website.update',
			operationId: `update${One}`,
			summary: `Update a ${names.one}`,
			about: 'Changes the fields that are sent.',
			body: resource.changedBody,
			answer: { status: 200, schema: one(record), about: `The ${names.one} as it is now.` },
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
			action: 'website.update',
			operationId: `delete${One}`,
			summary: `Delete a ${names.one}`,
			about: resource.isNeeded
				? `Deletes a ${names.one} that nothing else needs.`
				: `Deletes a ${names.one}.`,
			answer: { status: 200, schema: one(resource.deleted), about: 'It is gone.' },
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

const everything = () => [];

/** A collection that is read with the statistics. */
const shared = <A extends About>(collection: Collection<A>) => ({
	names: collection,
	collection: () => collection,
	reading: 'stats.read' as const,
});

export const itemRoutes: readonly Route[] = [
	...routesOf({
		...shared(goals),
		isNeeded: true,
		about: 'A goal is a page or an event that counts as success. It holds for the past too.',
		query: listGoalsQuery,
		conditions: everything,
		newBody: createGoalBody,
		changedBody: updateGoalBody,
		record: goalRecord,
		deleted: deletedGoal,
	}),
	...routesOf({
		...shared(funnels),
		about: 'A funnel is a row of steps that visitors should take in order.',
		query: listFunnelsQuery,
		conditions: everything,
		newBody: createFunnelBody,
		changedBody: updateFunnelBody,
		record: funnelRecord,
		deleted: deletedFunnel,
	}),
	...routesOf({
		...shared(segments),
		about: 'A segment is a filter with a name.',
		query: listSegmentsQuery,
		conditions: everything,
		newBody: createSegmentBody,
		changedBody: updateSegmentBody,
		record: segmentRecord,
		deleted: deletedSegment,
	}),
	...routesOf({
		...shared(notes),
		about: 'A note says what happened on a day. The latest day comes first.',
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
			secret === null ? {} : { secret: openSealed(alerts.vault, websiteId, secret) },
		about: 'An alert tells what happens on a website when it happens: by mail, or to an address of yours.',
		query: listAlertsQuery,
		conditions: everything,
		newBody: createAlertBody,
		changedBody: updateAlertBody,
		record: alertRecord,
		deleted: deletedAlert,
	}),
	{
		methods: ['POST'],
		path: '/websites/:id/alerts/:item_id/test',
		action: 'website.update',
		operationId: 'testAlert',
		summary: 'Test an alert',
		about:
			'Sends what an alert looks like to where it would go: once a minute, and by mail to the owner alone.',
		answer: { status: 200, schema: one(testedAlert), about: 'It is on its way.' },
		errors: ['forbidden', 'not_found', 'too_many_requests', 'unavailable'],
		handle: async (call, { postgres, alerts }) => {
			const place = { websiteId: readId(call), id: readId(call, 'item_id') };
			await getWebsite(postgres, call.principal, 'website.update', place.websiteId);
			await postgres.transaction((tx) => tellTest(tx, alerts, place));
			return json(200, { data: { id: place.id, object: 'alert', tested: true } });
		},
	},
];

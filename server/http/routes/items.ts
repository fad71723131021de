import type { z } from 'zod';
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
	collection: Collection<A>;
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

function oneItem<A extends About>(
	status: number,
	item: Item<A>,
	headers: Record<string, string> = {},
): Answer {
	const answer = json(status, { data: toRecord(item) });
	return { ...answer, headers: { ...headers, etag: etagOf(answer.text) } };
}

const isExpected =
	(call: Call) =>
	<A extends About>(item: Item<A>) =>
		isExpectedBy(call.header('if-match'), () => etagOf(oneItem(200, item).text));

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
	const { collection, record } = resource;
	const all = `/websites/:id/${collection.many}` as const;
	const single = `${all}/:item_id` as const;
	const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
	const newFields = wanted(resource.newBody);
	const changedFields = wanted(resource.changedBody);
	const One = capital(collection.one);
	return [
		{
			methods: ['GET'],
			path: all,
			action: 'stats.read',
			operationId: `list${capital(collection.many)}`,
			summary: `List ${collection.many}`,
			about: resource.about,
			query: resource.query,
			answer: { status: 200, schema: list(record), about: `A page of ${collection.many}.` },
			errors: ['not_found', 'validation_failed'],
			handle: async (call, { postgres }) => {
				const website = await getWebsite(postgres, call.principal, 'stats.read', readId(call));
				return answerList(
					call,
					`/websites/${website.id}/${collection.many}`,
					resource.query,
					async (query) => {
						const conditions = resource.conditions(query);
						const request = { page: query.page, perPage: query.per_page, conditions };
						const { items, total } = await listItems(postgres, collection, website, request);
						return { records: items.map(toRecord), total };
					},
				);
			},
		},
		{
			methods: ['POST'],
			path: all,
			action: 'website.update',
			operationId: `create${One}`,
			summary: `Create a ${collection.one}`,
			about: `${resource.about} A website has at most ${collection.most.toLocaleString('en')}.`,
			body: resource.newBody,
			answer: { status: 201, schema: one(record), about: `The new ${collection.one}.` },
			errors: bodyErrors,
			handle: async (call, services) => {
				const place = placeOf(call, services);
				const item = await createItem(place, collection, readBody(call, newFields));
				const location = `${call.mountedAt}/websites/${place.websiteId}/${collection.many}/${item.id}`;
				return oneItem(201, item, { location });
			},
		},
		{
			methods: ['GET'],
			path: single,
			action: 'stats.read',
			operationId: `get${One}`,
			summary: `Get a ${collection.one}`,
			about: `One ${collection.one}.`,
			answer: { status: 200, schema: one(record), about: `The ${collection.one}.` },
			isTagged: true,
			errors: ['not_found'],
			handle: async (call, services) =>
				oneItem(
					200,
					await getItem(placeOf(call, services), collection, 'stats.read', readId(call, 'item_id')),
				),
		},
		{
			methods: ['PUT', 'PATCH'],
			path: single,
			action: 'website.update',
			operationId: `update${One}`,
			summary: `Update a ${collection.one}`,
			about: 'Changes the fields that are sent.',
			body: resource.changedBody,
			answer: { status: 200, schema: one(record), about: `The ${collection.one} as it is now.` },
			errors: [...bodyErrors, 'precondition_failed'],
			handle: async (call, services) => {
				const change = { read: readBody(call, changedFields), isExpected: isExpected(call) };
				const id = readId(call, 'item_id');
				return oneItem(200, await updateItem(placeOf(call, services), collection, id, change));
			},
		},
		{
			methods: ['DELETE'],
			path: single,
			action: 'website.update',
			operationId: `delete${One}`,
			summary: `Delete a ${collection.one}`,
			about: collection.release
				? `Deletes a ${collection.one} that nothing else needs.`
				: `Deletes a ${collection.one}.`,
			answer: { status: 200, schema: one(resource.deleted), about: 'It is gone.' },
			errors: [
				'forbidden',
				'not_found',
				'precondition_failed',
				...(collection.release ? ['validation_failed' as const] : []),
			],
			handle: async (call, services) => {
				const id = readId(call, 'item_id');
				await deleteItem(placeOf(call, services), collection, id, isExpected(call));
				return json(200, { data: { id, object: collection.one, deleted: true } });
			},
		},
	];
}

const everything = () => [];

export const itemRoutes: readonly Route[] = [
	...routesOf({
		collection: goals,
		about: 'A goal is a page or an event that counts as success. It holds for the past too.',
		query: listGoalsQuery,
		conditions: everything,
		newBody: createGoalBody,
		changedBody: updateGoalBody,
		record: goalRecord,
		deleted: deletedGoal,
	}),
	...routesOf({
		collection: funnels,
		about: 'A funnel is a row of steps that visitors should take in order.',
		query: listFunnelsQuery,
		conditions: everything,
		newBody: createFunnelBody,
		changedBody: updateFunnelBody,
		record: funnelRecord,
		deleted: deletedFunnel,
	}),
	...routesOf({
		collection: segments,
		about: 'A segment is a filter with a name.',
		query: listSegmentsQuery,
		conditions: everything,
		newBody: createSegmentBody,
		changedBody: updateSegmentBody,
		record: segmentRecord,
		deleted: deletedSegment,
	}),
	...routesOf({
		collection: notes,
		about: 'A note says what happened on a day. The latest day comes first.',
		query: listNotesQuery,
		conditions: notesWithin,
		newBody: createNoteBody,
		changedBody: updateNoteBody,
		record: noteRecord,
		deleted: deletedNote,
	}),
];

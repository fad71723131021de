import {
	createDeletionBody,
	deletionPreview,
	deletionRecord,
	listDeletionsQuery,
	previewDeletionBody,
} from '../../../../api/deletions.ts';
import { list, singleRecord } from '../../../../api/envelopes.ts';
import {
	countElsewhere,
	createDeletion,
	type Deletion,
	listDeletions,
	readDeleteAt,
	undoDeletion,
} from '../../../items/deletions.ts';
import {
	countReferrers,
	findSelected,
	lastBatch,
	readSubject,
	type Selected,
	type SelectedDay,
} from '../../../items/selected-events.ts';
import { getStatsContext } from '../../../stats/question/stats-context.ts';
import { knownFields } from '../../request/read-body.ts';
import { createOnce } from '../idempotency.ts';
import { paginate } from '../pagination.ts';
import { json, readId, type Services, type WebsiteRequest, type WebsiteRoute } from '../route.ts';
import { bodyErrors, bodyParser } from './items.ts';

const toRecord = (deletion: Deletion, rawFrom: string | null) => ({
	id: deletion.id,
	object: 'deletion',
	name: deletion.name,
	rule_id: deletion.ruleId,
	conditions: deletion.selection.conditions.map(({ field, property, test, values }) => ({
		field,
		property,
		test,
		values,
	})),
	state: deletion.state,
	from: deletion.dates[0] ?? null,
	to: deletion.dates.at(-1) ?? null,
	days: deletion.dates.length,
	events: deletion.events,
	pageviews: deletion.pageviews,
	already_hidden: deletion.alreadyHidden,
	earlier_values: deletion.earlierValues,
	totals_before: rawFrom,
	delete_at: deletion.deleteAt.toISOString(),
	created_at: deletion.createdAt.toISOString(),
	ended_at: deletion.endedAt?.toISOString() ?? null,
});

type Found = Selected & { batch: number; rawFrom: string | null; referrers: number };

/** Finds the events, within the limits of statistics. */
async function find(
	{ principal, website, signal }: WebsiteRequest,
	{ postgres, stats, now }: Services,
	sent: Parameters<typeof readSubject>[2],
	{ isPreview = false } = {},
): Promise<Found> {
	stats.assertCapacity(website.id, principal);
	const subject = await readSubject(postgres, website.id, sent, now());
	const { website: counted } = await getStatsContext(postgres, principal, website);
	const batch = await lastBatch(postgres, website.id);
	return stats.runBounded({ principal, websiteId: website.id, signal }, async (services, ending) => {
		const found = await findSelected(services, counted, subject, ending);
		const referrers = isPreview ? await countReferrers(services, counted, found, ending) : 0;
		return { ...found, batch, rawFrom: counted.rawFrom, referrers };
	});
}

const sumOf = (days: readonly SelectedDay[], name: Exclude<keyof SelectedDay, 'date'>) =>
	days.reduce((sum, day) => sum + day[name], 0);

const path = '/websites/:id/deletions';

export const deletionRoutes: readonly WebsiteRoute[] = [
	{
		methods: ['GET'],
		path,
		// Conditions may contain addresses of pages that only editors know.
		action: 'website.addresses',
		operationId: 'listDeletions',
		summary: 'List deletions',
		description: 'Returns the deletions of a website, newest first.',
		query: listDeletionsQuery,
		response: { status: 200, schema: list(deletionRecord), description: 'A page of deletions.' },
		errors: ['not_found', 'validation_failed'],
		handle: async (call, { postgres }) => {
			const { principal, website } = call;
			return paginate(
				call,
				`/websites/${website.id}/deletions`,
				listDeletionsQuery,
				async ({ page, per_page: perPage }) => {
					const { website: counted } = await getStatsContext(postgres, principal, website);
					const { deletions, total } = await listDeletions(postgres, website.id, { page, perPage });
					return { records: deletions.map((deletion) => toRecord(deletion, counted.rawFrom)), total };
				},
			);
		},
	},
	{
		methods: ['POST'],
		path: `${path}/preview`,
		action: 'website.addresses',
		operationId: 'previewDeletion',
		summary: 'Preview a deletion',
		description: 'Counts the events that a deletion would hide. Nothing is stored or changed.',
		body: previewDeletionBody,
		response: { status: 200, schema: singleRecord(deletionPreview), description: 'The numbers.' },
		errors: [...bodyErrors, 'too_many_requests', 'unavailable'],
		handle: async (call, services) => {
			const sent = bodyParser(call, knownFields(previewDeletionBody))(previewDeletionBody);
			const { days, earlierValues, referrers, rawFrom } = await find(call, services, sent, {
				isPreview: true,
			});
			const counted = days.filter(({ events }) => events > 0);
			const [from = null, to = null] = [days[0]?.date, days.at(-1)?.date];
			// Earlier totals and reports can be of any day.
			const isOfDays = earlierValues === 0 && from !== null && to !== null;
			const elsewhere = await countElsewhere(
				services.postgres,
				call.website.id,
				isOfDays ? { from, to } : { from: sent.from ?? '0001-01-01', to: sent.to ?? '9999-12-31' },
			);
			const deleteAt = await readDeleteAt(services.postgres, call.website.id, {
				at: services.now(),
				keepDays: sent.keep_days,
				dates: days.map(({ date }) => date),
			});
			return json(200, {
				data: {
					events: sumOf(days, 'events'),
					pageviews: sumOf(days, 'pageviews'),
					custom_events: sumOf(days, 'customEvents'),
					already_hidden: sumOf(days, 'alreadyHidden'),
					days: counted.length,
					earlier_values: earlierValues,
					referrers,
					from: counted[0]?.date ?? null,
					to: counted.at(-1)?.date ?? null,
					totals_before: rawFrom,
					delete_at: deleteAt.toISOString(),
					kept_elsewhere: {
						reports: elsewhere.reports,
						dead_letters: elsewhere.deadLetters,
						backups: services.listBackups().map(({ madeAt, expiresAt }) => ({
							made_at: madeAt.toISOString(),
							expires_at: expiresAt.toISOString(),
						})),
					},
				},
			});
		},
	},
	{
		methods: ['POST'],
		path,
		action: 'website.reset',
		operationId: 'createDeletion',
		summary: 'Delete events',
		description:
			'Hides the past events that a traffic rule or conditions select. Statistics and exports are then computed as if these events had never arrived. They can be restored until `delete_at` and are then deleted from disk. New events are not affected.',
		body: createDeletionBody,
		response: { status: 201, schema: singleRecord(deletionRecord), description: 'The new deletion.' },
		errors: [...bodyErrors, 'idempotency_conflict', 'limit_reached', 'too_many_requests', 'unavailable'],
		handle: async (call, services) => {
			const { principal, website } = call;
			const websitePath = `/websites/${website.id}/deletions`;
			const sent = bodyParser(call, knownFields(createDeletionBody))(createDeletionBody);
			return createOnce(
				call,
				services,
				{ path: `${websitePath}\n` },
				{
					prepare: () => find(call, services, sent),
					run: async (tx, { rawFrom, ...found }) => {
						const context = { now: services.now, principal, websiteId: website.id };
						const deletion = await createDeletion(tx, context, found);
						return json(201, { data: toRecord(deletion, rawFrom) });
					},
				},
			);
		},
	},
	{
		methods: ['POST'],
		path: `${path}/:item_id/undo`,
		action: 'website.reset',
		operationId: 'undoDeletion',
		summary: 'Undo a deletion',
		description:
			'Counts the events again, with all numbers as before. Not possible once they are deleted from disk.',
		response: { status: 200, schema: singleRecord(deletionRecord), description: 'The deletion.' },
		errors: ['not_found', 'precondition_failed'],
		handle: async (call, { postgres, now }) => {
			const { principal, website } = call;
			const id = readId(call, 'item_id');
			const { website: counted } = await getStatsContext(postgres, principal, website);
			const deletion = await postgres.transaction((tx) =>
				undoDeletion(tx, { now, principal, websiteId: website.id }, id),
			);
			return json(200, { data: toRecord(deletion, counted.rawFrom) });
		},
	},
];

import { list, singleRecord } from '../../../../api/envelopes.ts';
import {
	deletedFeed,
	type FeedRecord,
	feedRecord,
	type ShownFeed,
	shownFeed,
} from '../../../../api/feeds.ts';
import {
	askRecipientBody,
	deletedRecipient,
	type RecipientRecord,
	type RecipientsRecord,
	recipientRecord,
	recipientsRecord,
} from '../../../../api/recipients.ts';
import {
	changeReportSettingsBody,
	listReportsQuery,
	type ReportNumber,
	type ReportRecord,
	type ReportSettings,
	reportRecord,
	reportSettings,
	type WholeReport,
	wholeReport,
} from '../../../../api/reports.ts';
import { accountOf, notFound } from '../../../accounts/authorize.ts';
import { AppError } from '../../../lib/app-error.ts';
import { mailsToday } from '../../../notify/mail/queue.ts';
import {
	askRecipient,
	deleteRecipient,
	type ListedRecipient,
	listRecipients,
	requestBuckets,
	stateOf,
} from '../../../notify/mail/recipients.ts';
import { findFeed, makeFeed, removeFeed } from '../../../reports/feeds.ts';
import type { Compared } from '../../../reports/report.ts';
import {
	changeSchedule,
	getReport,
	getSchedule,
	listReports,
	type StoredReport,
} from '../../../reports/report-store.ts';
import { findWebsite } from '../../../websites/get-website.ts';
import { knownFields, readFields } from '../../request/read-body.ts';
import { validate } from '../../request/validate.ts';
import { createOnce } from '../idempotency.ts';
import { paginate } from '../pagination.ts';
import { type AccountRoute, type ApiResponse, type ApiRoute, json, readId, type Services } from '../route.ts';
import { bodyErrors } from './items.ts';

const toNumber = ({ now, before, yearAgo }: Compared): ReportNumber => ({ now, before, year_ago: yearAgo });

const toRecord = ({ id, content }: StoredReport): ReportRecord => ({
	id,
	kind: content.kind,
	from: content.from,
	to: content.to,
	provisional: content.isProvisional,
	made_at: content.madeAt,
	visitors: toNumber(content.totals.visitors),
});

function toWholeReport(report: StoredReport): WholeReport {
	const { website, before, totals, series, pages, sources, countries, goals, revenue, risen, fallen } =
		report.content;
	return {
		...toRecord(report),
		website: { id: website.id, domain: website.name, timezone: website.timezone },
		before,
		totals: {
			visitors: toNumber(totals.visitors),
			visits: toNumber(totals.visits),
			pageviews: toNumber(totals.pageviews),
			bounce_rate: toNumber(totals.bounce_rate),
			visit_duration: toNumber(totals.visit_duration),
		},
		series,
		pages,
		sources,
		countries,
		revenue: revenue?.now ?? null,
		goals: goals.map(({ name, conversions, rate, before }) => ({ name, conversions, rate, before })),
		changed: [...risen, ...(fallen ?? [])],
	};
}

function toRecipient(recipient: ListedRecipient, now: Date): RecipientRecord {
	const { id, address, websiteId, domain, createdAt } = recipient;
	return {
		id,
		email: address,
		website: websiteId === null ? null : { id: websiteId, domain: domain ?? '' },
		state: stateOf(recipient, now),
		created_at: createdAt.toISOString(),
	};
}

async function scheduleOf({ postgres, alerts }: Services, accountId: number): Promise<ApiResponse> {
	const record: ReportSettings = {
		...(await getSchedule(postgres, accountId)),
		can_mail: alerts.hasMail,
	};
	return json(200, { data: record });
}

const scheduleFields = knownFields(changeReportSettingsBody);
const recipientFields = knownFields(askRecipientBody);

const addRecipient: AccountRoute['handle'] = (call, services) => {
	const { postgres, now, alerts, attempts } = services;
	const { principal } = call;
	const accountId = accountOf(principal);
	return createOnce(
		call,
		services,
		{ path: '/reports/recipients\n' },
		{
			async prepare() {
				const sent = validate(askRecipientBody, readFields(call.body, recipientFields));
				const { email: address, website_id: websiteId } = sent;
				if (websiteId !== null) {
					// Only the owner of a website gets its reports, so only the owner may add recipients.
					const website = await findWebsite(postgres, principal, 'recipients.change', websiteId);
					if (website?.accountId !== accountId) throw notFound();
				}
				if (!alerts.hasMail)
					throw new AppError(
						'unavailable',
						'This service has no mail server, so recipients cannot be added.',
					);
				await attempts.take(requestBuckets(accountId, address));
				return { address, websiteId };
			},
			async run(tx, { address, websiteId }) {
				const recipient = await askRecipient(tx, alerts, { accountId, websiteId, address });
				return {
					...json(
						201,
						{ data: toRecipient(recipient, now()) },
						{ location: `${call.mountedAt}/reports/recipients/${recipient.id}` },
					),
					audited: { websiteId: websiteId ?? undefined },
				};
			},
		},
	);
};

/** Reports, when they are mailed and to whom, and their feed. */
export const reportRoutes: readonly ApiRoute[] = [
	{
		methods: ['GET'],
		path: '/reports/settings',
		tag: 'reports',
		action: 'schedule.read',
		operationId: 'getReportSettings',
		summary: 'Get the report schedule',
		description: 'Returns when reports are made for the websites of the account.',
		response: { status: 200, schema: singleRecord(reportSettings), description: 'The schedule.' },
		errors: [],
		handle: ({ principal }, services) => scheduleOf(services, accountOf(principal)),
	},
	{
		methods: ['PATCH'],
		path: '/reports/settings',
		tag: 'reports',
		action: 'schedule.change',
		operationId: 'changeReportSettings',
		summary: 'Change the report schedule',
		description: 'Changes the fields that you send. Applies to reports that become due from now on.',
		body: changeReportSettingsBody,
		response: { status: 200, schema: singleRecord(reportSettings), description: 'The schedule.' },
		errors: ['bad_request', 'body_too_large', 'unsupported_media_type', 'validation_failed'],
		handle: async (call, services) => {
			const accountId = accountOf(call.principal);
			const fields = validate(changeReportSettingsBody, readFields(call.body, scheduleFields));
			await changeSchedule(services.postgres, services.now, accountId, fields);
			return scheduleOf(services, accountId);
		},
	},
	{
		methods: ['GET'],
		path: '/reports/recipients',
		tag: 'reports',
		action: 'people.read',
		operationId: 'listRecipients',
		summary: 'List recipients',
		description:
			'Returns the recipients of reports and alerts besides the account itself, newest first, and the mails of today.',
		response: { status: 200, schema: singleRecord(recipientsRecord), description: 'The recipients.' },
		errors: [],
		handle: async ({ principal }, { postgres, now, alerts }) => {
			const accountId = accountOf(principal);
			const [recipients, today] = await Promise.all([
				listRecipients(postgres, accountId),
				mailsToday(postgres, now, accountId),
			]);
			const record: RecipientsRecord = {
				can_mail: alerts.hasMail,
				recipients: recipients.map((recipient) => toRecipient(recipient, now())),
				mails_today: { queued: today.mails, most: alerts.quota.perAccount, refused: today.refused },
			};
			return json(200, { data: record });
		},
	},
	{
		methods: ['POST'],
		path: '/reports/recipients',
		tag: 'reports',
		action: 'people.change',
		operationId: 'askRecipient',
		summary: 'Add a recipient',
		description:
			'Asks an address for consent by mail, or asks again. Nothing else is mailed to it before it confirms. An address that declined is never asked again.',
		body: askRecipientBody,
		response: { status: 201, schema: singleRecord(recipientRecord), description: 'The recipient.' },
		errors: [...bodyErrors, 'idempotency_conflict', 'unavailable'],
		handle: addRecipient,
	},
	{
		methods: ['DELETE'],
		path: '/reports/recipients/:recipient_id',
		tag: 'reports',
		action: 'people.change',
		operationId: 'deleteRecipient',
		summary: 'Remove a recipient',
		description: 'The address gets no more reports and alerts.',
		response: { status: 200, schema: singleRecord(deletedRecipient), description: 'It was removed.' },
		errors: ['not_found'],
		handle: async (call, { postgres }) => {
			const id = readId(call, 'recipient_id');
			await deleteRecipient(postgres, accountOf(call.principal), id);
			return json(200, { data: { id, object: 'recipient', deleted: true } });
		},
	},
	{
		methods: ['GET'],
		path: '/websites/:id/reports',
		tag: 'reports',
		action: 'reports.read',
		operationId: 'listReports',
		summary: 'List the reports of a website',
		description: 'Returns the reports of finished weeks and months, newest first.',
		query: listReportsQuery,
		response: { status: 200, schema: list(reportRecord), description: 'A page of reports.' },
		errors: ['not_found', 'validation_failed'],
		handle: (call, { postgres }) =>
			paginate(
				call,
				`/websites/${call.website.id}/reports`,
				listReportsQuery,
				async ({ page, per_page: perPage }) => {
					const range = { skip: (page - 1) * perPage, count: perPage };
					const { reports, total } = await listReports(postgres, call.website, range);
					return { records: reports.map(toRecord), total };
				},
			),
	},
	{
		methods: ['GET'],
		path: '/websites/:id/reports/:report_id',
		tag: 'reports',
		action: 'reports.read',
		operationId: 'getReport',
		summary: 'Get a report',
		description: 'Returns a report with everything that its mail shows.',
		response: { status: 200, schema: singleRecord(wholeReport), description: 'The report.' },
		errors: ['not_found'],
		handle: async (call, { postgres }) => {
			const report = await getReport(postgres, call.website, readId(call, 'report_id'));
			return json(200, { data: toWholeReport(report) });
		},
	},
	{
		methods: ['GET'],
		path: '/websites/:id/feed',
		tag: 'reports',
		action: 'feed.read',
		operationId: 'getFeed',
		summary: 'Get the feed of a website',
		description: 'Returns when the URL of its feed of reports was created, or null if it has none.',
		response: { status: 200, schema: singleRecord(feedRecord.nullable()), description: 'The feed.' },
		errors: ['not_found'],
		handle: async ({ principal, website }, { postgres }) => {
			const feed = await findFeed(postgres, principal, website.id);
			const record: FeedRecord | null = feed ? { created_at: feed.createdAt.toISOString() } : null;
			return json(200, { data: record });
		},
	},
	{
		methods: ['POST'],
		path: '/websites/:id/feed',
		tag: 'reports',
		action: 'website.feed',
		operationId: 'makeFeed',
		summary: 'Create the feed of a website',
		description:
			'Creates the URL of an Atom feed of the reports, or replaces it. Anyone who has the URL can read the reports. It is shown only once.',
		response: { status: 201, schema: singleRecord(shownFeed), description: 'The feed with its URL.' },
		errors: ['bad_request', 'not_found', 'validation_failed', 'idempotency_conflict'],
		handle: (call, services) => {
			const { id } = call.website;
			return createOnce(
				call,
				services,
				{ path: `/websites/${id}/feed\n` },
				{
					prepare: async () => undefined,
					async run(tx) {
						const { token, createdAt } = await makeFeed(tx, services.now, call.principal, id);
						const url = `${services.shareLinks.baseUrl()}/feeds/${token}.atom`;
						const record: ShownFeed = { url, created_at: createdAt.toISOString() };
						const location = `${call.mountedAt}/websites/${id}/feed`;
						const response = json(201, { data: record }, { 'cache-control': 'no-store', location });
						return { ...response, hasSecret: true };
					},
				},
			);
		},
	},
	{
		methods: ['DELETE'],
		path: '/websites/:id/feed',
		tag: 'reports',
		action: 'website.feed',
		operationId: 'removeFeed',
		summary: 'Remove the feed of a website',
		description: 'The URL stops working immediately.',
		response: { status: 200, schema: singleRecord(deletedFeed), description: 'It was removed.' },
		errors: ['not_found'],
		handle: async ({ principal, website }, { postgres }) => {
			await removeFeed(postgres, principal, website.id);
			return json(200, { data: { id: website.id, object: 'feed', deleted: true } });
		},
	},
];

import { z } from 'zod';
import {
	type ActivityEntryRecord,
	activityEntry,
	exportActivityQuery,
	listActivityQuery,
} from '../../../../api/activity.ts';
import { list } from '../../../../api/envelopes.ts';
import { type AuditEntry, listAudit, readAudit } from '../../../accounts/audit-log.ts';
import { accountOf } from '../../../accounts/authorize.ts';
import { dayMs } from '../../../lib/durations.ts';
import { readParameters } from '../../request/read-parameters.ts';
import { ndjsonFile, ndjsonType } from '../ndjson.ts';
import { paginate } from '../pagination.ts';
import type { ApiRequest, ApiResponse, ApiRoute, Services } from '../route.ts';

function toRecord(entry: AuditEntry): ActivityEntryRecord {
	const { id, at, what, authorId, keyId, websiteId, subjectId } = entry;
	return {
		id,
		at: at.toISOString(),
		what,
		by: authorId === null ? null : { person_id: authorId, name: entry.authorName, email: entry.authorEmail },
		key: keyId === null ? null : { id: keyId, name: entry.keyName },
		website: websiteId === null ? null : { id: websiteId, domain: entry.domain },
		subject: subjectId === null ? null : { person_id: subjectId, name: entry.subjectName },
	};
}

/** From the first moment of a date until after the last one of another. */
export const toTimes = ({ from, to }: { from?: string | undefined; to?: string | undefined }) => ({
	from: from === undefined ? undefined : new Date(from),
	before: to === undefined ? undefined : new Date(Date.parse(to) + dayMs),
});

const listEntries = (
	call: ApiRequest,
	{ postgres }: Services,
	scope: { ownerId: number; websiteId?: number },
): Promise<ApiResponse> =>
	paginate(
		call,
		scope.websiteId === undefined ? '/activity' : `/websites/${scope.websiteId}/activity`,
		listActivityQuery,
		async ({ page, per_page: perPage, ...dates }) => {
			const range = { skip: (page - 1) * perPage, count: perPage };
			const { changes, total } = await listAudit(postgres, { ...scope, ...toTimes(dates) }, range);
			return { records: changes.map(toRecord), total };
		},
	);

/** The activity log of the account and of its websites. */
export const activityRoutes: readonly ApiRoute[] = [
	{
		methods: ['GET'],
		path: '/activity',
		tag: 'people',
		action: 'account.history',
		operationId: 'listActivity',
		summary: 'List the activity log of the account',
		description: 'Returns who changed what in the account, newest first.',
		query: listActivityQuery,
		response: { status: 200, schema: list(activityEntry), description: 'A page of entries.' },
		errors: ['validation_failed'],
		handle: (call, services) => listEntries(call, services, { ownerId: accountOf(call.principal) }),
	},
	{
		methods: ['GET'],
		path: '/activity/export',
		tag: 'people',
		action: 'account.history',
		operationId: 'exportActivity',
		summary: 'Export the activity log of the account',
		description:
			'Streams the entries of `GET /activity` as NDJSON, oldest first. A broken connection means that the file is incomplete.',
		query: exportActivityQuery,
		response: { status: 200, schema: z.string(), description: 'The file.', files: [ndjsonType] },
		errors: ['validation_failed'],
		handle: async (call, { postgres }) => {
			const ownerId = accountOf(call.principal);
			const sent = readParameters(call.query, exportActivityQuery);
			const scope = { ownerId, ...toTimes(sent) };
			return ndjsonFile(
				['activity', sent.from ?? '', sent.to ?? ''],
				(page) => readAudit(postgres, scope, page),
				toRecord,
			);
		},
	},
	{
		methods: ['GET'],
		path: '/websites/:id/activity',
		tag: 'people',
		action: 'website.history',
		operationId: 'listWebsiteActivity',
		summary: 'List the activity log of a website',
		description: 'Returns who changed what of the website, newest first, since the account has it.',
		query: listActivityQuery,
		response: { status: 200, schema: list(activityEntry), description: 'A page of entries.' },
		errors: ['not_found', 'validation_failed'],
		handle: (call, services) =>
			listEntries(call, services, { ownerId: call.website.accountId, websiteId: call.website.id }),
	},
];

import { z } from 'zod';
import { list } from '../../../../api/envelopes.ts';
import {
	type ActivityEntryRecord,
	activityEntry,
	exportActivityQuery,
	listActivityQuery,
} from '../../../../api/operator.ts';
import { type AuditEntry, listAudit, readAudit } from '../../../accounts/audit-log.ts';
import { accountOf } from '../../../accounts/authorize.ts';
import { dayMs } from '../../../lib/durations.ts';
import { readParameters } from '../../request/read-parameters.ts';
import { ndjsonFile, ndjsonType } from '../ndjson.ts';
import { paginate } from '../pagination.ts';
import type { AccountRoute } from '../route.ts';

function toRecord(entry: AuditEntry): ActivityEntryRecord {
	const { id, at, what, authorId, keyId, websiteId, subjectId } = entry;
	return {
		id,
		at: at.toISOString(),
		what,
		by: authorId === null ? null : { id: authorId, name: entry.authorName },
		key: keyId === null ? null : { id: keyId, name: entry.keyName },
		website: websiteId === null ? null : { id: websiteId, domain: entry.domain },
		person: subjectId === null ? null : { id: subjectId, name: entry.subjectName },
	};
}

/** From the first moment of a date until after the last one of another. */
export const toTimes = ({ from, to }: { from?: string | undefined; to?: string | undefined }) => ({
	from: from === undefined ? undefined : new Date(from),
	before: to === undefined ? undefined : new Date(Date.parse(to) + dayMs),
});

/** The activity log of the account, without email addresses. */
export const activityRoutes: readonly AccountRoute[] = [
	{
		methods: ['GET'],
		path: '/account/activity',
		action: 'account.history',
		operationId: 'listActivity',
		summary: 'List the activity log',
		description:
			'Returns who changed what in the account, newest first. Only API keys with full access can read it.',
		query: listActivityQuery,
		response: { status: 200, schema: list(activityEntry), description: 'A page of entries.' },
		errors: ['validation_failed'],
		handle: async (call, { postgres }) => {
			const ownerId = accountOf(call.principal);
			return paginate(call, '/account/activity', listActivityQuery, async ({ page, per_page, ...dates }) => {
				const range = { skip: (page - 1) * per_page, count: per_page };
				const { changes, total } = await listAudit(postgres, { ownerId, ...toTimes(dates) }, range);
				return { records: changes.map(toRecord), total };
			});
		},
	},
	{
		methods: ['GET'],
		path: '/account/activity/export',
		action: 'account.history',
		operationId: 'exportActivity',
		summary: 'Export the activity log',
		description:
			'Streams the activity log of the account as NDJSON, oldest first: one entry of `GET /account/activity` per line. A broken connection means that the file is incomplete.',
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
];

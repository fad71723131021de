import { type ChangeRecord, listChangesQuery } from '../../../api/people.ts';
import { type AuditEntry, listAudit } from '../../accounts/audit-log.ts';
import { requirePermission } from '../../accounts/authorize.ts';
import { getWebsite } from '../../websites/get-website.ts';
import { paginate } from '../api/pagination.ts';
import { readId } from '../api/route.ts';
import type { SessionRequest, SessionResponse, SessionRoute, SessionServices } from './session-route.ts';

function toChange(entry: AuditEntry): ChangeRecord {
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

const listChanges = (
	call: SessionRequest,
	{ postgres }: SessionServices,
	scope: { ownerId: number; websiteId?: number },
): Promise<SessionResponse> =>
	paginate(
		call,
		scope.websiteId === undefined ? '/changes' : `/websites/${scope.websiteId}/changes`,
		listChangesQuery,
		async ({ page, per_page: perPage }) => {
			const range = { skip: (page - 1) * perPage, count: perPage };
			const { changes, total } = await listAudit(postgres, scope, range);
			return { records: changes.map(toChange), total };
		},
	);

export const activityLogRoutes: readonly SessionRoute[] = [
	{
		methods: ['GET'],
		path: '/changes',
		handle: async (call, services) => {
			requirePermission(call.principal, 'account.history');
			return listChanges(call, services, { ownerId: call.session.accountId });
		},
	},
	{
		methods: ['GET'],
		path: '/websites/:id/changes',
		handle: async (call, services) => {
			const websiteId = readId(call);
			const website = await getWebsite(services.postgres, call.principal, 'website.history', websiteId);
			return listChanges(call, services, { ownerId: website.accountId, websiteId });
		},
	},
];

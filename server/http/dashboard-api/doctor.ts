import type { DoctorRecord } from '../../../api/doctor.ts';
import { getAccount } from '../../accounts/accounts.ts';
import { requirePermission } from '../../accounts/authorize.ts';
import { json } from '../api/route.ts';
import type { SessionRoute } from './session-route.ts';

export const doctorRoutes: readonly SessionRoute[] = [
	{
		methods: ['GET'],
		path: '/doctor',
		handle: async ({ principal }, { postgres, now, examine }) => {
			const { isOperator } = await getAccount(postgres, now, principal.accountId);
			requirePermission({ ...principal, isOperator }, 'service.examine');
			const record: DoctorRecord = { examined_at: now().toISOString(), findings: await examine() };
			return json(200, { data: record });
		},
	},
];

import type { DoctorRecord } from '../../../api/doctor.ts';
import { requirePermission } from '../../accounts/authorize.ts';
import { getPerson } from '../../accounts/people.ts';
import { json } from '../api/route.ts';
import type { SessionRoute } from './session-route.ts';

export const doctorRoutes: readonly SessionRoute[] = [
	{
		methods: ['GET'],
		path: '/doctor',
		handle: async ({ principal }, { postgres, now, examine }) => {
			const { isOperator } = await getPerson(postgres, principal.personId);
			requirePermission({ ...principal, isOperator }, 'service.examine');
			const record: DoctorRecord = { examined_at: now().toISOString(), findings: await examine() };
			return json(200, { data: record });
		},
	},
];

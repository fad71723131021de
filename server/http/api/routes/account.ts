import { type AccountRecord, accountRecord } from '../../../../api/account.ts';
import { singleRecord } from '../../../../api/envelopes.ts';
import { getAccount, pageviewsThisMonth } from '../../../accounts/accounts.ts';
import { accountOf } from '../../../accounts/authorize.ts';
import { type AccountRoute, json } from '../route.ts';

const getAccountRecord: AccountRoute['handle'] = async ({ principal }, { postgres, now }) => {
	const account = await getAccount(postgres, accountOf(principal));
	const record: AccountRecord = {
		id: account.id,
		name: account.name,
		email: account.email,
		locale: account.locale,
		timezone: account.timezone,
		created_at: account.createdAt.toISOString(),
		usage: {
			websites: account.websiteCount,
			pageviews_this_month: await pageviewsThisMonth(postgres, now, account.id),
		},
		limits: { websites: account.websiteLimit, pageviews_per_month: account.pageviewLimit },
	};
	return json(200, { data: record });
};

export const accountRoutes: readonly AccountRoute[] = [
	{
		methods: ['GET'],
		path: '/account',
		action: 'account.read',
		operationId: 'getAccount',
		summary: 'Get the account',
		description: 'Returns the account that the key belongs to, with its usage and limits.',
		response: { status: 200, schema: singleRecord(accountRecord), description: 'The account.' },
		errors: [],
		handle: getAccountRecord,
	},
];

import { type AccountRecord, accountRecord } from '../../../api/account.ts';
import { one } from '../../../api/envelopes.ts';
import { getAccount } from '../../accounts/accounts.ts';
import { demand, notFound } from '../../accounts/authorize.ts';
import { type Answer, type Call, json, type Route, type Services } from '../call.ts';

async function accountAnswer({ principal }: Call, { postgres, now }: Services): Promise<Answer> {
	demand(principal, 'account.read');
	if (principal.kind !== 'key' && principal.kind !== 'account') throw notFound();
	const account = await getAccount(postgres, now, principal.accountId);
	const record: AccountRecord = {
		id: account.id,
		name: account.name,
		email: account.email,
		locale: account.locale,
		timezone: account.timezone,
		created_at: account.createdAt.toISOString(),
		usage: { websites: account.websiteCount, pageviews_this_month: account.pageviewsThisMonth },
		limits: { websites: account.websiteLimit, pageviews_per_month: account.pageviewLimit },
	};
	return json(200, { data: record });
}

export const accountRoutes: readonly Route[] = [
	{
		methods: ['GET'],
		path: '/account',
		action: 'account.read',
		operationId: 'getAccount',
		summary: 'Get the account',
		about: 'The account that the key belongs to, with what it uses and may use.',
		answer: { status: 200, schema: one(accountRecord), about: 'The account.' },
		errors: ['forbidden'],
		handle: accountAnswer,
	},
];

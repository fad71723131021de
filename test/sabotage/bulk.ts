import type { Fault } from './faults.ts';

const tests = ['test/threats/bulk.test.ts'];

/** Faults of requests about many websites, and of templates. */
export const bulkFaults: readonly Fault[] = [
	{
		name: 'a limited key changes other websites in bulk',
		file: 'server/items/bulk.ts',
		line: "let website = await getWebsite(tx, principal, 'website.update', websiteId,",
		instead:
			"let website = await getWebsite(tx, { ...principal, websiteIds: null } as Principal, 'website.update', websiteId,",
		tests,
	},
	{
		name: 'labels select the websites of all accounts',
		file: 'server/websites/list-websites.ts',
		line: 'SELECT id FROM websites WHERE ${matches} ORDER BY id LIMIT',
		instead:
			'SELECT id FROM websites WHERE ${matches} OR labels && ${value(labels)}::text[] ORDER BY id LIMIT',
		tests,
	},
	{
		name: 'the template of another account can be applied',
		file: 'server/items/website-templates.ts',
		line: 'WHERE id = ${value(id)} AND account_id = ${value(accountId)} ${lock}`);',
		instead: 'WHERE id = ${value(id)} AND ${value(accountId)} > 0 ${lock}`);',
		tests,
	},
	{
		name: 'a template gives an editor settings that are for admins',
		file: 'server/items/bulk.ts',
		line: 'await addTemplate(tx, context, website, template);',
		instead:
			"await addTemplate(tx, { ...context, principal: { kind: 'account', accountId: website.accountId } }, website, template);",
		tests,
	},
	{
		name: 'a template made from a website shows viewers its excluded addresses',
		file: 'server/items/website-templates.ts',
		line: "getWebsite(tx, principal, 'website.addresses', id);",
		instead: "getWebsite(tx, principal, 'website.settings', id);",
		tests,
	},
	{
		name: 'a bulk request runs for as long as it likes',
		file: 'server/http/api/routes/bulk.ts',
		line: 'if (now().getTime() >= endsAt || length >= maxResponseLength)',
		instead: 'if (length >= maxResponseLength)',
		tests,
	},
	{
		name: 'the response of a bulk request has any length',
		file: 'server/http/api/routes/bulk.ts',
		line: 'const maxResponseLength = 8 *',
		instead: 'const maxResponseLength = 8_000 *',
		tests,
	},
	{
		name: 'an account runs any number of bulk requests at once',
		file: 'server/http/api/routes/bulk.ts',
		line: 'createKeyedSemaphore({ running: 1, waiting: 0, waitMs: 0 });',
		instead: 'createKeyedSemaphore({ running: 1_000, waiting: 0, waitMs: 0 });',
		tests,
	},
	{
		name: 'a bulk request counts as one request',
		file: 'server/http/api/routes/bulk.ts',
		line: 'const websitesPerRequest = 10;',
		instead: 'const websitesPerRequest = 10_000;',
		tests,
	},
];

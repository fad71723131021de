import type { Fault } from './faults.ts';

const keys = ['test/threats/access-matrix.test.ts'];
const people = ['test/threats/access-matrix-people.test.ts'];
const sessions = ['test/threats/access-matrix-sessions.test.ts'];
const publicRoutes = ['test/threats/access-matrix-public.test.ts'];

/** Faults of routes that anyone may call who may not. Each is for one file of the access matrix. */
export const accessFaults: readonly Fault[] = [
	{
		name: 'a route outside of the API has no row in the matrix',
		file: 'server/http/public/security-txt.ts',
		line: "\tconst path = '/.well-known/security.txt';\n",
		instead:
			"\tconst path = '/.well-known/security.txt';\n\tapp.get('/debug/accounts', async () => ({ data: [] }));\n",
		tests: publicRoutes,
	},
	{
		name: 'a route beside those of the dashboard has no row in the matrix',
		file: 'server/http/dashboard-api/share-links.ts',
		line: "\tapp.get('/share-link', async",
		instead: "\tapp.get('/share-link/owner', async () => ({ data: null }));\n\tapp.get('/share-link', async",
		tests: sessions,
	},
	{
		name: 'a session route forgets whose recipient it deletes',
		file: 'server/notify/mail/recipients.ts',
		line: 'sql`DELETE FROM report_recipients WHERE id = ${value(id)} AND account_id = ${value(accountId)}`',
		instead: 'sql`DELETE FROM report_recipients WHERE id = ${value(id)} AND ${value(accountId)} > 0`',
		tests: sessions,
	},
	{
		name: 'a route forgets whose board it reads',
		file: 'server/accounts/boards.ts',
		line: 'SELECT ${columns} FROM boards WHERE id = ${value(id)} AND ${isOf(user)}`',
		instead: 'SELECT ${columns} FROM boards WHERE id = ${value(id)}`',
		tests: ['test/threats/access-matrix-people.test.ts'],
	},
	{
		name: 'a route of the operator is open to every owner',
		file: 'server/http/dashboard-api/doctor.ts',
		line: 'requirePermission({ ...principal, isOperator }, ',
		instead: 'requirePermission({ ...principal, isOperator: isOperator || true }, ',
		tests: sessions,
	},
	{
		name: 'a share link acts for the session of its browser',
		file: 'server/http/auth/session-cookie.ts',
		line: " || request.headers['x-share-link'] !== undefined) return undefined;",
		instead: ') return undefined;',
		tests: sessions,
	},
	{
		name: 'a share link reaches a route that is not of statistics',
		file: 'server/accounts/authorize.ts',
		line: "return website?.id === principal.websiteId && isShared(principal, rule) ? 'allowed' : 'hidden';",
		instead:
			"return website?.id === principal.websiteId && (isShared(principal, rule) || !changes) ? 'allowed' : 'hidden';",
		tests: people,
	},
	{
		name: 'a share link with a filter shows what cannot respect it',
		file: 'server/accounts/authorize.ts',
		line: 'if (unfilteredOnly && limits.filter !== null) return false;',
		instead: 'if (unfilteredOnly && limits.filter === undefined) return false;',
		tests: people,
	},
	{
		name: 'a share link opens any website',
		file: 'server/http/auth/session-auth.ts',
		line: 'String(website.id) === paramsOf(request).id &&',
		instead: 'paramsOf(request).id !== undefined &&',
		tests: people,
	},
	{
		name: 'editors export every event',
		file: 'server/accounts/authorize.ts',
		line: "'website.export': { on: 'website', least: 'admin'",
		instead: "'website.export': { on: 'website', least: 'editor'",
		tests: people,
	},
	{
		name: 'the scope manage reads share links',
		file: 'server/accounts/authorize.ts',
		line: "'links.read': { on: 'website', least: 'admin', changes: false, scopes: [], fullKeysOnly: true },",
		instead:
			"'links.read': { on: 'website', least: 'admin', changes: false, scopes: ['manage'], fullKeysOnly: true },",
		tests: keys,
	},
	{
		name: 'what a session changes leaves no trace',
		file: 'server/http/dashboard-api/mount-dashboard-api.ts',
		line: 'if (operation !== undefined && author)',
		instead: 'if (operation !== undefined && author && route.isPublic)',
		tests: sessions,
	},
	{
		name: 'a route that changes something names no operation',
		file: 'server/http/dashboard-api/transfers.ts',
		line: "\t\toperation: 'declineOffer',\n",
		instead: '',
		tests: sessions,
	},
	{
		name: 'an assistant may have any key',
		file: 'server/http/public/mcp.ts',
		line: '\t\t\tif (!isReadOnly(principal))\n',
		instead: "\t\t\tif (!isReadOnly(principal) && principal.kind !== 'key')\n",
		tests: publicRoutes,
	},
	{
		name: 'metrics are open to any token',
		file: 'server/http/ops/metrics.ts',
		line: 'if (!timingSafeEqual(digestOf(sent), digestOf(token))) throw notFound();',
		instead: 'if (!timingSafeEqual(digestOf(sent), digestOf(sent))) throw notFound();',
		tests: publicRoutes,
	},
];

import type { Fault } from './faults.ts';

const tests = ['test/notify/account-webhooks.test.ts'];
const queue = 'server/webhooks/queue-events.ts';
const store = 'server/webhooks/webhooks.ts';
const sender = 'server/notify/send-events.ts';
const rights = 'server/accounts/authorize.ts';

/** Faults of webhooks of accounts. */
export const webhookFaults: readonly Fault[] = [
	{
		name: 'account webhook: its whole URL is shown',
		file: store,
		line: '`${new URL(url).origin}/…`',
		instead: 'url',
		tests,
	},
	{
		name: 'account webhook: a changed URL may be private',
		file: store,
		line: '\tif (url !== undefined) requirePublicUrl(url, vault);\n',
		instead: '',
		tests,
	},
	{
		name: 'account webhook: a read-only key lists them',
		file: rights,
		line: "'webhooks.read': { on: 'account', least: 'owner', changes: false, scopes: [], fullKeysOnly: true }",
		instead: "'webhooks.read': { on: 'account', least: 'owner', changes: false, scopes: [] }",
		tests,
	},
	{
		name: 'account webhook: a key with the scope manage makes them',
		file: rights,
		line: "'webhooks.change': { on: 'account', least: 'owner', changes: true, scopes: [], fullKeysOnly: true }",
		instead: "'webhooks.change': { on: 'account', least: 'owner', changes: true, scopes: ['manage'] }",
		tests,
	},
	{
		name: 'account webhook: events of another account',
		file: queue,
		line: 'ON w.account_id = e.account_id AND',
		instead: 'ON',
		tests,
	},
	{
		name: 'account webhook: events of other websites than its own',
		file: queue,
		line: 'AND (w.website_ids IS NULL OR e.website_id = ANY (w.website_ids))',
		instead: '',
		tests,
	},
	{
		name: 'account webhook: its events fill the outbox',
		file: queue,
		line: ' WHERE place <= ${value(maxWaitingOfWebhook)}',
		instead: '',
		tests,
	},
	{
		name: 'account webhook: a failing one is called for each event',
		file: sender,
		line: ' AND (w.retry_at IS NULL OR w.retry_at <= ${value(services.now())})',
		instead: '',
		tests,
	},
	{
		name: 'account webhook: a failing one is never disabled',
		file: sender,
		line: 'failingMs >= disabledAfterMs',
		instead: 'failingMs < 0',
		tests,
	},
	{
		name: 'account webhook: a replay has another id',
		file: store,
		line: '::text, webhook_id, content,',
		instead: "::text, webhook_id, jsonb_set(content, '{id}', '\"again\"'),",
		tests,
	},
	{
		name: 'account webhook: an email address is in its events',
		file: 'server/accounts/audit-log.ts',
		line: '(SELECT name FROM people WHERE id',
		instead: '(SELECT email FROM people WHERE id',
		tests,
	},
	{
		name: 'account webhook: a window of goals is told twice',
		file: 'server/notify/watch-goals.ts',
		line: 'WHERE goals_until IS NOT DISTINCT FROM ${value(watching.until)}::timestamptz',
		instead: '',
		tests,
	},
	{
		name: 'account webhook: a day that is not over is told',
		file: 'server/derive/publish-generation.ts',
		line: ' && date < localDate(timezone, now().getTime())',
		instead: '',
		tests,
	},
	{
		name: 'account webhook: a call of a run that died is lost',
		file: 'server/notify/outbox.ts',
		line: "UPDATE outbox SET state = 'waiting', claim = NULL WHERE state = 'sending' AND ${expired}",
		instead: "UPDATE outbox SET state = 'failed', claim = NULL WHERE state = 'sending' AND ${expired}",
		tests,
	},
];

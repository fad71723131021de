/** Runs the script of docs/agency.md twice, on a service with a mail server, and reads what it set up. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { client } from '../support/client.ts';
import { assertStatus } from '../support/contract.ts';
import { startHookServer } from '../support/hook-server.ts';
import { startMailServer } from '../support/mail-server.ts';
import { patience } from '../support/timeout-factor.ts';
import { world } from '../support/world.ts';

const hooks = await startHookServer({ after });
const mails = await startMailServer({ after });
const w = await world(
	{ after },
	{
		settings: {
			// The usual one: the script must not need more.
			TIDEMARK_RATE_LIMIT: '600',
			TIDEMARK_WEBHOOK_ALLOWED_HOSTS: hooks.host,
			TIDEMARK_SMTP_HOST: '127.0.0.1',
			TIDEMARK_SMTP_PORT: String(mails.port),
			TIDEMARK_SMTP_TLS: 'none',
			TIDEMARK_MAIL_FROM: 'Tidemark <stats@example.test>',
		},
	},
);
const owner = await w.account({ timezone: 'UTC' });
// With a key of its own, which has a rate limit of its own.
const api = client(w.base, (await w.key(owner)).key);

const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'agency.md'), 'utf8');
const [, script = ''] = /```python\n(.+?)\n```/s.exec(page) ?? [];

async function runScript(): Promise<string> {
	const hookUrl = 'https://agency.example/hooks/tidemark';
	assert.ok(script.includes(hookUrl));
	const { stdout } = await promisify(execFile)(
		'python3',
		['-c', script.replace(hookUrl, hooks.url('/hooks/tidemark'))],
		{
			env: { PATH: process.env.PATH ?? '', API: `${w.base}/api/v1`, KEY: owner.key },
			timeout: 60_000 * patience,
		},
	);
	return stdout;
}

async function read<T>(path: string): Promise<T> {
	const answer = await api('GET', path);
	assertStatus(answer, 200);
	return (answer.json as { data: T }).data;
}

type Website = { id: number; domain: string; privacy: number; timezone: string; exclude_ips: string };
type Named = { id: number; name: string };

/** Everything that the script set up, as the API shows it. */
async function readSetUp() {
	const websites = await read<Website[]>('/websites?per_page=100');
	const perWebsite = await Promise.all(
		websites.map(async ({ id }) => ({
			settings: await read<{ labels: string[]; retention_months: number; recipients: { state: string }[] }>(
				`/websites/${id}/settings`,
			),
			goals: await read<Named[]>(`/websites/${id}/goals`),
			funnels: await read<Named[]>(`/websites/${id}/funnels`),
			links: await read<(Named & { last_days: number; url: string })[]>(`/websites/${id}/share-links`),
			people: await read<{ invitations: { role: string; email: null }[] }>(`/websites/${id}/people`),
		})),
	);
	const webhooks = await read<(Named & { events: string[]; enabled: boolean })[]>('/webhooks');
	return {
		websites,
		perWebsite,
		webhooks,
		deliveries: await read<{ type: string; state: string }[]>(
			`/webhooks/${webhooks[0]?.id}/deliveries?per_page=100`,
		),
		templates: await read<Named[]>('/website-templates'),
		keys: (await read<(Named & { scopes: string[]; website_ids: number[] })[]>('/keys')).filter(
			({ name }) => name === 'Reporting',
		),
		reports: await read<{ schedule: string; digest: boolean }>('/reports/settings'),
		branding: await read<{ name: string; powered_by: boolean }>('/account/branding'),
	};
}

const reportingKeyOf = (printed: string) => /Reporting key, .*: (tm_\w+)/.exec(printed)?.[1] ?? '';
const statusWith = async (key: string) =>
	(await fetch(`${w.base}/api/v1/stats?period=7d`, { headers: { authorization: `Bearer ${key}` } })).status;

test('the script of agency.md sets up 50 customers, and a second run adds nothing', async () => {
	const printed = await runScript();
	assert.match(printed, /\n50 websites, 50 share links, 50 new invitations\n$/);
	assert.equal(new Set(printed.match(/\/join#token=\S+/g)).size, 50);
	const setUp = await readSetUp();
	assert.equal(setUp.websites.length, 50);
	for (const { privacy, timezone, exclude_ips } of setUp.websites)
		assert.deepEqual([privacy, timezone, exclude_ips], [1, 'Europe/Berlin', '203.0.113.7']);
	for (const { settings, goals, funnels, links, people } of setUp.perWebsite) {
		assert.deepEqual([settings.labels, settings.retention_months], [['customer', 'onboarded'], 24]);
		assert.deepEqual(
			settings.recipients.map(({ state }) => state),
			['asked'],
		);
		assert.deepEqual(goals.map(({ name }) => name).sort(), ['Call', 'Contact', 'Order']);
		assert.deepEqual(
			funnels.map(({ name }) => name),
			['Order'],
		);
		assert.deepEqual(
			links.map(({ name, last_days }) => [name, last_days]),
			[['Customer', 90]],
		);
		assert.deepEqual(
			people.invitations.map(({ role, email }) => [role, email]),
			[['viewer', null]],
		);
	}
	assert.equal(new Set(setUp.perWebsite.map(({ links }) => links[0]?.url)).size, 50);
	assert.deepEqual(
		setUp.webhooks.map(({ name, events, enabled }) => [name, events, enabled]),
		[['CRM', ['website.created', 'day.sealed', 'alert.fired'], true]],
	);
	assert.equal(setUp.deliveries.length, 50);
	for (const { type, state } of setUp.deliveries) {
		assert.equal(type, 'website.created');
		assert.ok(['waiting', 'delivered'].includes(state), state);
	}
	assert.deepEqual(
		[setUp.templates.map(({ name }) => name), setUp.reports.schedule, setUp.reports.digest],
		[['Customer'], 'month', true],
	);
	assert.deepEqual([setUp.branding.name, setUp.branding.powered_by], ['Acme Analytics', false]);
	const ids = setUp.websites.map(({ id }) => id).sort((a, b) => a - b);
	assert.deepEqual(
		setUp.keys.map(({ scopes, website_ids }) => [scopes, website_ids.sort((a, b) => a - b)]),
		[[['stats'], ids]],
	);
	const reportingKey = reportingKeyOf(printed);
	assert.equal(await statusWith(reportingKey), 200);

	const again = await runScript();
	assert.match(again, /^0 websites created\n/);
	assert.match(again, /\n50 websites, 50 share links, 0 new invitations\n$/);
	const next = await readSetUp();
	assert.deepEqual(next.perWebsite, setUp.perWebsite);
	assert.deepEqual(
		[next.websites.length, next.webhooks.length, next.deliveries.length, next.templates.length],
		[50, 1, 50, 1],
	);
	assert.deepEqual(
		next.keys.map(({ id }) => id),
		setUp.keys.map(({ id }) => id),
	);
	// The second run rotated the key.
	assert.equal(await statusWith(reportingKey), 401);
	assert.equal(await statusWith(reportingKeyOf(again)), 200);
});

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { formatDate, formatMoment } from '../../presentation/format.ts';
import { assertStatus, freshDomain, itemOf, type Website, websiteOf } from '../support/contract.ts';
import {
	assertAccessible,
	assertFits,
	focusIn,
	type Look,
	looks,
	openDashboard,
} from '../support/dashboard.ts';
import { storeEvents } from '../support/stored-events.ts';
import type { TestAccount } from '../support/world.ts';

const d = await openDashboard({ after });
const owner = await d.account();
const dayMs = 24 * 3_600_000;
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString().slice(0, 10);
const long = (date: string) => formatDate(date, 'en', { dateStyle: 'long' });
/** The page shows an instant in the time zone of the browser, where it can be another day than in UTC. */
const inDays = (days: number) =>
	formatMoment(new Date(Date.now() + days * dayMs).toISOString(), 'en', {
		dateStyle: 'long',
		timeZone: 'Europe/Berlin',
	});
const secret = 'jane@example.com';

/** A website with page views on two days, one of them with personal data, and a custom event. */
async function create(): Promise<Website> {
	const website = websiteOf(
		await owner.api('POST', '/websites', { form: { domain: freshDomain(), timezone: 'UTC' } }),
		201,
	);
	const view = { kind: 'pageview', name: 'pageview' } as const;
	await storeEvents(d.w, website.id, [
		{ ...view, date: daysAgo(9), path: '/admin' },
		{ ...view, date: daysAgo(2), path: '/admin/users' },
		{ ...view, date: daysAgo(2), path: '/about' },
		{ ...view, date: daysAgo(2), path: '/thanks', query: `email=${secret}` },
		{ date: daysAgo(2), kind: 'custom', name: 'signup', path: '/thanks', properties: { email: secret } },
	]);
	return website;
}

async function viewsOf({ id }: Website): Promise<number> {
	const answer = await owner.api('GET', `/websites/${id}/stats?period=30d&metrics=pageviews`);
	assertStatus(answer, 200);
	return (answer.json as { data: { totals: { pageviews: number } } }).data.totals.pageviews;
}

async function addRule(
	{ id }: Website,
	json: { name: string; kind: string; test?: string; values: string[] },
) {
	return itemOf('traffic-rules', await owner.api('POST', `/websites/${id}/traffic-rules`, { json }), 201).id;
}
const backOffice = { name: 'Back office', kind: 'path', test: 'starts_with', values: ['/admin'] };
const uptime = { name: 'Uptime', kind: 'user_agent', values: ['curious-reader'] };

async function addEditor(website: Website): Promise<TestAccount> {
	const editor = await d.account();
	await d.w.sql(
		'INSERT INTO members (owner_id, website_id, member_id, role, created_at) VALUES ($1, $2, $3, $4, now())',
		[owner.id, website.id, editor.id, 'editor'],
	);
	return editor;
}

/** What may contain the same values as the events. */
async function keepElsewhere({ id }: Website) {
	await d.w.sql(
		`INSERT INTO reports (account_id, website_id, kind, from_day, to_day, zone, is_provisional, content, awaits_digest, made_at)
		VALUES ($1, $2, 'week', $3, $4, 'UTC', false, '{}', false, now())`,
		[owner.id, id, daysAgo(7), daysAgo(1)],
	);
	for (const eventId of [1, 2])
		await d.w.sql('INSERT INTO dead_letters (website_id, event_id, line, reason) VALUES ($1, $2, $3, $4)', [
			id,
			eventId,
			'{}',
			'unreadable',
		]);
	const folder = join(d.w.config.dataFolder, 'backups');
	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, 'before-1.0.0.tidemark'), '');
}

const openTab = ({ id }: Website, tab: string, as = owner, look?: Look) =>
	d.open(`/websites/${id}/settings/${tab}`, as, look);

/** The fields of the condition with this number. */
const conditionOf = (dialog: Locator, number: number) =>
	dialog.getByRole('group', { name: `Condition ${number}` });

async function openFilter(page: Page): Promise<Locator> {
	await page.getByRole('button', { name: 'Delete data by filter' }).click();
	return page.getByRole('dialog');
}

async function fillPath(dialog: Locator, values: string) {
	await conditionOf(dialog, 1).getByLabel('Operator').selectOption('starts with');
	await conditionOf(dialog, 1).getByLabel('Values').fill(values);
}

test('[C-HIDE-9] a traffic rule is applied to the past and undone', async () => {
	const website = await create();
	const rule = await addRule(website, backOffice);
	await addRule(website, uptime);
	const page = await openTab(website, 'exclusions');
	const apply = page.getByRole('button', { name: 'Apply to past traffic: Back office' });
	await apply.waitFor();
	// User agents are not stored.
	assert.equal(await page.getByRole('button', { name: /^Apply to past traffic/ }).count(), 1);
	await apply.press('Enter');
	const dialog = page.getByRole('dialog', { name: 'Apply Back office to past traffic?' });
	await dialog
		.getByText(
			`2 events (2 page views) on 2 days from ${long(daysAgo(9))} to ${long(daysAgo(2))} will be hidden.`,
		)
		.waitFor();
	await dialog
		.getByText(`You can undo this until ${inDays(30)}. After that, they are deleted from disk.`)
		.waitFor();
	assert.equal(await dialog.getByText('Totals before').count(), 0);
	await dialog.getByRole('button', { name: 'Hide past traffic' }).click();
	await dialog.waitFor({ state: 'detached' });
	await page.getByText(/^2 past events hidden\. Can be undone until .+\.$/).waitFor();
	assert.equal(await viewsOf(website), 2);

	await apply.click();
	await dialog.getByText('No events match.').waitFor();
	assert.equal(await dialog.getByRole('button', { name: 'Hide past traffic' }).count(), 0);
	await dialog.getByRole('button', { name: 'Cancel' }).click();

	const editing = await openTab(website, 'exclusions', await addEditor(website));
	await editing.getByText('2 past events hidden.').waitFor();
	await editing.getByText('Admins can also apply most rules to past traffic.').waitFor();
	for (const name of ['Undo', 'Apply to past traffic: Back office'])
		assert.equal(await editing.getByRole('button', { name, exact: true }).count(), 0, name);
	await editing.close();

	await page.getByRole('button', { name: 'Delete Back office' }).click();
	await page.getByText('Past traffic that this rule hides stays hidden.').waitFor();
	await page.keyboard.press('Escape');
	await page.getByRole('button', { name: 'Undo', exact: true }).click();
	await page.getByText('past events hidden').waitFor({ state: 'detached' });
	assert.equal(await viewsOf(website), 4);

	// Deleted from disk in the meantime.
	await apply.click();
	await dialog.getByRole('button', { name: 'Hide past traffic' }).click();
	await page.getByText('2 past events hidden.').waitFor();
	await d.w.sql(
		"UPDATE deletions SET state = 'deleted', ended_at = now() WHERE rule_id = $1 AND state = 'hidden'",
		[rule],
	);
	await page.getByRole('button', { name: 'Undo', exact: true }).click();
	await page.getByText('past events hidden').waitFor({ state: 'detached' });

	await page.goto(`${d.w.base}/websites/${website.id}/settings/data`);
	const rows = page.getByRole('list', { name: 'Deleted data' }).getByRole('listitem');
	await rows.filter({ hasText: 'Traffic rule: Back office' }).first().waitFor();
	assert.match((await rows.first().textContent()) ?? '', /2 events on 2 days from .+Deleted from disk on/);
	assert.match((await rows.last().textContent()) ?? '', /Undone on/);
});

test('[C-HIDE-9] the preview says which totals stay, and a rule with too many values is refused', async () => {
	const website = await create();
	await addRule(website, backOffice);
	await addRule(website, {
		name: 'Spam',
		kind: 'referrer',
		values: Array.from({ length: 1_001 }, (_, n) => `spam-${n}.example`),
	});
	await d.w.sql('UPDATE websites SET raw_from = $1 WHERE id = $2', [daysAgo(5), website.id]);
	const page = await openTab(website, 'exclusions');
	await page.getByRole('button', { name: 'Apply to past traffic: Back office' }).click();
	const dialog = page.getByRole('dialog');
	await dialog.getByText(`1 event (1 page view) on ${long(daysAgo(2))} will be hidden.`).waitFor();
	await dialog
		.getByText(`Totals before ${long(daysAgo(5))} do not change, because their events were already deleted`)
		.waitFor();
	await page.keyboard.press('Escape');
	await page.getByRole('button', { name: 'Apply to past traffic: Spam' }).click();
	await dialog.getByRole('alert').getByText('At most 1,000 values').waitFor();
	assert.equal(await dialog.getByRole('button', { name: 'Hide past traffic' }).count(), 0);
});

test('[C-HIDE-10] data is deleted by filter: conditions, preview, list, undo', async () => {
	const website = await create();
	await keepElsewhere(website);
	const page = await openTab(website, 'data');
	const dialog = await openFilter(page);
	const preview = dialog.getByRole('button', { name: 'Preview' });
	assert.equal(await page.getByRole('list', { name: 'Deleted data' }).count(), 0);
	await dialog.getByText('Events that meet all conditions').waitFor();
	await preview.click();
	await dialog.getByText('Enter at least one value.').waitFor();
	await conditionOf(dialog, 1).getByLabel('Values').fill('/about\nabout');
	await dialog.getByLabel('From').fill(daysAgo(2));
	await dialog.getByLabel('To', { exact: true }).fill(daysAgo(4));
	await preview.click();
	await dialog.getByText('The end date is before the start date.').waitFor();
	await dialog.getByLabel('To', { exact: true }).fill(daysAgo(0));
	await preview.click();
	await dialog.getByText('Value 2 is not valid for this field.').waitFor();
	await conditionOf(dialog, 1).getByLabel('Values').fill('/none');
	await preview.click();
	await dialog.getByText('No events match.').waitFor();
	assert.equal(await dialog.getByRole('button', { name: /^Delete/ }).count(), 0);
	await dialog.getByRole('button', { name: 'Back' }).click();

	assert.equal(await conditionOf(dialog, 1).getByLabel('Values').inputValue(), '/none');
	await conditionOf(dialog, 1).getByLabel('Values').fill('/thanks');
	await dialog.getByRole('button', { name: 'Add condition' }).press('Enter');
	const second = conditionOf(dialog, 2);
	await second.getByLabel('Field').and(page.locator(':focus')).waitFor();
	await second.getByLabel('Field').selectOption('Property');
	await second.getByLabel('Operator').selectOption('contains');
	await second.getByLabel('Values').fill('@example.com\n@example.org');
	await preview.click();
	await dialog.getByText('Enter the name of the property.').waitFor();
	await second.getByLabel('Property name').fill('email');
	await dialog.getByRole('button', { name: 'Add condition' }).click();
	await conditionOf(dialog, 3).waitFor();
	await dialog.getByRole('button', { name: 'Remove condition 3' }).click();
	await second.getByLabel('Field').and(page.locator(':focus')).waitFor();
	await dialog.getByLabel('Undo period').selectOption('7 days');
	await preview.click();
	await dialog.getByText(`1 event (1 custom event) on ${long(daysAgo(2))} will be hidden.`).waitFor();
	await dialog.getByText(`You can undo this until ${inDays(7)}.`).waitFor();
	await dialog.getByText('and Property email contains @example.com, @example.org').waitFor();
	await dialog.getByText('New events are not affected.').waitFor();
	for (const kept of [
		'1 stored report about these days',
		'Dead letters: 2 events that could not be written',
		`Backup before an upgrade, made on ${long(daysAgo(0))}, expires on`,
		'Exports and backups that you made yourself are not changed.',
	])
		await dialog.getByText(kept).waitFor();
	await dialog.getByRole('button', { name: 'Delete 1 event' }).press('Enter');
	const confirmation = page.getByRole('dialog', { name: 'Delete 1 event?' });
	await confirmation.getByRole('button', { name: 'Back' }).click();
	await dialog.getByText('1 stored report about these days').waitFor();
	await dialog.getByRole('button', { name: 'Delete 1 event' }).press('Enter');
	await confirmation.getByText(`You can undo this until ${inDays(7)}.`).waitFor();
	await focusIn(page, 'dialog');
	await page.keyboard.press('Tab');
	await page.keyboard.press('Tab');
	await page.keyboard.press('Enter');
	await page.getByText('Events removed from all statistics.').waitFor();
	assert.equal(await page.getByRole('dialog').count(), 0);

	const row = page.getByRole('list', { name: 'Deleted data' }).getByRole('listitem');
	await row.getByText(/^Hidden\. Can be undone until .+\.$/).waitFor();
	const text = ((await row.textContent()) ?? '').replace(/\s+/g, ' ');
	assert.match(text, /Path is \/thanks/);
	assert.match(text, /and Property email contains @example\.com, @example\.org/);
	assert.match(text, /1 event on /);
	await page.getByRole('button', { name: 'Delete data by filter' }).and(page.locator(':focus')).waitFor();
	await row.getByRole('button', { name: 'Undo' }).press('Enter');
	await row.getByText(/^Undone on .+\.$/).waitFor();
	await row.and(page.locator(':focus')).waitFor();
	assert.equal(await page.getByText('Events removed from all statistics.').count(), 0);
	assert.equal(await row.getByRole('button').count(), 0);

	// Deleted for good, without the values.
	await d.w.sql(
		`UPDATE deletions SET state = 'deleted', ended_at = now(),
			selection = jsonb_set(jsonb_set(selection, '{conditions,0,values}', '[]'), '{conditions,1,values}', '[]')
		WHERE website_id = $1`,
		[website.id],
	);
	await page.reload();
	await row.getByText(/^Deleted from disk on .+\.$/).waitFor();
	await row.getByText('Path is (values deleted)').waitFor();
});

test('[C-HIDE-10][C-HIDE-11] deleting as soon as possible needs the domain, and editors cannot delete', async () => {
	const website = await create();
	const page = await openTab(website, 'data');
	const dialog = await openFilter(page);
	await fillPath(dialog, '/');
	await dialog.getByLabel('Undo period').selectOption('None: delete as soon as possible');
	await dialog.getByRole('button', { name: 'Preview' }).click();
	await dialog.getByText('deleted from disk as soon as possible. This cannot be undone.').waitFor();
	await dialog.getByRole('button', { name: 'Delete 5 events' }).click();
	const typed = page.getByRole('dialog', { name: 'Delete 5 events?' });
	await typed.getByLabel(`Type ${website.domain} to confirm`).and(page.locator(':focus')).waitFor();
	await typed.getByRole('button', { name: 'Delete 5 events' }).click();
	await typed.getByText(`The name does not match ${website.domain}.`).waitFor();
	await typed.getByLabel(`Type ${website.domain} to confirm`).fill(website.domain);
	await typed.getByRole('button', { name: 'Delete 5 events' }).click();
	await page.getByText(/Hidden\. Will be deleted from disk soon\.|Deleted from disk on/).waitFor();
	assert.equal(await viewsOf(website), 0);
	assert.equal(await page.getByRole('dialog').count(), 0);

	const editing = await openTab(website, 'data', await addEditor(website));
	await editing.getByRole('heading', { name: 'Data retention' }).waitFor();
	assert.equal(await editing.getByText('Delete data by filter').count(), 0);
});

test('[C-HIDE-9][C-HIDE-10] the dialogs say when data retention ends the undo, and ask for the domain if that is soon', async () => {
	const website = await create();
	await addRule(website, backOffice);
	const view = { kind: 'pageview', name: 'pageview', date: daysAgo(33) } as const;
	await storeEvents(d.w, website.id, [
		{ ...view, event_id: '11', path: '/admin/old' },
		{ ...view, event_id: '12', path: '/old' },
	]);
	await d.w.sql('UPDATE websites SET retention_months = 1 WHERE id = $1', [website.id]);
	const page = await openTab(website, 'exclusions');
	await page.getByRole('button', { name: 'Apply to past traffic: Back office' }).click();
	const dialog = page.getByRole('dialog');
	await dialog.getByText('3 events (3 page views)').waitFor();
	await dialog.getByText('deleted from disk as soon as possible. This cannot be undone.').waitFor();
	assert.equal(await dialog.getByText('You can undo this').count(), 0);
	await dialog.getByRole('button', { name: 'Hide past traffic' }).click();
	await dialog.getByText(`The name does not match ${website.domain}.`).waitFor();
	await assertAccessible(page);
	await dialog.getByLabel(`Type ${website.domain} to confirm`).fill(website.domain);
	await dialog.getByRole('button', { name: 'Hide past traffic' }).click();
	await dialog.waitFor({ state: 'detached' });

	await page.goto(`${d.w.base}/websites/${website.id}/settings/data`);
	await openFilter(page);
	await fillPath(dialog, '/old');
	await dialog.getByLabel('Undo period').selectOption('7 days');
	await dialog.getByRole('button', { name: 'Preview' }).click();
	await dialog.getByText('deleted from disk as soon as possible. This cannot be undone.').waitFor();
	await dialog.getByRole('button', { name: 'Delete 1 event' }).click();
	await dialog.getByLabel(`Type ${website.domain} to confirm`).waitFor();
	await dialog.getByRole('button', { name: 'Back' }).click();
	await dialog.getByRole('button', { name: 'Back' }).click();
	// Of two days ago: retention deletes it before 30 days are over.
	await fillPath(dialog, '/about');
	await dialog.getByLabel('Undo period').selectOption('30 days');
	await dialog.getByRole('button', { name: 'Preview' }).click();
	const [year = 0, month = 0, date = 0] = daysAgo(2).split('-').map(Number);
	const lastOfNext = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
	const end = new Date(Date.UTC(year, month, Math.min(date, lastOfNext))).toISOString().slice(0, 10);
	await dialog.getByText(`You can undo this until ${long(end)}.`).waitFor();
	await dialog.getByRole('button', { name: 'Delete 1 event' }).click();
	await dialog.getByRole('button', { name: 'Delete 1 event' }).waitFor();
	assert.equal(await dialog.getByLabel(`Type ${website.domain} to confirm`).count(), 0);
});

test('[C-HIDE-13][C-HIDE-14] the dialog says what is hidden already, and which referrers stay', async () => {
	const website = await create();
	const rule = await addRule(website, backOffice);
	await storeEvents(d.w, website.id, [
		{
			...{ kind: 'pageview', name: 'pageview', date: daysAgo(2), event_id: '11', path: '/home' },
			...{ referrer: `${website.domain}/admin/users`, source: 'internal' },
		},
	]);
	assertStatus(
		await owner.api('POST', `/websites/${website.id}/deletions`, { json: { rule_id: rule } }),
		201,
	);
	const page = await openTab(website, 'data');
	const dialog = await openFilter(page);
	await conditionOf(dialog, 1).getByLabel('Values').fill('/admin/users\n/about');
	await dialog.getByRole('button', { name: 'Preview' }).click();
	await dialog.getByText(`1 event (1 page view) on ${long(daysAgo(2))} will be hidden.`).waitFor();
	await dialog.getByText('1 matching event is already hidden by another deletion.').waitFor();
	await dialog.getByText('1 event of another page has a matching path in its referrer, and stays.').waitFor();
	await dialog.getByText('To delete it as well, use a filter on the referrer.').waitFor();
	await assertAccessible(page);
	await dialog.getByRole('button', { name: 'Back' }).click();
	await conditionOf(dialog, 1).getByLabel('Values').fill('/admin/users');
	await dialog.getByRole('button', { name: 'Preview' }).click();
	await dialog.getByText('1 matching event is already hidden by another deletion.').waitFor();
	assert.equal(await dialog.getByText('No events match.').count(), 0);
	await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
	await dialog.getByText(`You can undo this until ${inDays(30)}.`).waitFor();
	await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
	await page.getByText('Events removed from all statistics.').waitFor();
	const [row] = await page.getByRole('list', { name: 'Deleted data' }).getByRole('listitem').all();
	assert.match((await row?.textContent()) ?? '', /Path\s+is \/admin\/users.*1 event on /);
	await page
		.getByRole('listitem')
		.filter({ hasText: 'Traffic rule: Back office' })
		.getByRole('button', { name: 'Undo' })
		.click();
	await page.getByText(/^Undone on .+\.$/).waitFor();
	// Of five page views, all but the one that the filter hides.
	assert.equal(await viewsOf(website), 4);
});

for (const look of looks)
	test(`[C-HIDE-10] deletions and their dialogs fit: ${look.theme}${look.phone ? ', phone' : ''}`, async () => {
		const website = await create();
		await addRule(website, backOffice);
		await addRule(website, uptime);
		await keepElsewhere(website);
		const page = await openTab(website, 'exclusions', owner, look);
		const check = async () => {
			await assertFits(page);
			await assertAccessible(page);
		};
		await page.getByRole('button', { name: 'Apply to past traffic: Back office' }).click();
		await page.getByText('2 events (2 page views)').waitFor();
		await check();
		await page.getByRole('button', { name: 'Hide past traffic' }).click();
		await page.getByText('2 past events hidden.').waitFor();
		await check();

		await page.goto(`${d.w.base}/websites/${website.id}/settings/data`);
		const dialog = await openFilter(page);
		await dialog.getByRole('button', { name: 'Add condition' }).click();
		await conditionOf(dialog, 2).getByLabel('Field').selectOption('Property');
		await conditionOf(dialog, 2).getByLabel('Property name').fill('email');
		await conditionOf(dialog, 2).getByLabel('Values').fill('a-long-name-without-a-break@mail.example.com');
		await dialog.getByRole('button', { name: 'Preview' }).click();
		await dialog.getByText('Enter at least one value.').waitFor();
		await check();
		await dialog.getByRole('button', { name: 'Remove condition 2' }).click();
		await conditionOf(dialog, 1).getByLabel('Operator').selectOption('contains');
		await conditionOf(dialog, 1)
			.getByLabel('Values')
			.fill(`thanks\n/${'a-long-path-without-a-break-'.repeat(4)}`);
		await dialog.getByRole('button', { name: 'Preview' }).click();
		await dialog.getByText('The same data may also be in').waitFor();
		await check();
		await dialog.getByRole('button', { name: 'Delete 2 events' }).click();
		await page.getByRole('dialog', { name: 'Delete 2 events?' }).waitFor();
		await check();
		await page
			.getByRole('dialog', { name: 'Delete 2 events?' })
			.getByRole('button', { name: 'Delete 2 events' })
			.click();
		await page.getByText('Events removed from all statistics.').waitFor();
		await check();
	});

test('[C-HIDE-8][C-HIDE-9] a deletion that is refused, or whose response is lost, is explained', async () => {
	const website = await create();
	await addRule(website, backOffice);
	for (let n = 0; n < 20; n++)
		await d.w.sql(
			`INSERT INTO deletions (website_id, selection, state, revision, dates, events, pageviews, since_batch, delete_at, created_at)
			VALUES ($1, $2, 'hidden', $3, '{}', 0, 0, 0, now() + interval '1 day', now())`,
			[
				website.id,
				JSON.stringify({
					conditions: [{ field: 'path', property: null, test: 'is', values: [`/${n}`] }],
					from: null,
					to: null,
					untilMs: 0,
				}),
				n + 1,
			],
		);
	const page = await openTab(website, 'exclusions');
	const apply = page.getByRole('button', { name: 'Apply to past traffic: Back office' });
	await apply.click();
	const dialog = page.getByRole('dialog');
	await dialog.getByRole('button', { name: 'Hide past traffic' }).click();
	await dialog.getByRole('alert').getByText('Too many deletions can still be undone.').waitFor();
	await d.w.sql("UPDATE deletions SET state = 'undone', ended_at = now() WHERE website_id = $1", [
		website.id,
	]);
	await page.route('**/deletions', async (route) => {
		if (route.request().method() === 'GET') return route.continue();
		await route.fetch();
		return route.abort();
	});
	await dialog.getByRole('button', { name: 'Hide past traffic' }).click();
	await dialog.getByRole('alert').getByText('The server cannot be reached.').waitFor();
	await page.getByText('2 past events hidden.').waitFor();
	await page.unroute('**/deletions');
	await dialog.getByRole('button', { name: 'Hide past traffic' }).click();
	await dialog.getByRole('alert').getByText('No events match.').waitFor();
});

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { send } from '../support/client.ts';
import { assertStatus, freshDomain, itemsOf, type Website, websiteOf } from '../support/contract.ts';
import { assertAccessible, assertFits, looks, openDashboard } from '../support/dashboard.ts';
import { until } from '../support/service.ts';
import type { TestAccount } from '../support/world.ts';

const d = await openDashboard({ after });
const owner = await d.account();

const create = async (form: Record<string, string> = {}) =>
	websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain(), ...form } }), 201);
const read = async ({ id }: Website) => websiteOf(await owner.api('GET', `/websites/${id}`));
const settingsOf = async ({ id }: Website) => {
	const answer = await owner.api('GET', `/websites/${id}/settings`);
	assertStatus(answer, 200);
	return (answer.json as { data: Record<string, unknown> }).data;
};
const open = ({ id }: Website, room = '', as: TestAccount = owner, look = looks[0]) =>
	d.open(`/websites/${id}/settings${room && `/${room}`}`, as, look);
/** The part of a room that has this heading. */
const part = (page: Page, heading: string) =>
	page.locator('section').filter({ has: page.getByRole('heading', { name: heading, exact: true }) });
const saveButton = (page: Page, name = 'Save changes') => page.getByRole('button', { name, exact: true });
/** Saves what the bar at the bottom names. */
async function save(page: Page, heading: string, button?: string) {
	await page.getByRole('status').getByText(heading, { exact: true }).waitFor();
	await saveButton(page, button).click();
	await page.getByText('Saved', { exact: true }).waitFor();
	assert.equal(await saveButton(page, button).count(), 0);
}
async function toggle(page: Page, heading: string, label: string, isOn: boolean) {
	await page.getByRole('switch', { name: label }).click();
	await save(page, heading);
	await page.getByRole('switch', { name: label, checked: isOn }).waitFor();
}
/** How many people have the website as a favorite. */
const countFavorites = async ({ id }: Website): Promise<number> =>
	(await d.w.sql('SELECT 1 FROM favorites WHERE website_id = $1', [id])).length;
async function addMember(website: Website, role: string) {
	const member = await d.account();
	await d.w.sql(
		'INSERT INTO members (owner_id, website_id, member_id, role, created_at) VALUES ($1, $2, $3, $4, now())',
		[owner.id, website.id, member.id, role],
	);
	return member;
}

test('every field of a website is set in its room and read back through the API', async (t) => {
	const website = await create({ timezone: 'UTC' });
	const page = await open(website);

	await t.test('timezone', async () => {
		await page.getByLabel('Time zone').fill('Nowhere');
		await saveButton(page).click();
		await page.getByText('Enter a valid time zone').waitFor();
		await page.getByLabel('Time zone').fill('Asia/Tokyo');
		await save(page, 'Time zone');
		assert.equal((await read(website)).timezone, 'Asia/Tokyo');
	});
	await t.test('favorite', async () => {
		await toggle(page, 'Favorite', 'Pin to the top of the website list', true);
		assert.equal(await countFavorites(website), 1);
		assert.equal((await read(website)).favorite, 0, 'the favorite is the person’s');
		await toggle(page, 'Favorite', 'Pin to the top of the website list', false);
		assert.equal(await countFavorites(website), 0);
	});
	await t.test('labels', async () => {
		await page.getByLabel('Labels').fill('Shop, Berlin');
		await save(page, 'Labels');
		assert.deepEqual((await settingsOf(website)).labels, ['Shop', 'Berlin']);
	});
	await t.test('hostnames, and a line that is none', async () => {
		await page.getByLabel('Allowed hostnames').fill('https://a.example/');
		await saveButton(page).click();
		await page.getByText('Line 1 is not a valid hostname').waitFor();
		assert.equal((await settingsOf(website)).hostnames, null);
		await page.getByLabel('Allowed hostnames').fill('a.example\n!old.a.example');
		await save(page, 'Hostnames');
		assert.equal((await settingsOf(website)).hostnames, 'a.example\n!old.a.example');
	});
	const go = async (room: string) => {
		await page.getByRole('navigation').getByRole('link', { name: room, exact: true }).click();
		await page.getByRole('heading', { level: 1, name: room }).waitFor();
	};
	await t.test('privacy and password', async () => {
		await go('Sharing');
		await page.getByRole('radio', { name: 'Password' }).check();
		await saveButton(page).click();
		await page.getByText('Enter a password.').waitFor();
		await page.getByRole('textbox', { name: 'Password' }).fill('low tide');
		await save(page, 'Visibility');
		const stored = await read(website);
		assert.deepEqual([stored.privacy, stored.has_password], [2, true]);
		assert.equal(await page.getByRole('textbox', { name: 'New password' }).inputValue(), '');
		await page.getByRole('radio', { name: 'Private' }).check();
		await save(page, 'Visibility');
		assert.deepEqual([(await read(website)).privacy, (await read(website)).has_password], [1, true]);
		await page.getByText('Change its visibility to share it').waitFor();
		await page.getByRole('button', { name: 'Remove password' }).click();
		await page.getByRole('button', { name: 'Remove password' }).waitFor({ state: 'detached' });
		assert.equal((await read(website)).has_password, false);
		await page.getByRole('radio', { name: 'Public' }).check();
		await save(page, 'Visibility');
		assert.equal((await read(website)).privacy, 0);
		assert.equal(
			await page.getByLabel('Link to the statistics').inputValue(),
			`${d.w.base}/websites/${website.id}`,
		);
	});
	await t.test('indexable', async () => {
		await toggle(page, 'Search engines', 'Allow search engines to index these statistics', true);
		assert.equal((await settingsOf(website)).indexable, 1);
	});
	await t.test('email', async () => {
		await go('Reports');
		await toggle(page, 'Email', 'Email reports', true);
		assert.equal((await read(website)).email, 1);
	});
	await t.test('exclude_bots and honour_signals', async () => {
		await go('Exclusions');
		await toggle(page, 'Bots', 'Exclude bots', false);
		await toggle(page, 'Privacy signals', 'Respect Global Privacy Control', false);
		assert.equal((await read(website)).exclude_bots, 0);
		assert.equal((await settingsOf(website)).honour_signals, 0);
	});
	await t.test('exclude_ips, with the own address', async () => {
		await page.getByLabel('IP addresses and networks').fill('10.0.0.0/8');
		await page.getByRole('button', { name: 'Add my IP address' }).click();
		await page.getByText('127.0.0.1 added. Save to apply.').waitFor();
		assert.equal((await read(website)).exclude_ips, null, 'not before it is saved');
		await save(page, 'IP addresses');
		assert.equal((await read(website)).exclude_ips, '10.0.0.0/8\n127.0.0.1');
		await page.getByRole('button', { name: 'Add my IP address' }).click();
		assert.equal(await page.getByLabel('IP addresses and networks').inputValue(), '10.0.0.0/8\n127.0.0.1');
		await page.getByLabel('IP addresses and networks').fill('nowhere');
		await saveButton(page).click();
		await page.getByText('Line 1 is not a valid IP address').waitFor();
		await page.getByRole('button', { name: 'Discard' }).click();
		assert.equal(await page.getByLabel('IP addresses and networks').inputValue(), '10.0.0.0/8\n127.0.0.1');
	});
	await t.test('exclude_params', async () => {
		await page.getByLabel('Parameter names').fill('session\nref');
		await save(page, 'Query parameters');
		assert.equal((await read(website)).exclude_params, 'session\nref');
		assert.equal(
			await page.getByLabel('Opt-out link for this browser').inputValue(),
			`https://${website.domain}/#tidemark-ignore`,
		);
	});
	await t.test('retention_months, and what it deletes', async () => {
		await go('Data');
		const months = page.getByLabel('Retention in months');
		await months.fill('0');
		await saveButton(page).click();
		await page.getByText('whole number from 1 to 120').waitFor();
		await months.fill('24');
		const [year, month, day] = new Intl.DateTimeFormat('sv', { timeZone: 'Asia/Tokyo' })
			.format(new Date())
			.split('-')
			.map(Number);
		const first = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' }).format(
			Date.UTC((year ?? 0) - 2, (month ?? 1) - 1, day),
		);
		await page.getByText(`before ${first} are permanently deleted`).waitFor();
		await save(page, 'Data retention', 'Save and delete older data');
		assert.equal((await settingsOf(website)).retention_months, 24);
		await months.fill('');
		await page.getByText('Leave empty to keep events and visits forever').waitFor();
		await save(page, 'Data retention');
		assert.equal((await settingsOf(website)).retention_months, null);
	});
	await t.test('what was set is there after a reload', async () => {
		await page.goto(`${d.w.base}/websites/${website.id}/settings/exclusions`);
		await page.getByRole('switch', { name: 'Exclude bots', checked: false }).waitFor();
		assert.equal(await page.getByLabel('Parameter names').inputValue(), 'session\nref');
	});
});

test('settings save together, and nothing that was typed is lost without a question', async () => {
	for (const look of [{ phone: false }, { phone: true }]) {
		const website = await create({ timezone: 'UTC' });
		const page = await open(website, '', owner, look);
		const labels = page.getByLabel('Labels');
		const bar = page.getByRole('status').filter({ hasText: 'Unsaved changes' });
		await labels.fill('Shop');
		await labels.fill('');
		await bar.waitFor({ state: 'detached' });

		await page.getByLabel('Time zone').fill('Asia/Tokyo');
		await labels.fill('Shop');
		await page.getByRole('switch').click();
		await bar.getByText('Time zone, Labels, and Favorite', { exact: true }).waitFor();
		const box = await saveButton(page).boundingBox();
		const height = page.viewportSize()?.height ?? 0;
		assert.ok(box && box.y + box.height <= height, 'the bar is in sight wherever the page is');
		await assertAccessible(page);
		await assertFits(page);

		await page.getByRole('link', { name: website.domain }).first().click();
		const dialog = page.getByRole('dialog');
		await dialog.getByText('Your changes are not saved').waitFor();
		await dialog.getByRole('button', { name: 'Cancel' }).click();
		assert.match(page.url(), /\/settings$/);
		assert.equal(await labels.inputValue(), 'Shop');

		// A link to this page leads nowhere.
		if (!look.phone) await page.getByRole('navigation').getByRole('link', { name: 'General' }).click();
		assert.equal(await dialog.count(), 0);
		assert.equal(await labels.inputValue(), 'Shop');

		// One that is wrong does not hold back the others.
		await page.getByLabel('Time zone').fill('Nowhere');
		await labels.press('Enter');
		await page.getByText('Enter a valid time zone').waitFor();
		await bar.getByText('Time zone', { exact: true }).waitFor();
		// After all were tried, the focus is on what is wrong.
		await page.getByLabel('Time zone').and(page.locator(':focus')).waitFor();
		assert.deepEqual((await settingsOf(website)).labels, ['Shop']);
		assert.deepEqual([await countFavorites(website), (await read(website)).timezone], [1, 'UTC']);

		await page.getByRole('button', { name: 'Discard' }).click();
		await bar.waitFor({ state: 'detached' });
		assert.equal(await page.getByLabel('Time zone').inputValue(), 'UTC');
		assert.equal(await page.getByText('Enter a valid time zone').count(), 0);

		// What is typed while it is saved stays, and is not saved.
		let goOn = () => {};
		const isHeld = new Promise<void>((resolve) => {
			goOn = resolve;
		});
		await page.route('**/app/api/websites/*/settings', async (route) => {
			await isHeld;
			await route.continue();
		});
		await labels.fill('Shop,one');
		await labels.press('Enter');
		await labels.fill('Shop, one, two');
		goOn();
		await until(
			async () => String((await settingsOf(website)).labels) === 'Shop,one',
			5_000,
			'what was sent is stored',
		);
		assert.equal(await labels.inputValue(), 'Shop, one, two');
		await save(page, 'Labels');
		assert.deepEqual((await settingsOf(website)).labels, ['Shop', 'one', 'two']);

		await labels.fill('Never saved');
		await page.getByRole('link', { name: website.domain }).first().click();
		await dialog.getByRole('button', { name: 'Leave' }).click();
		await page.waitForURL(`${d.w.base}/websites/${website.id}`);
		assert.deepEqual((await settingsOf(website)).labels, ['Shop', 'one', 'two']);
	}
});

test('a rename keeps id and snippet, and refuses a domain that is taken', async () => {
	const website = await create();
	const other = await create();
	const page = await open(website);
	await page.getByText(`keeps the website’s ID (${website.id})`).waitFor();
	const field = page.getByRole('textbox', { name: 'Domain' });
	await field.fill(other.domain);
	await saveButton(page).click();
	await page.getByText(`You already have a website ${other.domain}.`).waitFor();
	const domain = freshDomain();
	await field.fill(`https://www.${domain}/`);
	await save(page, 'Domain');
	await page.getByRole('banner').getByRole('link', { name: domain }).waitFor();
	assert.equal(await field.inputValue(), domain, 'as it is stored');
	const renamed = await read(website);
	assert.deepEqual([renamed.id, renamed.domain], [website.id, domain]);
	assert.equal(
		await page.getByRole('link', { name: 'Installation guides' }).getAttribute('href'),
		`/websites/${website.id}/install`,
	);
});

test('goals are added, edited and deleted', async () => {
	const website = await create();
	const page = await open(website, 'goals');
	const list = async () => itemsOf('goals', await owner.api('GET', `/websites/${website.id}/goals`)).data;
	await page.getByText('No goals yet').waitFor();
	await page.getByRole('button', { name: 'Add goal' }).click();
	const dialog = page.getByRole('dialog');
	await dialog.getByLabel('Name', { exact: true }).fill('Newsletter');
	await dialog.getByLabel('Page path').fill('thanks');
	await dialog.getByRole('button', { name: 'Save' }).click();
	await dialog.getByText('A path starts with / or *').waitFor();
	assert.deepEqual(await list(), []);
	await dialog.getByLabel('Page path').fill('/thanks*');
	await dialog.getByRole('button', { name: 'Save' }).click();
	await page.getByRole('listitem').filter({ hasText: '/thanks*' }).waitFor();
	const [made] = await list();
	assert.ok(made);
	assert.deepEqual(
		[made.name, made.kind, made.pattern, made.property],
		['Newsletter', 'page', '/thanks*', null],
	);

	await page.getByRole('button', { name: 'Edit Newsletter' }).click();
	await dialog.getByRole('radio', { name: 'Event' }).check();
	await dialog.getByLabel('Event name').fill('signup');
	await dialog.getByLabel('Property').fill('plan');
	await dialog.getByRole('button', { name: 'Save' }).click();
	await dialog.getByText('Enter a value for the property.').waitFor();
	await dialog.getByLabel('Value').fill('pro');
	await dialog.getByRole('button', { name: 'Save' }).click();
	await page.getByRole('listitem').filter({ hasText: 'plan is pro' }).waitFor();
	const [edited] = await list();
	assert.deepEqual(
		[edited?.kind, edited?.pattern, edited?.property],
		['event', 'signup', { name: 'plan', value: 'pro' }],
	);

	await page.getByRole('button', { name: 'Edit Newsletter' }).click();
	await dialog.getByLabel('Operator').selectOption({ label: 'is at least' });
	await dialog.getByRole('button', { name: 'Save' }).click();
	await dialog.getByText('Enter a number, such as 10 or 19.99.').waitFor();
	await dialog.getByLabel('Value').fill('1,000');
	await dialog.getByRole('button', { name: 'Save' }).click();
	await page.getByRole('listitem').filter({ hasText: 'plan is at least 1000' }).waitFor();
	assert.deepEqual((await list())[0]?.property, { name: 'plan', test: 'at_least', value: '1000' });

	await page.getByRole('button', { name: 'Delete Newsletter' }).click();
	await assertAccessible(page);
	await dialog.getByRole('button', { name: 'Delete' }).click();
	await page.getByText('No goals yet').waitFor();
	assert.deepEqual(await list(), []);
});

test('what was not counted is told with its reason, and a hostname of ours can be counted', async () => {
	const website = await create();
	const page = await open(website, 'drops');
	await page.getByText('No excluded traffic').waitFor();
	const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
	let hits = 0;
	const hit = (host: string, userAgent = agent) =>
		send(d.w.base, 'POST', '/tm', {
			body: JSON.stringify({
				w: website.id,
				i: `d${website.id}${++hits}`,
				n: 'pageview',
				u: `https://${host}/`,
			}),
			headers: { 'user-agent': userAgent },
		});
	const shop = `shop-${freshDomain()}`;
	await hit(shop);
	await hit(shop);
	await hit(website.domain, 'Googlebot/2.1');
	for (let total = 0; total < 3; ) {
		const answer = await owner.api('GET', `/websites/${website.id}/drops`);
		total = (answer.json as { data: { total: number } }).data.total;
	}
	await page.reload();
	await page.getByText('3 hits were excluded.').waitFor();
	const reasons = part(page, 'By reason').getByRole('listitem');
	assert.match((await reasons.nth(0).textContent()) ?? '', /^Unknown hostname2The/);
	assert.match((await reasons.nth(1).textContent()) ?? '', /^Bot1A/);
	const days = part(page, 'By day').locator('tbody tr');
	assert.match((await days.textContent()) ?? '', /Unknown hostname 2, Bot 13$/);
	await page.getByRole('button', { name: `Allow ${shop}` }).click();
	await page.getByText('Allowed', { exact: true }).waitFor();
	assert.equal(
		(await settingsOf(website)).hostnames,
		`${website.domain}\n*.${website.domain}\n${shop}`,
		'the domain goes on counting',
	);
	assert.equal((await hit(shop)).headers['x-tidemark-dropped'], undefined);
	await page.getByLabel('Period').selectOption('Last 7 days');
	await page.waitForURL(/\?period=7d$/);
});

test('statistics are emptied and a website is deleted by whoever types its domain', async () => {
	const website = await create();
	const page = await open(website, 'data');
	const dialog = page.getByRole('dialog');
	await page.getByRole('button', { name: 'Reset' }).click();
	await dialog.getByRole('textbox').fill('another.example');
	await dialog.getByRole('button', { name: 'Reset statistics' }).click();
	await dialog.getByText(`The name does not match ${website.domain}.`).waitFor();
	await assertAccessible(page);
	await dialog.getByRole('textbox').fill(website.domain);
	await dialog.getByRole('button', { name: 'Reset statistics' }).click();
	await page.getByText('Statistics reset.').waitFor();
	const [tombstone] = await d.w.sql('SELECT is_reset FROM tombstones WHERE website_id = $1', [website.id]);
	assert.deepEqual(tombstone, { is_reset: true });

	await page.getByRole('button', { name: 'Delete website' }).click();
	await dialog.getByRole('button', { name: 'Delete website' }).click();
	await dialog.getByText(`The name does not match ${website.domain}.`).waitFor();
	assert.equal((await owner.api('GET', `/websites/${website.id}`)).status, 200);
	await dialog.getByRole('textbox').fill(website.domain);
	await dialog.getByRole('button', { name: 'Delete website' }).click();
	await page.waitForURL(`${d.w.base}/websites`);
	assert.equal((await owner.api('GET', `/websites/${website.id}`)).status, 404);
	await page.goto(`${d.w.base}/websites/${website.id}/settings`);
	await page.getByText('Page not found').waitFor();
});

test('the data of a website is downloaded from its room', async () => {
	const website = await create();
	const page = await open(website, 'data');
	const here = part(page, 'Export');
	await here.getByLabel('Data').selectOption('totals');
	await here.getByLabel('From').fill('2026-10-02');
	await here.getByLabel('To').fill('2026-10-01');
	await here.getByText('The end date is before the start date.').waitFor();
	await here.getByLabel('To').fill('2026-10-03');
	const saving = page.waitForEvent('download');
	await here.getByRole('button', { name: 'Download' }).click();
	const saved = await saving;
	assert.equal(saved.suggestedFilename(), `${website.domain}-totals-2026-10-02-2026-10-03.csv`);
	const text = await readFile(await saved.path(), 'utf8');
	assert.match(text, /^date,dimension,value,is_other,visitors,[^\n]+\r\n$/);
	await here.getByText('Download started.', { exact: false }).waitFor();
	const viewing = await open(website, 'data', await addMember(website, 'viewer'));
	await part(viewing, 'Data retention').waitFor();
	assert.equal(await part(viewing, 'Export').count(), 0);
});

test('[T85][T89] viewers look, editors change, admins rule, strangers find nothing', async () => {
	const website = await create({ privacy: '0', exclude_ips: '203.0.113.7' });
	const viewer = await addMember(website, 'viewer');
	const page = await open(website, '', viewer);
	await page.getByText('You have view-only access.').waitFor();
	assert.equal(await page.getByRole('button', { name: /^Save/ }).count(), 0);
	assert.ok(await page.getByRole('textbox', { name: 'Domain' }).isDisabled());
	assert.ok(await page.getByRole('switch').isDisabled());
	await assertAccessible(page);
	for (const room of ['sharing', 'goals', 'exclusions', 'drops', 'alerts', 'reports', 'data']) {
		await page.goto(`${d.w.base}/websites/${website.id}/settings/${room}`);
		const isForAdmins = ['sharing', 'alerts', 'data'].includes(room);
		await page
			.getByText(isForAdmins ? 'Only admins of this website' : 'You have view-only access.')
			.waitFor();
		assert.equal(
			await page.getByRole('button', { name: /Save|Add|Delete|Reset|Remove|Allow/ }).count(),
			0,
			room,
		);
	}

	await page.goto(`${d.w.base}/websites/${website.id}/settings/exclusions`);
	await page.getByText('Only editors and admins of this website can see this list.').waitFor();
	assert.equal(await page.getByText('203.0.113.7').count(), 0);

	const editor = await addMember(website, 'editor');
	const edited = await open(website, '', editor);
	await edited.getByLabel('Labels').fill('by an editor');
	assert.ok(await edited.getByRole('textbox', { name: 'Domain' }).isDisabled());
	await save(edited, 'Labels');
	assert.deepEqual((await settingsOf(website)).labels, ['by an editor']);
	// Who sees the statistics, what is deleted and where data goes is for admins.
	for (const room of ['sharing', 'alerts', 'data']) {
		await edited.goto(`${d.w.base}/websites/${website.id}/settings/${room}`);
		await edited.getByText('Only admins of this website can change these settings.').waitFor();
		assert.equal(await edited.getByRole('button', { name: /Save|Add|Delete|Reset|Remove/ }).count(), 0, room);
	}
	await edited.goto(`${d.w.base}/websites/${website.id}/settings`);
	// The role is taken away while the page is open.
	await edited.getByLabel('Labels').fill('too late');
	await d.w.sql("UPDATE members SET role = 'viewer' WHERE member_id = $1", [editor.id]);
	await saveButton(edited).click();
	await edited.getByText('Your role does not allow this.').waitFor();
	await edited.getByText('You have view-only access.').waitFor();
	assert.deepEqual((await settingsOf(website)).labels, ['by an editor']);

	const admin = await addMember(website, 'admin');
	const ruled = await open(website, 'data', admin);
	await ruled.getByRole('button', { name: 'Delete website' }).waitFor();
	// What everybody may see has no settings for everybody.
	const stranger = await open(website, '', await d.account());
	await stranger.getByText('Page not found').waitFor();
});

test('[T80] what is changed in a room is written down once, with who and what', async () => {
	const website = await create();
	const admin = await addMember(website, 'admin');
	const page = await open(website, 'sharing', admin);
	await toggle(page, 'Search engines', 'Allow search engines to index these statistics', true);
	await page.getByRole('radio', { name: 'Private' }).check();
	await save(page, 'Visibility');
	const rows = await d.w.sql(
		'SELECT account_id::int AS account, key_id AS key, what FROM changes WHERE website_id = $1 AND account_id = $2 ORDER BY id',
		[website.id, admin.id],
	);
	assert.deepEqual(rows, [
		{ account: admin.id, key: null, what: 'updateSettings' },
		{ account: admin.id, key: null, what: 'updateWebsite' },
	]);
});

test('[T38] hostile texts in names are shown as the texts they are', async () => {
	const hostile = [
		'<img src=x onerror="document.title=1">',
		'"><script>document.title=1</script>',
		"javascript:alert(1)//'",
		'{{constructor.constructor("alert(1)")()}}',
		'$t(common.product)',
	];
	const website = await create();
	await owner.api('PATCH', `/websites/${website.id}/settings`, { json: { labels: hostile } });
	for (const [n, text] of hostile.entries())
		assertStatus(
			await owner.api('POST', `/websites/${website.id}/goals`, {
				json: {
					name: text,
					kind: 'event',
					pattern: text,
					property: { name: text.slice(0, 50), value: `${text} ${n}` },
				},
			}),
			201,
		);
	await d.w.sql('INSERT INTO drops VALUES ($1, current_date, $2, 5)', [website.id, hostile[0]]);
	await d.w.sql('INSERT INTO foreign_hostnames VALUES ($1, current_date, $2, 5)', [website.id, hostile[1]]);
	const page = await open(website, 'goals');
	page.on('dialog', () => assert.fail('A dialog was opened.'));
	for (const text of hostile) {
		await page.getByText(text, { exact: true }).first().waitFor();
		await page.getByRole('button', { name: `Delete ${text}`, exact: true }).click();
		await page
			.getByRole('dialog')
			.getByRole('heading')
			.getByText(`Delete ${text}?`, { exact: true })
			.waitFor();
		await page.keyboard.press('Escape');
	}
	await page.goto(`${d.w.base}/websites/${website.id}/settings/drops`);
	await page.getByText(hostile[0] ?? '', { exact: true }).waitFor();
	await page.getByText(hostile[1] ?? '', { exact: true }).waitFor();
	await page.getByRole('button', { name: 'Allow' }).click();
	await page.getByText('Line 3 of hostnames').waitFor();
	await page.goto(`${d.w.base}/websites/${website.id}/settings`);
	await page.getByLabel('Labels').waitFor();
	assert.equal(await page.getByLabel('Labels').inputValue(), hostile.join(', '));
	assert.equal(await page.locator('img, main script').count(), 0);
	assert.match(await page.title(), /^General · /);
});

test('[T40] links of the settings lead to pages of ours', async () => {
	const website = await create();
	const page = await open(website);
	for (const room of ['', 'sharing', 'goals', 'exclusions', 'drops', 'alerts', 'reports', 'data']) {
		await page.goto(`${d.w.base}/websites/${website.id}/settings/${room}`.replace(/\/$/, ''));
		await page.locator('section, main p').first().waitFor();
		const hrefs = await page
			.locator('a[href]')
			.evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
		const leaving = hrefs.filter((href) => !/^(\/(?![/\\])|#)/.test(href));
		assert.deepEqual(leaving, [], room);
	}
});

test('a goal is added with the keyboard alone', async () => {
	const website = await create();
	const page = await open(website, 'goals');
	await page.getByText('No goals yet').waitFor();
	const focus = async (name: string) => {
		for (let tries = 0; tries < 40; tries++) {
			const found = await page.evaluate<string>(
				`document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.innerText ?? ''`,
			);
			if (found === name) return;
			await page.keyboard.press('Tab');
		}
		assert.fail(`${name} cannot be reached`);
	};
	await focus('Add goal');
	await page.keyboard.press('Enter');
	await page.getByRole('dialog').waitFor();
	const named = page.getByRole('dialog').getByLabel('Name', { exact: true });
	for (let tries = 0; tries < 9 && (await page.locator(':focus').count()) > 0; tries++) {
		if (await named.and(page.locator(':focus')).count()) break;
		await page.keyboard.press('Tab');
	}
	await page.keyboard.type('By keys');
	await page.keyboard.press('Tab');
	await page.keyboard.press('ArrowDown');
	await page.keyboard.press('Tab');
	await page.keyboard.type('pressed');
	await page.keyboard.press('Enter');
	await page.getByRole('listitem').filter({ hasText: 'pressed' }).waitFor();
	const { data } = itemsOf('goals', await owner.api('GET', `/websites/${website.id}/goals`));
	assert.deepEqual(
		data.map(({ name, kind, pattern }) => [name, kind, pattern]),
		[['By keys', 'event', 'pressed']],
	);
});

test('every room fits and is accessible in every look', async () => {
	const website = await create({ privacy: '2', password: 'low tide' });
	const goal = { name: 'Newsletter', kind: 'page', pattern: '/thanks*' };
	await owner.api('POST', `/websites/${website.id}/goals`, { json: goal });
	await owner.api('POST', `/websites/${website.id}/alerts`, { json: { kind: 'silence', channel: 'mail' } });
	await d.w.sql("INSERT INTO drops VALUES ($1, current_date, 'bot', 5)", [website.id]);
	await d.w.sql(
		"INSERT INTO foreign_hostnames VALUES ($1, current_date, 'a-long-name.of-a-copy.example', 5)",
		[website.id],
	);
	for (const look of looks) {
		const page = await open(website, '', owner, look);
		for (const room of ['', 'sharing', 'goals', 'exclusions', 'drops', 'alerts', 'reports', 'data']) {
			await page.goto(`${d.w.base}/websites/${website.id}/settings/${room}`.replace(/\/$/, ''));
			await page.locator('section, main li').first().waitFor();
			await assertAccessible(page);
			await assertFits(page);
		}
		if (look.phone) {
			await page.getByRole('button', { name: 'Settings: Data' }).click();
			await page.getByRole('menuitem', { name: 'Goals' }).click();
			await page.getByRole('heading', { level: 1, name: 'Goals' }).waitFor();
			await page.getByRole('button', { name: 'Add goal' }).click();
			await page.getByRole('dialog').waitFor();
			await assertAccessible(page);
			await assertFits(page);
		}
	}
});

test('the rooms speak German', async () => {
	const website = await create();
	const account = await d.account({ locale: 'de' });
	await d.w.sql(
		"INSERT INTO members (owner_id, website_id, member_id, role, created_at) VALUES ($1, $2, $3, 'admin', now())",
		[owner.id, website.id, account.id],
	);
	const page = await d.open(`/websites/${website.id}/settings/sharing`, account, { language: 'de-DE' });
	await page.getByRole('heading', { level: 1, name: 'Teilen' }).waitFor();
	await page.getByRole('radio', { name: 'Privat' }).check();
	await page.getByRole('button', { name: 'Änderungen speichern' }).click();
	await page.getByText('Gespeichert', { exact: true }).waitFor();
	assert.equal((await read(website)).privacy, 1);
});

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { z } from 'zod';
import { freshDomain, type Website, websiteOf } from '../support/contract.ts';
import { assertAccessible, assertFits, focusIn, looks, openDashboard } from '../support/dashboard.ts';
import { goodPassword, signedIn } from '../support/visitor.ts';
import type { TestAccount } from '../support/world.ts';

const d = await openDashboard({ after });

const create = async (of: TestAccount): Promise<Website> =>
	websiteOf(await of.api('POST', '/websites', { form: { domain: freshDomain(), privacy: '1' } }), 201);
const peoplePath = ({ id }: Website) => `/websites/${id}/settings/people`;

/** What the service answers to the page's own session. */
const ask = (page: Page, method: string, path: string, body?: unknown): Promise<number> =>
	page.evaluate(
		async ([how, where, sent]) =>
			(
				await fetch(`/app/api${where}`, {
					method: how ?? 'GET',
					...(sent && { body: sent, headers: { 'content-type': 'application/json' } }),
				})
			).status,
		[method, path, body === undefined ? '' : JSON.stringify(body)] as const,
	);

/** Makes an invitation as the owner's page does, and gives the path behind its link. */
async function invite(page: Page, role: 'Viewer' | 'Editor' | 'Admin', email = ''): Promise<string> {
	await page.getByRole('button', { name: 'Invite member' }).click();
	await page.getByLabel('Email address (optional)').fill(email);
	await page.getByRole('radio', { name: role }).check();
	await page.getByRole('button', { name: 'Create invitation link' }).click();
	const link = await page.getByLabel('Invitation link').inputValue();
	assert.match(link, /\/join#token=[\w-]{43}$/);
	assert.ok(link.startsWith(d.w.base), link);
	await page.getByRole('button', { name: 'Done' }).click();
	return link.slice(d.w.base.length);
}

/** The same without a page. */
async function inviteBy(owner: TestAccount, role: string, website?: Website, email?: string) {
	const browser = await signedIn(d.w, owner);
	const answer = await browser('POST', `${website ? `/websites/${website.id}` : ''}/people/invitations`, {
		json: { role, email },
	});
	const { link } = z.object({ data: z.object({ link: z.string() }) }).parse(answer.json).data;
	return link.slice(d.w.base.length);
}

async function joinBy(account: TestAccount, link: string): Promise<void> {
	const browser = await signedIn(d.w, account);
	const answer = await browser('POST', '/join', { json: { token: link.split('#token=')[1] } });
	assert.equal(answer.status, 200, answer.text);
}

/** Once it has come, it can be read by everybody and fits. */
async function look(page: Page, ready: string): Promise<void> {
	await page.getByText(ready).first().waitFor();
	await assertAccessible(page);
	await assertFits(page);
}

test('somebody without an account joins as viewer, becomes editor, and is removed while the page is open', async () => {
	const owner = await d.account({ name: 'Olga Owner' });
	const website = await create(owner);
	const desk = await d.open(peoplePath(website), owner);
	const link = await invite(desk, 'Viewer', 'vera@example.test');
	await desk.getByRole('list', { name: 'Invitations' }).getByText('vera@example.test').waitFor();

	const guest = await d.open(link, undefined, { phone: true });
	await guest.getByText(`Olga Owner invited you to ${website.domain}.`).waitFor();
	assert.equal(await guest.getByLabel('Email address').inputValue(), 'vera@example.test');
	await guest.getByLabel('Your name').fill('Vera Viewer');
	await guest.getByRole('textbox', { name: 'Password' }).fill('short');
	await guest.getByRole('button', { name: 'Create account and join' }).click();
	await guest.getByText('Use at least 10 characters.').waitFor();
	await guest.getByRole('textbox', { name: 'Password' }).fill(goodPassword);
	await guest.getByRole('button', { name: 'Create account and join' }).click();
	await guest.waitForURL(`${d.w.base}/websites/${website.id}`);
	await guest.getByText(website.domain).first().waitFor();
	// Without a mail server the operator confirms addresses.
	await guest.getByText('Your email address vera@example.test is not confirmed').waitFor();
	await d.w.operate('account.confirm', { email: 'vera@example.test' });

	// A viewer sees, and changes nothing.
	assert.equal(await ask(guest, 'GET', `/websites/${website.id}/stats?period=today`), 200);
	assert.equal(await ask(guest, 'PATCH', `/websites/${website.id}`, { email: 1 }), 403);
	assert.equal(await ask(guest, 'GET', `/websites/${website.id}/people`), 403);
	await guest.goto(`${d.w.base}/websites`);
	await guest.getByText('shared by Olga Owner').waitFor();
	// Favorites are everyone's own.
	const star = guest.getByRole('button', { name: /^Favorite/ });
	await star.click();
	await star.and(guest.locator('[aria-pressed=true]')).waitFor();
	const settings = `${d.w.base}/websites/${website.id}/settings`;
	await guest.goto(`${settings}/people`);
	await guest.getByText('Page not found').first().waitFor();
	await guest.goto(settings);
	const readOnly = guest.getByText('You have view-only access.');
	await readOnly.waitFor();

	// An editor changes.
	await desk.reload();
	await desk.getByLabel('Role of Vera Viewer').selectOption('Editor');
	await desk.waitForResponse((answer) => answer.url().endsWith(`/websites/${website.id}/people`));
	assert.equal(await ask(guest, 'PATCH', `/websites/${website.id}`, { email: 1 }), 200);
	await guest.reload();
	await guest.getByLabel('Labels').fill('of an editor');
	await guest.getByRole('button', { name: 'Save changes' }).waitFor();
	assert.equal(await readOnly.count(), 0);

	// Removed, with the page still open.
	await desk.getByRole('button', { name: 'Actions for Vera Viewer' }).click();
	await desk.getByRole('menuitem', { name: 'Remove' }).click();
	await desk.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
	await desk.getByText('No members yet').waitFor();
	assert.equal(await ask(guest, 'GET', `/websites/${website.id}`), 404);
	// Whatever is asked for next is refused, and the page says what is left of it.
	await guest.getByRole('button', { name: 'Save changes' }).click();
	await guest.getByText('Page not found').first().waitFor();
	const browser = await signedIn(d.w, { ...owner, email: 'vera@example.test' });
	assert.deepEqual(
		z.object({ data: z.array(z.unknown()) }).parse((await browser('GET', '/websites')).json).data,
		[],
	);

	// The owner can read it up.
	await desk.goto(`${d.w.base}/account/changes`);
	const list = desk.getByRole('list', { name: 'Activity log' });
	await list.getByText('Removed a member: Vera Viewer').waitFor();
	await list.getByText('Changed a role: Vera Viewer').waitFor();
	for (const what of ['Accepted an invitation', 'Created an invitation', 'Added the website'])
		await list.getByText(what).waitFor();
	await list.getByText('Vera Viewer · vera@example.test').first().waitFor();
});

test('whoever has an account signs in, comes back and accepts the whole account, sees new websites, and leaves', async () => {
	const owner = await d.account({ name: 'Olaf' });
	await create(owner);
	const member = await d.account({ name: 'Mia' });
	const desk = await d.open('/account/people', owner);
	const link = await invite(desk, 'Editor', member.email);
	const page = await d.open(link);
	await page.getByRole('button', { name: 'I already have an account' }).click();
	await page.waitForURL(/\/sign-in/);
	assert.doesNotMatch(page.url(), /token/, 'no token in an address');
	await page.getByLabel('Email address').fill(member.email);
	await page.getByRole('textbox', { name: 'Password' }).fill(goodPassword);
	await page.getByRole('button', { name: 'Sign in' }).click();
	await page.getByText(`You are signed in as ${member.email}.`).waitFor();
	await page.getByText('Olaf invited you to all websites of Olaf.').waitFor();
	await page.getByRole('button', { name: 'Accept invitation' }).click();
	await page.waitForURL(`${d.w.base}/websites`);
	const later = await create(owner);
	await page.reload();
	await page.getByRole('link', { name: later.domain }).waitFor();
	assert.equal(await ask(page, 'PATCH', `/websites/${later.id}`, { email: 1 }), 200, 'an editor');
	await desk.goto(`${d.w.base}${peoplePath(later)}`);
	const members = desk.getByRole('list', { name: 'Members' });
	await members.getByText('All websites').waitFor();
	assert.equal(await members.getByRole('combobox').count(), 0, 'changed where it was given');

	await page.goto(`${d.w.base}/account/people`);
	await page.getByRole('button', { name: 'Leave All websites of Olaf' }).click();
	await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
	await page.getByText('No websites have been shared with you.').waitFor();
	assert.equal(await ask(page, 'GET', `/websites/${later.id}`), 404);
});

test('an invitation for somebody else, one that was withdrawn, and one that was used', async () => {
	const owner = await d.account();
	const website = await create(owner);
	const [member, other] = [await d.account(), await d.account()];
	const link = await inviteBy(owner, 'admin', website, member.email);
	const page = await d.open(link, other);
	await page.getByRole('heading', { name: 'This invitation is for another account' }).waitFor();
	assert.equal(await ask(page, 'POST', '/join', { token: link.split('#token=')[1] }), 403);
	await page.getByRole('button', { name: 'Sign out' }).click();
	await page.getByRole('button', { name: 'I already have an account' }).waitFor();
	await joinBy(member, link);
	const late = await d.open(link);
	await late.getByRole('heading', { name: 'This invitation is no longer valid' }).waitFor();

	// An admin of the website withdraws what the owner made.
	const open = await inviteBy(owner, 'viewer', website, 'open@example.test');
	const desk = await d.open(peoplePath(website), member);
	await desk.getByRole('button', { name: 'Revoke invitation for open@example.test' }).click();
	await desk.getByRole('list', { name: 'Invitations' }).waitFor({ state: 'detached' });
	assert.equal(await desk.getByText('Transfer ownership').count(), 0, 'only the owner gives it away');
	const dead = await d.open(open);
	await dead.getByRole('heading', { name: 'This invitation is no longer valid' }).waitFor();
	const own = await d.open(await inviteBy(owner, 'viewer', website), owner);
	await own.getByRole('button', { name: 'Accept invitation' }).click();
	await own.getByText('You own these websites. Send the link to someone else.').waitFor();
});

test('an address that has an account is told to sign in', async () => {
	const owner = await d.account();
	const known = await d.account();
	const page = await d.open(await inviteBy(owner, 'viewer'));
	await page.getByLabel('Your name').fill('X');
	await page.getByLabel('Email address').fill(known.email);
	await page.getByRole('textbox', { name: 'Password' }).fill(goodPassword);
	await page.getByRole('button', { name: 'Create account and join' }).click();
	await page.getByText('This email address cannot be used.').waitFor();
	await page.getByRole('button', { name: 'I already have an account' }).click();
	await page.waitForURL(/\/sign-in\?to=%2Fjoin$/);
});

test('a website is offered and accepted: its statistics come along, and both can read it up', async () => {
	const owner = await d.account({ name: 'Olga Owner' });
	const receiver = await d.account({ name: 'Rita Receiver' });
	const website = await create(owner);
	const url = `https://${website.domain}/`;
	await owner.api('POST', `/websites/${website.id}/events`, { json: { url } });
	await owner.api('POST', `/websites/${website.id}/goals`, {
		json: { name: 'Thanks', kind: 'page', pattern: '/thanks' },
	});
	await d.w.drain();
	const desk = await d.open(peoplePath(website), owner);
	await desk.getByLabel('Email address of the new owner').fill(receiver.email);
	await desk.getByLabel('Current password').fill(goodPassword);
	await desk.getByRole('button', { name: 'Transfer website' }).click();
	await desk.getByText(`Transfer to ${receiver.email} requested`).waitFor();

	const page = await d.open('/websites', receiver, { phone: true });
	await page.getByText(`Olga Owner (${owner.email}) wants to transfer ${website.domain}`).waitFor();
	assert.equal(await ask(page, 'GET', `/websites/${website.id}`), 404, 'nothing has changed yet');
	await page.getByRole('button', { name: `Accept ${website.domain}` }).click();
	await page.getByText(`You now own ${website.domain}.`).waitFor();
	await page.getByRole('link', { name: website.domain }).waitFor();
	const stats = await receiver.api('GET', `/websites/${website.id}/stats?period=today&metrics=pageviews`);
	assert.match(stats.text, /"totals":\{"pageviews":1\}/);
	assert.match((await receiver.api('GET', `/websites/${website.id}/goals`)).text, /Thanks/);
	assert.equal((await owner.api('GET', `/websites/${website.id}`)).status, 404);
	await desk.reload();
	await desk.getByText('Page not found').first().waitFor();

	await page.goto(`${d.w.base}/websites/${website.id}/settings/changes`);
	await page.getByText('Transferred the website').waitFor();
	await desk.goto(`${d.w.base}/account/changes`);
	await desk.getByText('Transferred the website').waitFor();
	await desk.getByText(`Website ${website.id} (deleted)`).first().waitFor();
});

test('an offer is withdrawn, declined, or more than the account may have', async () => {
	const owner = await d.account();
	const receiver = await d.account({ limits: { websites: 0 } });
	const website = await create(owner);
	const offer = async () => {
		const browser = await signedIn(d.w, owner);
		await browser('PUT', `/websites/${website.id}/offer`, {
			json: { email: receiver.email, password: goodPassword },
		});
	};
	await offer();
	const page = await d.open('/websites', receiver);
	await page.getByRole('button', { name: `Accept ${website.domain}` }).click();
	await page.getByText('Your account has reached its limit of websites.').waitFor();
	await page.getByRole('button', { name: `Decline ${website.domain}` }).click();
	await page.getByRole('button', { name: `Decline ${website.domain}` }).waitFor({ state: 'detached' });
	assert.equal((await owner.api('GET', `/websites/${website.id}`)).status, 200);
	await offer();
	const desk = await d.open(peoplePath(website), owner);
	await desk.getByRole('button', { name: 'Cancel transfer' }).click();
	await desk.getByRole('button', { name: 'Transfer website' }).waitFor();
	assert.equal(await ask(page, 'POST', `/offers/${website.id}/accept`), 404);
});

test('an invitation is made with the keyboard alone', async () => {
	const owner = await d.account();
	const page = await d.open('/account/people', owner);
	await page.getByRole('button', { name: 'Invite member' }).focus();
	await page.keyboard.press('Enter');
	await focusIn(page, 'dialog');
	await page.keyboard.type('kay@example.test');
	await page.keyboard.press('Tab');
	await page.keyboard.press('ArrowDown');
	await page.keyboard.press('ArrowDown');
	await page.keyboard.press('Enter');
	await page.getByLabel('Invitation link').waitFor();
	await page.keyboard.press('Escape');
	const rows = page.getByRole('list', { name: 'Invitations' });
	await rows.getByText('kay@example.test').waitFor();
	await rows.getByText(/^Admin · /).waitFor();
	// The focus is back where it was.
	await page.locator('button:focus', { hasText: 'Invite member' }).waitFor();
});

test('a long list of changes has pages with addresses', async () => {
	const owner = await d.account();
	const website = await create(owner);
	for (let n = 0; n < 30; n++)
		await owner.api('POST', `/websites/${website.id}/notes`, { json: { date: '2026-11-15', text: `${n}` } });
	const page = await d.open('/account/changes', owner);
	const list = page.getByRole('list', { name: 'Activity log' });
	await list.getByText('with API key First key').first().waitFor();
	assert.equal(await list.getByRole('listitem').count(), 25);
	const time = list.locator('time').first();
	assert.match((await time.textContent()) ?? '', /^now$|min\. ago$/);
	assert.match((await time.getAttribute('title')) ?? '', /^\w{3} \d+, \d{4}, .*:\d\d.* GMT\+\d$/);
	await page.getByRole('link', { name: 'Page 2' }).click();
	await page.waitForURL(/\?page=2$/);
	await list.getByText('Added the website').waitFor();
	await page.goBack();
	await page.getByText('1–25 of').waitFor();
});

test('every page of people can be read by everybody, in both themes, on a desk and on a phone', async () => {
	const owner = await d.account({ name: 'Olga Owner' });
	const [website, another] = [await create(owner), await create(owner)];
	const member = await d.account({ name: 'Konstantin von und zu Musterhausen-Oberwiesenfeld' });
	await joinBy(member, await inviteBy(owner, 'editor', website));
	await joinBy(member, await inviteBy(owner, 'viewer'));
	const other = await d.account({ name: 'Ada' });
	const shared = await create(other);
	await joinBy(owner, await inviteBy(other, 'admin', shared));
	for (const email of ['a-very-long-address-of-somebody@department.company.example', undefined])
		await inviteBy(owner, 'admin', website, email);
	await inviteBy(owner, 'viewer', undefined, 'all@example.test');
	const offering = await signedIn(d.w, owner);
	await offering('PUT', `/websites/${another.id}/offer`, {
		json: { email: other.email, password: goodPassword },
	});
	const named = await inviteBy(owner, 'viewer', website, 'x@example.test');
	for (const kind of looks) {
		const desk = await d.open('/account/people', owner, kind);
		await look(desk, 'all@example.test');
		await desk.goto(d.w.base + peoplePath(website));
		await look(desk, 'All websites');
		await desk.goto(`${d.w.base}/websites/${website.id}/settings/changes`);
		await look(desk, 'Accepted an invitation');
		await desk.goto(`${d.w.base}/account/changes`);
		await look(desk, 'Accepted an invitation');
		const guest = await d.open(named, undefined, kind);
		await look(guest, 'Create account and join');
		await guest.goto(`${d.w.base}/join#token=x`);
		await look(guest, 'is no longer valid');
		const receiver = await d.open('/websites', other, kind);
		await receiver.locator('ul[aria-busy="false"]').waitFor();
		await look(receiver, 'Decline');
		for (const context of d.browser.contexts()) await context.close();
	}
});

test('what opens above the pages of people, and what they say to some, can be read as well', async () => {
	const owner = await d.account({ name: 'Olga Owner' });
	const website = await create(owner);
	const [member, other] = [await d.account({ name: 'Konstantin' }), await d.account()];
	await joinBy(member, await inviteBy(owner, 'editor', website));
	const [open, known] = [
		await inviteBy(owner, 'admin'),
		await inviteBy(owner, 'viewer', website, other.email),
	];
	for (const kind of looks.slice(0, 2)) {
		const desk = await d.open(peoplePath(website), owner, kind);
		await desk.getByRole('button', { name: 'Actions for Konstantin' }).click();
		await desk.getByRole('menuitem', { name: 'Remove' }).click();
		await look(desk, 'They lose access immediately.');
		await desk.getByRole('button', { name: 'Cancel' }).click();
		await desk.getByRole('button', { name: 'Invite member' }).click();
		await look(desk, 'Create invitation link');
		await desk.getByRole('button', { name: 'Create invitation link' }).click();
		await look(desk, 'Invitation created');
		await desk.getByRole('button', { name: 'Done' }).click();
		await desk.getByLabel('Email address of the new owner').fill(other.email);
		await desk.getByLabel('Current password').fill(goodPassword);
		await desk.getByRole('button', { name: 'Transfer website' }).click();
		await look(desk, `Transfer to ${other.email} requested`);
		await desk.getByRole('button', { name: 'Cancel transfer' }).click();
		await desk.getByRole('button', { name: 'Transfer website' }).waitFor();
		const guest = await d.open(known, undefined, kind);
		await look(guest, 'I already have an account');
		const signed = await d.open(open, member, kind);
		await look(signed, 'Accept invitation');
		await signed.goto(d.w.base + known);
		await look(signed, 'for another account');
	}
});

test('people are told in German, too', async () => {
	const owner = await d.account({ locale: 'de' });
	const website = await create(owner);
	await inviteBy(owner, 'viewer', website, 'wer@example.test');
	const page = await d.open(peoplePath(website), owner, { language: 'de-DE', phone: true });
	await page.getByText('Noch keine Mitglieder').waitFor();
	await page.getByText('Mitglied einladen').waitFor();
	await page.getByText(/Betrachter · eingeladen von/).waitFor();
	await page.goto(`${d.w.base}/account/changes`);
	await page.getByText('Einladung erstellt').waitFor();
	await assertFits(page);
});

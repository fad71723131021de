import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { until } from '../engine/engine.ts';
import { freshDomain, websiteOf } from '../support/contract.ts';
import { assertAccessible, assertGoodInAllLooks, openDashboard } from '../support/dashboard.ts';
import { startHookServer } from '../support/hook-server.ts';
import { startMailServer } from '../support/mail-server.ts';
import { goodPassword, signedIn } from '../support/visitor.ts';

const hooks = await startHookServer({ after });
const mails = await startMailServer({ after });
const d = await openDashboard(
	{ after },
	{
		settings: {
			TIDEMARK_WEBHOOK_ALLOWED_HOSTS: hooks.host,
			TIDEMARK_SMTP_HOST: '127.0.0.1',
			TIDEMARK_SMTP_PORT: String(mails.port),
			TIDEMARK_SMTP_TLS: 'none',
			TIDEMARK_MAIL_FROM: 'Tidemark <stats@example.test>',
		},
	},
);
const owner = await d.account();
const website = websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain() } }), 201);
const path = `/websites/${website.id}/alerts`;
type Listed = {
	kind: string;
	channel: string;
	hours: number | null;
	goal_id: number | null;
	enabled: boolean;
};
const listed = async () => ((await owner.api('GET', path)).json as { data: Listed[] }).data;

test('an alert is made, shows its secret once, is tested, switched off and deleted', async () => {
	const page = await d.open(`/websites/${website.id}/settings/alerts`, owner);
	await page.getByText('No alerts yet').waitFor();
	await assertAccessible(page);
	await page.getByRole('button', { name: 'Add alert' }).click();
	await page.getByRole('radio', { name: 'No traffic' }).check();
	await page.getByLabel('Hours without visits').fill('12');
	await page.getByRole('radio', { name: /^Webhook/ }).check();
	await page.getByRole('textbox', { name: 'URL' }).fill('not an address');
	await page.getByRole('button', { name: 'Save' }).click();
	await page.getByText('Enter a URL').waitFor();
	await page.getByRole('textbox', { name: 'URL' }).fill('http://127.0.0.1/inside');
	await page.getByRole('button', { name: 'Save' }).click();
	await page.getByText('is not a host of the open net').waitFor();
	await assertGoodInAllLooks(page);
	await page.getByRole('textbox', { name: 'URL' }).fill(hooks.url('/from-the-page'));
	await page.getByRole('button', { name: 'Save' }).click();
	assert.match(await page.getByRole('textbox', { name: 'Secret' }).inputValue(), /^[\w-]{43}$/);
	await assertAccessible(page);
	await page.getByRole('button', { name: 'Done' }).click();
	const [made] = await listed();
	assert.deepEqual([made?.kind, made?.hours, made?.channel], ['silence', 12, 'webhook']);
	await page.getByText(`http://${hooks.host}/…`).waitFor();
	const about = 'No traffic · after 12 h · Webhook';
	await page.getByRole('button', { name: `Send test: ${about}` }).click();
	await page.getByText('Test sent.').waitFor();
	await until(() => hooks.at('/from-the-page').length === 1, 20_000);
	await page.getByRole('switch', { name: `Enable: ${about}` }).click();
	await page.getByRole('switch', { name: `Enable: ${about}`, checked: false }).waitFor();
	await until(async () => (await listed())[0]?.enabled === false, 5_000);
	await assertGoodInAllLooks(page);
	await page.getByRole('button', { name: `Delete: ${about}` }).click();
	await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
	await page.getByText('No alerts yet').waitFor();
	assert.deepEqual(await listed(), []);
});

test('an alert about a goal names it; without goals the page says so', async () => {
	const page = await d.open(`/websites/${website.id}/settings/alerts`, owner);
	await page.getByRole('button', { name: 'Add alert' }).click();
	await page.getByRole('radio', { name: 'Goal completed' }).check();
	await page.getByText('This website has no goals yet.').waitFor();
	await owner.api('POST', `/websites/${website.id}/goals`, {
		json: { name: 'Newsletter', kind: 'page', pattern: '/thanks' },
	});
	await page.reload();
	await page.getByRole('button', { name: 'Add alert' }).click();
	await page.getByRole('radio', { name: 'Goal completed' }).check();
	await page.getByLabel('Goal', { exact: true }).selectOption('Newsletter');
	await page.getByRole('button', { name: 'Save' }).click();
	await page.getByRole('switch', { name: 'Goal completed · Newsletter · Email' }).waitFor();
	assert.deepEqual(
		(await listed()).map(({ kind, channel }) => [kind, channel]),
		[['goal', 'mail']],
	);
});

test('a recipient is named, asked by mail, agrees and is removed', async () => {
	const page = await d.open('/account/mail', owner);
	await page.getByText('No recipients besides you.').waitFor();
	await page.getByLabel('Email address').fill('ann@example.test');
	await page.getByRole('button', { name: 'Add recipient' }).click();
	await page.getByText('Confirmation sent to ann@example.test.').waitFor();
	await assertGoodInAllLooks(page);
	await until(() => mails.sources().length === 1, 20_000);
	const [mail] = await mails.mails();
	const link = /http\S+\/confirm\/\S+/.exec(mail?.text ?? '')?.[0] ?? '';
	const other = await d.open(new URL(link).pathname);
	await other.getByRole('heading', { name: 'Do you want to receive these emails?' }).waitFor();
	await assertGoodPage(other);
	await other.getByRole('button', { name: 'Subscribe' }).click();
	await other.getByRole('heading', { name: 'You are subscribed' }).waitFor();
	await page.reload();
	await page.getByText('confirmed', { exact: true }).waitFor();
	await page.getByText('1 of 10,000 emails sent today.').waitFor();
	const stop = /http\S+\/unsubscribe\/\S+/.exec(mail?.text ?? '')?.[0] ?? '';
	await other.goto(stop);
	await assertGoodPage(other);
	await other.getByRole('button', { name: 'Unsubscribe' }).click();
	await other.getByRole('heading', { name: 'You are unsubscribed' }).waitFor();
	await page.reload();
	await page.getByText('unsubscribed', { exact: true }).waitFor();
	await page.getByRole('button', { name: 'Remove ann@example.test' }).click();
	await page.getByText('No recipients besides you.').waitFor();
});

test('[C-CONFIRM-1] whoever was invited is asked to confirm their address, and does so after signing in', async () => {
	mails.forget();
	const email = 'ida@example.test';
	const made = await (await signedIn(d.w, owner))('POST', '/people/invitations', {
		json: { role: 'viewer' },
	});
	const token: string = JSON.parse(made.text).data.link.split('#token=')[1];
	const guest = await d.open(`/join#token=${token}`);
	await guest.getByLabel('Your name').fill('Ida');
	await guest.getByLabel('Email address').fill(email);
	await guest.getByRole('textbox', { name: 'Password' }).fill(goodPassword);
	await guest.getByRole('button', { name: 'Create account and join' }).click();
	await guest.getByText(`Confirm your email address with the link sent to ${email}.`).waitFor();
	await assertGoodInAllLooks(guest);
	await guest.getByRole('button', { name: 'Resend confirmation' }).click();
	await guest.getByText(`Confirmation sent to ${email}.`).waitFor();
	const linkIn = (text = '') => /http\S+(\/confirm-address#token=\S+)/.exec(text)?.[1];
	const links = async () =>
		(await mails.mails())
			.filter(({ to }) => to?.[0]?.address === email)
			.flatMap(({ text }) => linkIn(text) ?? []);
	await until(async () => (await links()).length === 2, 20_000);
	// In another browser, where nobody is signed in.
	const opened = await Promise.all((await links()).map((link) => d.open(link)));
	const confirmed: string[] = [];
	for (const page of opened) {
		await page.getByRole('button', { name: 'Sign in' }).click();
		await page.waitForURL(/\/sign-in/);
		assert.doesNotMatch(page.url(), /token/, 'no token in an address');
		await page.getByLabel('Email address').fill(email);
		await page.getByRole('textbox', { name: 'Password' }).fill(goodPassword);
		await page.getByRole('button', { name: 'Sign in' }).click();
		await page.getByText(`Confirm ${email} as the email address of your account.`).waitFor();
		await page.getByRole('button', { name: 'Confirm email address' }).click();
		const used = page.waitForURL('**/websites').then(() => 'confirmed');
		const dead = page
			.getByText('This link was already used')
			.waitFor()
			.then(() => 'dead');
		confirmed.push(await Promise.race([used, dead]));
		await Promise.allSettled([page.context().close(), used, dead]);
	}
	assert.deepEqual(confirmed.sort(), ['confirmed', 'dead'], 'the newer link replaces the older one');
	await guest.reload();
	await guest.getByRole('heading', { level: 1 }).first().waitFor();
	assert.equal(await guest.getByText('Confirm your email address').count(), 0);
});

/** Of a page without a script: it has no theme of its own. */
async function assertGoodPage(page: Awaited<ReturnType<typeof d.open>>): Promise<void> {
	for (const colorScheme of ['light', 'dark'] as const) {
		await page.emulateMedia({ colorScheme });
		await assertAccessible(page);
	}
}

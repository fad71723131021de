import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { until } from '../engine/engine.ts';
import { freshDomain, websiteOf } from '../support/contract.ts';
import { assertAccessible, assertGoodInAllLooks, openDashboard } from '../support/dashboard.ts';
import { startHookServer } from '../support/hook-server.ts';
import { startMailServer } from '../support/mail-server.ts';

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
	await page.getByRole('button', { name: 'Add an alert' }).click();
	await page.getByRole('radio', { name: 'No visits' }).check();
	await page.getByLabel('Hours without a visit').fill('12');
	await page.getByRole('radio', { name: /^Webhook/ }).check();
	await page.getByRole('textbox', { name: 'Address' }).fill('not an address');
	await page.getByRole('button', { name: 'Save' }).click();
	await page.getByText('An address is needed here').waitFor();
	await page.getByRole('textbox', { name: 'Address' }).fill('http://127.0.0.1/inside');
	await page.getByRole('button', { name: 'Save' }).click();
	await page.getByText('is not a host of the open net').waitFor();
	await assertGoodInAllLooks(page);
	await page.getByRole('textbox', { name: 'Address' }).fill(hooks.url('/from-the-page'));
	await page.getByRole('button', { name: 'Save' }).click();
	assert.match(await page.getByRole('textbox', { name: 'Secret' }).inputValue(), /^[\w-]{43}$/);
	await assertAccessible(page);
	await page.getByRole('button', { name: 'Done' }).click();
	const [made] = await listed();
	assert.deepEqual([made?.kind, made?.hours, made?.channel], ['silence', 12, 'webhook']);
	await page.getByText(`http://${hooks.host}/…`).waitFor();
	const about = 'No visits · after 12 h · Webhook';
	await page.getByRole('button', { name: `Test: ${about}` }).click();
	await page.getByText('A test is on its way.').waitFor();
	await until(() => hooks.at('/from-the-page').length === 1, 20_000);
	await page.getByRole('switch', { name: `Watch for it: ${about}` }).click();
	await page.getByRole('switch', { name: `Watch for it: ${about}`, checked: false }).waitFor();
	await until(async () => (await listed())[0]?.enabled === false, 5_000);
	await assertGoodInAllLooks(page);
	await page.getByRole('button', { name: `Delete: ${about}` }).click();
	await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
	await page.getByText('No alerts yet').waitFor();
	assert.deepEqual(await listed(), []);
});

test('an alert about a goal names it; without goals the page says so', async () => {
	const page = await d.open(`/websites/${website.id}/settings/alerts`, owner);
	await page.getByRole('button', { name: 'Add an alert' }).click();
	await page.getByRole('radio', { name: 'A goal is reached' }).check();
	await page.getByText('This website has no goals yet.').waitFor();
	await owner.api('POST', `/websites/${website.id}/goals`, {
		json: { name: 'Newsletter', kind: 'page', pattern: '/thanks' },
	});
	await page.reload();
	await page.getByRole('button', { name: 'Add an alert' }).click();
	await page.getByRole('radio', { name: 'A goal is reached' }).check();
	await page.getByLabel('Goal', { exact: true }).selectOption('Newsletter');
	await page.getByRole('button', { name: 'Save' }).click();
	await page.getByRole('switch', { name: 'A goal is reached · Newsletter · E-mail' }).waitFor();
	assert.deepEqual(
		(await listed()).map(({ kind, channel }) => [kind, channel]),
		[['goal', 'mail']],
	);
});

test('a recipient is named, asked by mail, agrees and is removed', async () => {
	const page = await d.open('/account/mail', owner);
	await page.getByText('Nobody but you.').waitFor();
	await page.getByLabel('E-mail address').fill('ann@example.test');
	await page.getByRole('button', { name: 'Ask them' }).click();
	await page.getByText('ann@example.test was asked by mail.').waitFor();
	await assertGoodInAllLooks(page);
	await until(() => mails.sources().length === 1, 20_000);
	const [mail] = await mails.mails();
	const link = /http\S+\/confirm\/\S+/.exec(mail?.text ?? '')?.[0] ?? '';
	const other = await d.open(new URL(link).pathname);
	await other.getByRole('heading', { name: 'Do you want these mails?' }).waitFor();
	await assertGoodPage(other);
	await other.getByRole('button', { name: 'Yes, send them' }).click();
	await other.getByRole('heading', { name: 'You will get these mails' }).waitFor();
	await page.reload();
	await page.getByText('agreed', { exact: true }).waitFor();
	await page.getByText('1 of 10,000 mails were sent today in your name.').waitFor();
	const stop = /http\S+\/unsubscribe\/\S+/.exec(mail?.text ?? '')?.[0] ?? '';
	await other.goto(stop);
	await assertGoodPage(other);
	await other.getByRole('button', { name: 'Stop these mails' }).click();
	await other.getByRole('heading', { name: 'These mails have stopped' }).waitFor();
	await page.reload();
	await page.getByText('said no', { exact: true }).waitFor();
	await page.getByRole('button', { name: 'Remove ann@example.test' }).click();
	await page.getByText('Nobody but you.').waitFor();
});

/** Of a page without a script: it has no theme of its own. */
async function assertGoodPage(page: Awaited<ReturnType<typeof d.open>>): Promise<void> {
	for (const colorScheme of ['light', 'dark'] as const) {
		await page.emulateMedia({ colorScheme });
		await assertAccessible(page);
	}
}

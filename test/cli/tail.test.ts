import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { type TestContext, test } from 'node:test';
import { client } from '../support/client.ts';
import { programFile } from '../support/program.ts';
import { startServiceProcess, temporaryFolder, tidemark, until } from '../support/service.ts';

/** A `tidemark tail` that runs until it is stopped. */
function follow(t: TestContext, ...args: string[]) {
	const child = spawn(process.execPath, [programFile, 'tail', ...args], {
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	const printed = { stdout: '', stderr: '' };
	for (const name of ['stdout', 'stderr'] as const)
		child[name].setEncoding('utf8').on('data', (text: string) => {
			printed[name] += text;
		});
	const ended = new Promise<number | string>((resolve) =>
		child.once('close', (code, signal) => resolve(code ?? signal ?? '')),
	);
	t.after(() => void child.kill('SIGKILL'));
	return {
		ended,
		/** What it showed after it had begun, which takes any number of warming hits. */
		lines: () => printed.stdout.split('\n').filter((line) => line !== '' && !line.includes('/warm')),
		hasBegun: () => printed.stdout.includes('/warm'),
		stderr: () => printed.stderr,
		stop: (signal: NodeJS.Signals) => child.kill(signal),
	};
}

const browser =
	'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

test('events and drops appear as they come, without address or visitor, until Ctrl-C', async (t: TestContext) => {
	const service = await startServiceProcess(t);
	const made = await tidemark([
		...['account', 'create', '--json', '--email', 'a@example.test'],
		...['--name', 'A', '--data', service.folder],
	]);
	const api = client(service.base, JSON.parse(made.stdout).key);
	const ids: number[] = [];
	for (const domain of ['one.example', 'two.example']) {
		const answer = await api('POST', '/websites', { form: { domain } });
		ids.push((answer.json as { data: { id: number } }).data.id);
	}
	const [one = 0, two = 0] = ids;
	let sent = 0;
	const hit = async (members: Record<string, unknown>, userAgent = browser) => {
		const response = await fetch(`${service.base}/tm`, {
			method: 'POST',
			headers: { 'content-type': 'text/plain', 'user-agent': userAgent },
			body: JSON.stringify({ i: (++sent).toString(16).padStart(16, '0'), n: 'pageview', ...members }),
		});
		assert.equal(response.status, 202);
	};

	const refused = follow(t, '--data', service.folder, '--website', '999');
	assert.equal(await refused.ended, 1);
	assert.match(refused.stderr(), /There is no website 999/);

	const everything = follow(t, '--data', service.folder);
	const onlyOne = follow(t, '--data', service.folder, '--website', String(one), '--json');
	const warm = async () => {
		await hit({ w: one, u: 'https://one.example/warm' });
		return everything.hasBegun() && onlyOne.hasBegun();
	};
	await until(warm, 20_000, 'both tails have begun');

	await hit({ w: one, u: 'https://one.example/a?q=1', r: 'https://www.google.com/' });
	await hit({ w: two, u: 'https://two.example/b', n: 'Order', p: { plan: 'pro' } });
	await hit({ w: one, u: 'https://one.example/c' }, 'Googlebot/2.1 (+http://www.google.com/bot.html)');
	await hit({ w: one, u: 'https://one.example/d', n: 'red \u001b[31m\u202e alert' });
	await until(() => everything.lines().length >= 4, 10_000, 'four lines are shown');
	await until(() => onlyOne.lines().length >= 3, 10_000, 'three lines are shown');

	const [view = '', order = '', bot = '', odd = ''] = everything.lines();
	assert.match(
		view,
		new RegExp(`^\\d\\d:\\d\\d:\\d\\d\\.\\d{3} +${one}  pageview +/a  Google  -  Chrome desktop$`),
	);
	assert.match(order, new RegExp(` ${two}  custom +Order /b  -  -  Chrome desktop$`));
	assert.match(bot, new RegExp(` ${one}  dropped: bot$`));
	assert.doesNotMatch(odd, /[\p{Cc}\p{Cf}]/u, 'a terminal is not told to do anything');
	const shown = onlyOne
		.lines()

		.map((line) => JSON.parse(line));
	assert.ok(shown.every(({ websiteId }) => websiteId === one));
	assert.deepEqual(Object.keys(shown[1]), ['websiteId', 'time', 'dropped']);
	assert.deepEqual(Object.keys(shown[0]).sort(), [
		...['browser', 'channel', 'country', 'device', 'hostname', 'kind'],
		...['name', 'path', 'source', 'time', 'websiteId'],
	]);
	assert.doesNotMatch(everything.lines().join() + onlyOne.lines().join(), /127\.0\.0\.1|visitor/);

	onlyOne.stop('SIGINT');
	assert.equal(await onlyOne.ended, 0);
	await hit({ w: one, u: 'https://one.example/e' });
	await until(() => everything.lines().length >= 5, 10_000, 'the other one goes on');

	assert.equal(await service.stop(), 0, 'a tail does not hold a service up');
	assert.equal(await everything.ended, 1);
	assert.match(everything.stderr(), /The service .*(ended|stopped)/);
	assert.doesNotMatch(everything.stderr(), /\n\s+at /);
});

test('without a service it says so', async (t: TestContext) => {
	const folder = `${temporaryFolder(t)}/data`;
	const refused = await tidemark(['tail', '--data', folder]);
	assert.deepEqual([refused.code, refused.stdout], [1, '']);
	assert.match(refused.stderr, /Tidemark is not running on .*data\. Start it with: tidemark serve/);
});

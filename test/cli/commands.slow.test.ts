import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasKeyForm } from '../../server/accounts/keys.ts';
import { client } from '../support/client.ts';
import { startServiceProcess, temporaryFolder, tidemark } from '../support/service.ts';

/** Every command of the operator, in the order of a life: first with a service on the folder, then without one. */
for (const running of [true, false]) {
	const title = running ? 'with a running service' : 'without a service';
	test(`every command works ${title}`, async (t) => {
		const service = running ? await startServiceProcess(t) : undefined;
		const folder = service?.folder ?? `${temporaryFolder(t)}/data`;
		const run = (...args: string[]) => tidemark([...args, '--data', folder]);
		const good = async (...args: string[]) => {
			const printed = await run(...args);
			assert.equal(printed.code, 0, `${args.join(' ')}: ${printed.stderr}`);
			return printed.stdout;
		};
		const bad = async (reason: RegExp, ...args: string[]) => {
			const printed = await run(...args);
			assert.equal(printed.code, 1, `${args.join(' ')} was done`);
			assert.equal(printed.stdout, '');
			assert.match(printed.stderr, reason);
			assert.doesNotMatch(printed.stderr, /\n\s+at /, 'no stack');
		};
		/** What the API answers to a key at this moment; without a service there is nobody to ask. */
		const answers = async (key: string, status: number, path = '/account') => {
			if (service) assert.equal((await client(service.base, key)('GET', path)).status, status);
		};

		const made = await run('account', 'create', '--email', 'a@example.test', '--name', 'Ann', '--json');
		assert.equal(made.code, 0, made.stderr);
		const { account_id: accountId, key, link } = JSON.parse(made.stdout);
		assert.equal(
			made.stdout,
			`{"account_id":${accountId},"key":"${key}","link":"${link}"}\n`,
			'one line and nothing else',
		);
		assert.match(link, /^http:\/\/127\.0\.0\.1:\d+\/password#token=[\w-]{43}$/);
		assert.equal(made.stderr, '');
		assert.ok(Number.isInteger(accountId) && hasKeyForm(key));
		await answers(key, 200);

		const text = await good(
			...['account', 'create', '--email', 'B@example.test', '--name', 'Bob'],
			...['--locale', 'de-AT', '--timezone', 'Europe/Vienna'],
		);
		assert.match(
			text,
			/^Created account \d+ for B@example\.test\.\nAPI key \(shown only once\): tm_[0-9A-Za-z]{49}\nTo sign in, set a password within 7 days: http\S+\n$/,
		);
		await bad(
			/already an account with the email address A@EXAMPLE/,
			'account',
			'create',
			'--email',
			'A@EXAMPLE.test',
			'--name',
			'x',
		);
		if (running) {
			await bad(/"nobody" is not an email address/, 'account', 'create', '--email', 'nobody', '--name', 'x');
			await bad(
				/is not a time zone/,
				'account',
				'create',
				'--email',
				'c@example.test',
				'--name',
				'x',
				'--timezone',
				'Mars',
			);
			await bad(
				/is not a language/,
				'account',
				'create',
				'--email',
				'c@example.test',
				'--name',
				'x',
				'--locale',
				'??',
			);
			await bad(/1 to 200 characters/, 'account', 'create', '--email', 'c@example.test', '--name', ' ');
		}

		assert.match(
			await good('account', 'limit', 'a@example.test', '--websites', '2', '--pageviews', '1000'),
			/^a@example\.test: websites 2, page views per month 1000, hits per second and website as in TIDEMARK_WEBSITE_HIT_LIMIT\.\n$/,
		);
		const ids = (
			await good('website', 'create', '--account', 'a@example.test', 'one.example', 'www.Two.example')
		)
			.trim()
			.split('\n')
			.map(Number);
		assert.equal(ids.length, 2);
		assert.equal(
			await good('website', 'create', '--account', 'a@example.test', 'two.example', 'one.example'),
			`${ids[1]}\n${ids[0]}\n`,
		);
		await bad(
			/reached its limit of 2 websites/,
			'website',
			'create',
			'--account',
			'a@example.test',
			'three.example',
		);
		assert.match(
			await good('account', 'limit', 'a@example.test', '--websites', 'none'),
			/websites none, page views per month 1000/,
		);
		assert.match(
			await good('account', 'limit', 'a@example.test', '--hits', '2500'),
			/hits per second and website 2500\.\n$/,
		);

		const accounts = JSON.parse(await good('account', 'list', '--json'));
		assert.deepEqual(
			accounts.map(({ createdAt, confirmedAt, ...rest }: Record<'createdAt' | 'confirmedAt', string>) => {
				assert.ok(confirmedAt, 'an account made at the command line is confirmed');
				return rest;
			}),
			[
				{
					id: accountId,
					name: 'Ann',
					email: 'a@example.test',
					locale: 'en',
					timezone: 'UTC',
					disabledAt: null,
					isOperator: true,
					websiteCount: 2,
					websiteLimit: null,
					pageviewLimit: 1000,
					hitLimit: 2500,
					ownerId: accountId,
					owners: 1,
				},
				{
					id: accounts[1].id,
					name: 'Bob',
					email: 'B@example.test',
					locale: 'de-AT',
					timezone: 'Europe/Vienna',
					disabledAt: null,
					isOperator: false,
					websiteCount: 0,
					websiteLimit: null,
					pageviewLimit: null,
					hitLimit: null,
					ownerId: accounts[1].id,
					owners: 1,
				},
			],
		);
		const [head, ann] = (await good('account', 'list')).split('\n');
		assert.equal(
			head?.replace(/ {2,}/g, '|'),
			'id|email|name|owners|websites|limit|page views per month|state',
		);
		assert.equal(
			ann?.trim().replace(/ {2,}/g, '|'),
			`${accountId}|a@example.test|Ann|1|2|none|1000|active, operator`,
		);

		assert.match(await good('account', 'operator', 'B@example.test'), /is now an operator\.\n$/);
		assert.match(
			await good('account', 'operator', 'a@example.test', '--undo'),
			/is no longer an operator\.\n$/,
		);
		assert.match(await good('account', 'confirm', 'a@example.test'), /was already confirmed\.\n$/);
		assert.match(
			await good('account', 'reset', 'a@example.test', '--two-factor'),
			/^Removed the second factors and passkeys of a@example\.test\.\nLink to set the password of /,
		);
		assert.equal(
			await good('account', 'owner', 'a@example.test', 'B@example.test'),
			`B@example.test is now the primary owner of account ${accountId} (Ann).\n`,
		);
		await bad(
			/B@example\.test is the primary owner of several accounts: \d+ \(Ann\), \d+ \(Bob\)\. Use the id of one of them\./,
			...['account', 'limit', 'B@example.test', '--websites', 'none'],
		);
		await good('account', 'owner', String(accountId), 'a@example.test');
		const operators = JSON.parse(await good('account', 'list', '--json'));
		assert.deepEqual(
			operators.map(({ isOperator }: { isOperator: boolean }) => isOperator),
			[false, true],
		);

		const full = JSON.parse(
			await good('key', 'create', '--account', 'a@example.test', '--name', 'full', '--json'),
		);
		assert.deepEqual(Object.keys(full), ['key_id', 'key']);
		await answers(full.key, 200);
		assert.match(
			await good('key', 'create', '--account', 'a@example.test', '--name', 'reader', '--read'),
			/^Key \d+ \(shown only once\): tm_\w{49}\n$/,
		);
		const one = JSON.parse(
			await good(
				'key',
				'create',
				'--account',
				'a@example.test',
				'--name',
				'one',
				'--website',
				String(ids[0]),
				'--json',
			),
		);
		await answers(one.key, 200, `/websites/${ids[0]}`);
		await answers(one.key, 404, `/websites/${ids[1]}`);
		await bad(
			/has no website 999999/,
			'key',
			'create',
			'--account',
			'a@example.test',
			'--name',
			'x',
			'--website',
			'999999',
		);

		const limited = JSON.parse(
			await good(
				...['key', 'create', '--account', 'a@example.test', '--name', 'limited', '--json'],
				...['--scope', 'stats', 'manage', '--expires', '90d', '--network', '127.0.0.1', '192.0.2.0/24'],
			),
		);
		await answers(limited.key, 200, `/websites/${ids[1]}/settings`);
		await answers(limited.key, 403, '/account');
		assert.match(
			await good('key', 'list'),
			/ limited +\w{4} +stats manage +all +127\.0\.0\.1 192\.0\.2\.0\/24 +2\d{3}-\d\d-\d\d \d\d:\d\d /,
		);
		const change = (...args: string[]) => ['key', 'update', String(limited.key_id), ...args];
		const changed = JSON.parse(
			await good(...change('--name', 'narrow', '--network', 'any', '--website', String(ids[0]), '--json')),
		);
		const { name, access, scopes, websiteIds, networks } = changed;
		assert.deepEqual(
			{ name, access, scopes, websiteIds, networks },
			{
				...{ name: 'narrow', access: 'scoped', scopes: ['stats', 'manage'] },
				...{ websiteIds: [ids[0]], networks: null },
			},
		);
		assert.ok(Math.abs(Date.parse(changed.expiresAt) - Date.now() - 90 * 86_400_000) < 3_600_000);
		await answers(limited.key, 404, `/websites/${ids[1]}/settings`);
		assert.equal(
			await good(...change('--full', '--website', 'all', '--expires', 'never')),
			`Updated key ${limited.key_id}.\n`,
		);
		await answers(limited.key, 200);
		await bad(/Choose one of --full, --read and --scope/, ...change('--full', '--scope', 'stats'));
		await bad(/"write" is not a scope\. The scopes are stats, events/, ...change('--scope', 'write'));
		await bad(/"soon" is not a date/, ...change('--expires', 'soon'));
		await bad(/must be in the future/, ...change('--expires', '2020-01-01'));
		await bad(/must be within five years/, ...change('--expires', '9999d'));
		await bad(/A network is an IP address/, ...change('--network', '10.0.0.0/33'));
		await bad(/There is no API key 999999/, 'key', 'update', '999999', '--read');
		await good('key', 'revoke', String(limited.key_id));

		const rotated = JSON.parse(await good('key', 'rotate', String(full.key_id), '--json'));
		assert.equal(rotated.key_id, full.key_id);
		assert.notEqual(rotated.key, full.key);
		await answers(full.key, 401);
		await answers(rotated.key, 200);
		assert.equal(await good('key', 'revoke', String(full.key_id)), `Revoked key ${full.key_id}.\n`);
		await answers(rotated.key, 401);
		await bad(new RegExp(`There is no API key ${full.key_id}`), 'key', 'revoke', String(full.key_id));

		const keys = JSON.parse(await good('key', 'list', '--account', 'a@example.test', '--json'));
		assert.deepEqual(
			keys.map((row: { name: string; access: string; websiteIds: number[] | null }) => [
				row.name,
				row.access,
				row.websiteIds,
			]),
			[
				['First key', 'full', null],
				['reader', 'read', null],
				['one', 'full', [ids[0]]],
			],
		);
		const table = await good('key', 'list');
		assert.ok(table.split('\n').length === 6, 'a heading, four keys of two accounts, and a line end');
		for (const secret of [key, full.key, rotated.key, one.key])
			assert.ok(
				!table.includes(secret) && !JSON.stringify(keys).includes(secret),
				'a key cannot be shown again',
			);

		assert.equal(
			await good('account', 'disable', 'a@example.test'),
			'Disabled a@example.test. Its API keys no longer work.\n',
		);
		await answers(key, 401);
		assert.match(await good('account', 'list'), /a@example\.test.*disabled/);
		assert.equal(await good('account', 'disable', 'a@example.test', '--undo'), 'Enabled a@example.test.\n');
		await answers(key, 200);

		await bad(
			/This deletes the account a@example\.test with 2 websites and all their statistics\. stdin is not a terminal; pass --yes to confirm\./,
			'account',
			'delete',
			'a@example.test',
		);
		await answers(key, 200);
		assert.equal(
			await good('account', 'delete', 'a@example.test', '--yes'),
			'Deleted the account a@example.test with 2 websites and all their statistics.\n',
		);
		await answers(key, 401);
		await bad(/There is no account a@example\.test/, 'account', 'delete', 'a@example.test', '--yes');
		assert.equal(JSON.parse(await good('account', 'list', '--json')).length, 1);
		if (service) assert.equal(await service.stop(), 0);
	});
}

test('an empty installation is told how to begin', async (t) => {
	const { folder, stop } = await startServiceProcess(t);
	const listed = await tidemark(['account', 'list', '--data', folder]);
	assert.equal(
		listed.stdout,
		'There are no accounts. Create one with: tidemark account create --email EMAIL --name NAME\n',
	);
	assert.equal(await stop(), 0);
});

test('commands at once on a folder without a service wait for each other', async (t) => {
	const folder = `${temporaryFolder(t)}/data`;
	const made = await Promise.all(
		[1, 2, 3].map((number) =>
			tidemark([
				'account',
				'create',
				'--json',
				'--email',
				`a${number}@example.test`,
				'--name',
				'A',
				'--data',
				folder,
			]),
		),
	);
	for (const { code, stdout, stderr } of made) {
		assert.equal(code, 0, stderr);
		assert.match(stdout, /^\{"account_id":\d+,"key":"tm_\w{49}","link":"http[^"]+"\}\n$/);
	}
	const listed = await tidemark(['account', 'list', '--json', '--data', folder]);
	assert.equal(JSON.parse(listed.stdout).length, 3);
});

test('what a command made without a service is there when the service starts', async (t) => {
	const folder = `${temporaryFolder(t)}/data`;
	const made = await tidemark([
		'account',
		'create',
		'--json',
		'--email',
		'a@example.test',
		'--name',
		'A',
		'--data',
		folder,
	]);
	const service = await startServiceProcess(t, { folder });
	assert.equal(service.setupUrl(), undefined, 'there is an account: no link is needed');
	assert.equal((await client(service.base, JSON.parse(made.stdout).key)('GET', '/account')).status, 200);
	assert.equal(await service.stop(), 0);
});

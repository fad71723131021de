import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { startProvider } from '../support/oidc-provider.ts';
import { type ServiceProcess, startServiceProcess, tidemark } from '../support/service.ts';

let service: ServiceProcess;
const cleaning: (() => Promise<void>)[] = [];
before(async () => {
	service = await startServiceProcess({ after: (work) => void cleaning.unshift(work) });
});
after(async () => {
	assert.equal(await service.stop(), 0);
	for (const work of cleaning) await work();
});
const provider = await startProvider({ after });
const run = (...args: string[]) => tidemark(['oidc', ...args, '--data', service.folder]);
const secretFile = (text: string) => {
	const file = join(service.folder, 'client-secret');
	writeFileSync(file, text);
	return file;
};

test('the operator adds, tests, changes, lists and removes a provider', async () => {
	const added = await run(
		...[
			'add',
			'company',
			'--issuer',
			provider.issuer,
			'--client-id',
			'tidemark',
			'--label',
			'Example Company',
		],
		...['--domains', 'Example.com, example.org', '--admit', 'groups'],
		...['--secret-file', secretFile(`${provider.clientSecret}\n`)],
	);
	assert.equal(added.code, 0, added.stderr);
	assert.equal(
		added.stdout,
		`${service.base}/app/api/session/oidc/callback/company\n`,
		'the redirect URI, alone',
	);
	const tested = await run('test', 'company');
	assert.equal(
		tested.stdout,
		`${provider.issuer} answers and has 1 key. People sign in at ${provider.issuer}/auth.\n`,
	);
	const account = await tidemark([
		...['account', 'create', '--json', '--email', 'a@example.test', '--name', 'A', '--data', service.folder],
	]);
	assert.equal(account.code, 0, account.stderr);
	const mapped = await run('map', 'company', 'staff', '--role', 'viewer', '--account', 'a@example.test');
	assert.equal(mapped.code, 0, mapped.stderr);
	assert.equal(mapped.stdout, 'Members of staff become viewer at their next sign-in with company.\n');
	assert.equal((await run('update', 'company', '--admit', 'invited', '--second-factor', 'provider')).code, 0);
	const listed = JSON.parse((await run('list', '--json')).stdout);
	assert.deepEqual(listed, {
		required: false,
		providers: [
			{
				name: 'company',
				label: 'Example Company',
				issuer: provider.issuer,
				client_id: 'tidemark',
				public: false,
				domains: ['example.com', 'example.org'],
				groups_claim: 'groups',
				admits: 'invited',
				second_factor: 'provider',
				groups: [
					{
						group: 'staff',
						role: 'viewer',
						account_id: listed.providers[0].groups[0].account_id,
						website_id: null,
					},
				],
			},
		],
	});
	const table = (await run('list')).stdout;
	assert.match(table, /company\s+Example Company/);
	assert.match(table, /company\s+staff\s+viewer\s+account \d+/);
	assert.equal((await run('unmap', 'company', 'staff')).stdout, 'Removed 1 role of staff.\n');
	assert.match((await run('unmap', 'company', 'staff')).stderr, /has no role/);

	assert.match((await run('require', 'on')).stdout, /only sign in with a provider/);
	assert.match((await run('remove', 'company', '--yes')).stderr, /tidemark oidc require off/);
	assert.match((await run('remove', 'company')).stderr, /pass --yes/);
	assert.match((await run('require', 'off')).stdout, /with a password or a passkey again/);
	assert.equal((await run('remove', 'company', '--yes')).stdout, 'Removed company.\n');
	assert.equal((await run('list')).stdout, 'There are no providers. Add one with `tidemark oidc add`.\n');
});

test('what cannot work is refused with what to do', async () => {
	const add = (...args: string[]) =>
		run('add', 'x', '--client-id', 'tidemark', '--issuer', provider.issuer, ...args);
	const refusals: [() => ReturnType<typeof run>, RegExp][] = [
		[() => run('add', 'x', '--client-id', 'y', '--public'), /Pass --issuer and --client-id/],
		[() => add(), /The client secret is empty.*--public/],
		[() => add('--secret-file', secretFile(' \n')), /The client secret is empty/],
		[() => add('--public', '--issuer', 'http://id.example.com'), /must begin with https/],
		[() => add('--public', '--issuer', 'https://id.example.com/?tenant=1'), /neither a query nor a fragment/],
		[() => add('--public', '--domains', 'a@example.com'), /is not a domain/],
		[() => add('--public', '--admit', 'nobody'), /Allowed choices are invited, groups, everyone/],
		[
			() => run('add', 'X_y', '--client-id', 'y', '--issuer', provider.issuer, '--public'),
			/lower-case letters/,
		],
		[() => run('update', 'nobody', '--label', 'x'), /There is no provider nobody/],
		[() => run('test', 'nobody'), /There is no provider nobody/],
		[() => run('require', 'on'), /no provider to sign in with/],
		[() => run('require', 'maybe'), /Pass on or off/],
		[() => run('map', 'x', 'g', '--role', 'admin'), /either --account or --website/],
	];
	for (const [attempt, says] of refusals) {
		const { code, stderr } = await attempt();
		assert.equal(code, 1, stderr);
		assert.match(stderr, says);
	}
	assert.equal((await add('--public')).code, 0);
	assert.match((await add('--public')).stderr, /already a provider x/);
	assert.match(
		(await run('map', 'x', 'g', '--role', 'owner', '--website', '1')).stderr,
		/no owners of its own/,
	);
	assert.match((await run('map', 'x', 'g', '--role', 'admin', '--website', '99')).stderr, /no website 99/);
	assert.match(
		(await run('map', 'x', 'g', '--role', 'admin', '--account', 'no@example.test')).stderr,
		/no account/,
	);
});

test('an operator who is locked out turns it off while the service is stopped', async () => {
	assert.equal((await run('require', 'on')).code, 0);
	assert.equal(await service.stop(), 0);
	const off = await run('require', 'off');
	assert.equal(off.code, 0, off.stderr);
	const updated = await run('update', 'x', '--secret-file', secretFile('another secret'));
	assert.equal(updated.code, 0, updated.stderr);
	const listed = JSON.parse((await run('list', '--json')).stdout);
	assert.deepEqual([listed.required, listed.providers[0].public], [false, false]);
	service = await startServiceProcess(
		{ after: (work) => void cleaning.unshift(work) },
		{ folder: service.folder },
	);
});

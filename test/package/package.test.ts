import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { installPackage, serveThere } from '../support/package.ts';

let folder = '';
let remove = () => {};

before(() => {
	({ folder, remove } = installPackage());
});
after(() => remove());

test('the packed tarball, installed into an empty folder, starts, answers and stops', async () => {
	const service = await serveThere(folder);
	try {
		const made = spawnSync(
			'npx',
			['tidemark', 'account', 'create', '--email', 'a@example.test', '--name', 'A', '--json'],
			{
				cwd: folder,
				encoding: 'utf8',
			},
		);
		assert.match(
			made.stdout,
			/^\{"account_id":1,"key":"tm_[0-9A-Za-z]{49}","link":"http[^"]+"\}\n$/,
			made.stderr,
		);
		const { key }: { key: string } = JSON.parse(made.stdout);
		const headers = { authorization: `Bearer ${key}` };
		const created = await fetch(`${service.ready}/api/v1/websites`, {
			method: 'POST',
			headers,
			body: new URLSearchParams({ domain: 'example.com' }),
		});
		assert.equal(created.status, 201);
		assert.equal((await fetch(`${service.ready}/docs/api/`)).status, 200);
		const page = await (await fetch(`${service.ready}/websites`)).text();
		const [, script = 'none'] = /<script type="module"[^>]* src="([^"]+)"/.exec(page) ?? [];
		assert.equal((await fetch(service.ready + script)).status, 200, page);
		assert.equal((await fetch(`${service.ready}/tm.js`)).status, 200);
		const ready = await fetch(`${service.ready}/health/ready`);
		assert.deepEqual(await ready.json(), {
			status: 'ready',
			roles: { collect: 'ready', write: 'ready', api: 'ready', jobs: 'ready' },
			postgres: 'up',
			clickhouse: 'up',
		});
	} finally {
		await service.stop();
	}
	assert.match(service.output(), /"msg":"stopped"/);
	assert.equal(
		existsSync(join(folder, 'data', 'postgres', 'postmaster.pid')),
		false,
		'its PostgreSQL is stopped',
	);
});

test('the tarball carries compiled JavaScript and no source, test or secret', () => {
	const root = join(folder, 'node_modules', 'tidemark');
	assert.deepEqual(readdirSync(root).sort(), [
		'CHANGELOG.md',
		'LICENSE',
		'README.md',
		'SECURITY.md',
		'api',
		'bin',
		'dist',
		'migrations',
		'package.json',
	]);
	const files = readdirSync(root, { recursive: true, encoding: 'utf8' });
	assert.deepEqual(
		files.filter((file) => /\.ts$|\.test\.|\.tgz$|\.env|node_modules/.test(file)),
		[],
	);
	assert.ok(files.includes('dist/server/main.js'));
});

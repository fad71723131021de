import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { installPackage, processesBelow, serveThere } from '../support/package.ts';

const folder = installPackage({ after });

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

test('the installed command becomes the service, in the Node of the package', async () => {
	const service = await serveThere(folder, { command: [join(folder, 'node_modules', '.bin', 'tidemark')] });
	try {
		const processes = processesBelow(service.pid);
		const own = processes.filter(({ name }) => / serve /.test(name));
		assert.deepEqual(
			own.map(({ pid }) => pid),
			[service.pid],
			'no launcher stays in memory',
		);
		assert.equal(
			readlinkSync(`/proc/${service.pid}/exe`),
			join(folder, 'node_modules', `node-linux-${process.arch}`, 'bin', 'node'),
		);
	} finally {
		await service.stop();
	}
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
		'deploy',
		'dist',
		'docs',
		'migrations',
		'package.json',
	]);
	const files = readdirSync(root, { recursive: true, encoding: 'utf8' });
	assert.deepEqual(
		files.filter((file) => /\.ts$|\.test\.|\.tgz$|\.env|node_modules/.test(file)),
		[],
	);
	assert.ok(files.includes('dist/program/main.js'));
});

test('[T100] an installed tarball has exactly the versions of the lock file, and no package of development', () => {
	const lock: { packages: Record<string, { version: string; dev?: boolean }> } = JSON.parse(
		readFileSync('package-lock.json', 'utf8'),
	);
	const found = globSync('node_modules/**/package.json', { cwd: folder }).flatMap((file) => {
		const place = dirname(file);
		if (!/(^|\/)node_modules\/(@[^/]+\/)?[^/]+$/.test(place) || place === 'node_modules/tidemark') return [];
		const { version }: { version: string } = JSON.parse(readFileSync(join(folder, file), 'utf8'));
		return [{ place, version, locked: lock.packages[place] }];
	});
	assert.ok(found.length > 100, `${found.length} packages`);
	// A package that is needed in two versions can be pinned in one of them only: docs/decisions/0013-pinned-manifest.md.
	const [below, top] = [
		found.filter(({ place }) => place.lastIndexOf('node_modules/') > 0),
		found.filter(({ place }) => place.lastIndexOf('node_modules/') === 0),
	];
	assert.deepEqual(
		top.filter(({ version, locked }) => locked?.version !== version || locked.dev),
		[],
	);
	const major = (version = '') => version.split('.')[0];
	assert.deepEqual(
		below.filter(({ version, locked }) => major(locked?.version) !== major(version)),
		[],
	);
});

test('stack traces of the bundle name lines of the sources', () => {
	const failed = spawnSync('npx', ['tidemark', 'tail', '--data', join(folder, 'nothing')], {
		cwd: folder,
		env: { ...process.env, TIDEMARK_LOG_LEVEL: 'debug' },
		encoding: 'utf8',
	});
	assert.match(failed.stderr, /cli\/run-operation\.ts:\d+:\d+/);
});

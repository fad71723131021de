import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startServiceProcess, temporaryFolder, tidemark } from '../support/service.ts';

test('what is no command or option ends with 1, a reason and where help is', async (t) => {
	const folder = join(temporaryFolder(t), 'data');
	const cases: [string[], RegExp][] = [
		[['srve'], /unknown command 'srve'/],
		[['account', 'craete'], /unknown command 'craete'/],
		[['serve', '--prot', '80'], /unknown option '--prot'/],
		[['account', 'create', '--email', 'a@example.test'], /required option '--name <name>' not specified/],
		[
			['account', 'create', '--email', 'a@example.test', '--name', 'A', '--admin'],
			/unknown option '--admin'/,
		],
		[['account', 'disable'], /missing required argument 'email'/],
		[['serve', 'extra'], /too many arguments/],
		[['key', 'revoke', '1', '2'], /too many arguments/],
	];
	for (const [args, reason] of cases) {
		const refused = await tidemark([...args, ...(args[0] === 'srve' ? [] : ['--data', folder])]);
		assert.equal(refused.code, 1, args.join(' '));
		assert.equal(refused.stdout, '');
		assert.match(refused.stderr, reason);
		assert.match(refused.stderr, /--help/, `${args.join(' ')}: ${refused.stderr}`);
	}
	assert.ok(!existsSync(folder), 'nothing was started for it');
});

test('a value that is none is refused before anything is started', async (t) => {
	const folder = join(temporaryFolder(t), 'data');
	const cases: [string[], RegExp][] = [
		[['key', 'revoke', 'abc'], /"abc" is not an id/],
		[['key', 'revoke', '01'], /"01" is not an id/],
		[['key', 'rotate', '1.5'], /"1\.5" is not an id/],
		[['key', 'create', '--account', 'a@example.test', '--name', 'n', '--website', '1', '-1'], /-1/],
		[['account', 'limit', 'a@example.test'], /Say what to limit/],
		[['account', 'limit', 'a@example.test', '--websites', 'many'], /"many" is not a limit/],
		[['account', 'limit', 'a@example.test', '--websites', '1e3'], /"1e3" is not a limit/],
		[['serve', '--port', 'http'], /TIDEMARK_PORT must be a whole number/],
		[['serve', '--port', '70000'], /TIDEMARK_PORT must be between 0 and 65535/],
		[['website', 'create', '--account', 'a@example.test'], /Name at least one domain/],
	];
	for (const [args, reason] of cases) {
		const refused = await tidemark([...args, '--data', folder]);
		assert.equal(refused.code, 1, args.join(' '));
		assert.equal(refused.stdout, '');
		assert.match(refused.stderr, reason);
		assert.doesNotMatch(refused.stderr, /\n\s+at /, 'no stack');
	}
	assert.ok(!existsSync(folder));
});

test('help and version are printed and end with 0', async () => {
	const help = await tidemark(['--help']);
	assert.equal(help.code, 0);
	for (const name of ['serve', 'account', 'key', 'website', 'demo', 'tail', 'config'])
		assert.match(help.stdout, new RegExp(`^  ${name}\\b`, 'm'));
	assert.doesNotMatch(help.stdout, /^ {2}engine\b/m);
	assert.equal((await tidemark(['account', 'create', '--help'])).code, 0);
	assert.match((await tidemark(['--version'])).stdout, /^\d+\.\d+\.\d+\n$/);
});

test('arguments are taken literally: nothing is run, split or cut', async (t) => {
	const service = await startServiceProcess(t);
	const before = readdirSync(service.folder).sort();
	const names = [
		'; rm -rf "$TMPDIR"',
		'$(touch pwned)',
		'`touch pwned`',
		'two\nlines',
		'--json',
		'-',
		"'; DROP TABLE accounts; --",
		'%s%n',
		'🌊 | tee pwned',
		'\u001b[31mred',
	];
	for (const [number, name] of names.entries()) {
		const made = await tidemark([
			'account',
			'create',
			'--json',
			`--email=a${number}@example.test`,
			`--name=${name}`,
			'--data',
			service.folder,
		]);
		assert.equal(made.code, 0, `${name}: ${made.stderr}`);
	}
	const listed = JSON.parse((await tidemark(['account', 'list', '--json', '--data', service.folder])).stdout);
	assert.deepEqual(
		listed.map(({ name }: { name: string }) => name),
		names,
	);
	const table = (await tidemark(['account', 'list', '--data', service.folder])).stdout;
	assert.equal(table.split('\n').length, names.length + 2, 'a line end in a name makes no line');
	assert.ok(!table.includes('\u001b'), 'a terminal is not told to do anything');

	for (const email of ['a0@example.test; rm', '$(id)@example.test', "x' OR '1'='1", 'a0@example.test\n']) {
		const refused = await tidemark(['account', 'delete', email, '--yes', '--data', service.folder]);
		assert.equal(refused.code, 1, email);
		assert.match(refused.stderr, /There is no account/);
	}
	for (const domain of ['$(touch pwned).example', '; rm.example', 'a.example\nb.example'])
		assert.equal(
			(
				await tidemark([
					'website',
					'create',
					'--account',
					'a0@example.test',
					domain,
					'--data',
					service.folder,
				])
			).code,
			1,
		);
	assert.deepEqual(readdirSync(service.folder).sort(), before, 'nothing was made on the disk');
	assert.equal(await service.stop(), 0);
});

test('the table of settings says what is set and hides secrets', async () => {
	const secret = randomBytes(32).toString('hex');
	const settings = {
		TIDEMARK_SECRET: secret,
		DATABASE_URL: 'postgres://u:hunter2@db/x',
		TIDEMARK_PORT: '81',
	};
	for (const form of [[], ['--json']]) {
		const shown = await tidemark(['config', ...form], { settings });
		assert.equal(shown.code, 0, shown.stderr);
		assert.ok(!shown.stdout.includes(secret) && !shown.stdout.includes('hunter2'));
		assert.match(shown.stdout, /\(set\)/);
		assert.match(shown.stdout, /\b81\b/);
	}
	const wrong = await tidemark(['config'], { settings: { TIDEMARK_PORT: 'x', TIDEMARK_HOTS: 'y' } });
	assert.equal(wrong.code, 1);
	assert.match(
		wrong.stderr,
		/^Tidemark cannot start with these settings:\n {2}- TIDEMARK_PORT .*\n {2}- TIDEMARK_HOTS is not a setting/,
	);
});

test('a port that is taken and a folder that cannot be made are said in one line', async (t) => {
	const service = await startServiceProcess(t);
	const { port } = new URL(service.base);
	const folder = temporaryFolder(t);
	const taken = await tidemark(['serve', '--data', join(folder, 'data'), '--port', port]);
	assert.equal(taken.code, 1);
	assert.match(
		taken.stderr,
		new RegExp(`^Port ${port} is taken by another program\\. Choose another one with --port\\.$`, 'm'),
	);
	assert.equal(
		(await tidemark(['account', 'list', '--data', join(folder, 'data')])).code,
		0,
		'the folder is free again',
	);
	const impossible = await tidemark(['serve', '--data', '/dev/null/data', '--port', '0']);
	assert.equal(impossible.code, 1);
	assert.match(impossible.stderr, /\/dev\/null\/data/);
	assert.equal(await service.stop(), 0);
});

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, existsSync, lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { programFile } from '../support/program.ts';
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
		[['account', 'disable'], /missing required argument 'account'/],
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
		[['account', 'limit', 'a@example.test'], /Pass --websites, --pageviews or --hits/],
		[['account', 'limit', 'a@example.test', '--websites', 'many'], /"many" is not a limit/],
		[['account', 'limit', 'a@example.test', '--websites', '1e3'], /"1e3" is not a limit/],
		[['serve', '--port', 'http'], /TIDEMARK_PORT must be a whole number/],
		[['serve', '--port', '70000'], /TIDEMARK_PORT must be between 0 and 65535/],
		[['website', 'create', '--account', 'a@example.test'], /Pass at least one domain/],
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
		/^Invalid settings:\n {2}- TIDEMARK_PORT .*\n {2}- TIDEMARK_HOTS is not a setting/,
	);
});

/** The only message: a line of JSON, as the log is. */
const fatal = (stderr: string): string => {
	const lines = stderr.trim().split('\n');
	assert.equal(lines.length, 1, stderr);
	const { level, msg }: { level: string; msg: string } = JSON.parse(lines[0] ?? '');
	assert.equal(level, 'fatal');
	return msg;
};

test('[F63] a failed start is one sentence with the next step, in JSON, and has created nothing', async (t) => {
	const taken = createServer().listen(0, '127.0.0.1');
	await once(taken, 'listening');
	t.after(() => taken.close());
	const { port } = taken.address() as AddressInfo;
	const folder = join(temporaryFolder(t), 'data');
	const start = (...args: string[]) => tidemark(['serve', ...args]);
	const cases: [string[], RegExp][] = [
		[
			['--data', folder, '--port', String(port)],
			new RegExp(`^Port ${port} is already in use\\. Choose another one with --port\\.$`),
		],
		[
			['--data', folder, '--port', '0', '--host', '192.0.2.1'],
			/^192\.0\.2\.1 is not an address of this machine\. Choose another one with --host\.$/,
		],
		[
			['--data', '/dev/null/data', '--port', '0'],
			/^\/dev\/null\/data cannot be created .*\(ENOTDIR, mkdir\)\. Choose another path\.$/,
		],
		[
			['--data', '/sys/tidemark', '--port', '0'],
			/\/sys\/tidemark .*\(E(ACCES|PERM|ROFS), mkdir\)\. .*choose another path/i,
		],
	];
	for (const [args, sentence] of cases) {
		const failed = await start(...args);
		assert.equal(failed.code, 1, args.join(' '));
		assert.equal(failed.stdout, '');
		assert.match(fatal(failed.stderr), sentence);
	}
	assert.ok(!existsSync(folder));
});

test('[F63] a command whose reader has left ends without a stack', () => {
	const script = '"$0" "$1" config | true';
	const { stderr } = spawnSync('sh', ['-c', script, process.execPath, programFile], { encoding: 'utf8' });
	assert.equal(stderr, '');
});

test('[F61] a command that only reads creates no data folder', async (t) => {
	const folder = join(temporaryFolder(t), 'data');
	for (const args of [
		['account', 'list'],
		['export', '--website', '1'],
		['upgrade', '--dry-run'],
	]) {
		const refused = await tidemark([...args, '--data', folder]);
		assert.equal(refused.code, 1, args.join(' '));
		assert.match(refused.stderr, /There is no Tidemark data in .*tidemark serve --data/, args.join(' '));
	}
	assert.ok(!existsSync(folder));
});

/** Every file with its owner, mode and time of change. */
const filesOf = (folder: string): string[] =>
	['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })].map((name) => {
		const { uid, gid, mode, ctimeMs } = lstatSync(join(folder, name));
		return `${name} ${uid}:${gid} ${mode} ${ctimeMs}`;
	});

test("[F60] root is refused on another user's stopped folder, and nothing in it is touched", {
	skip: process.getuid?.() !== 0,
}, async (t) => {
	const parent = temporaryFolder(t);
	const folder = join(parent, 'data');
	mkdirSync(join(folder, 'secrets'), { recursive: true });
	const nobody = 65_534;
	// The folder itself may be a volume of root's.
	chownSync(join(folder, 'secrets'), nobody, nobody);
	const file = join(parent, 'visits.csv');
	writeFileSync(file, 'date,visitors\n');
	const before = filesOf(folder);
	for (const args of [
		['account', 'list'],
		['serve', '--port', '0'],
		['import', file, '--website', '1', '--from', 'plausible'],
	]) {
		const refused = await tidemark([...args, '--data', folder]);
		assert.equal(refused.code, 1, args.join(' '));
		assert.match(
			refused.stdout + refused.stderr,
			/belongs to the user nobody.*Nothing was changed\. Run the command as that user: sudo -u nobody tidemark/,
			args.join(' '),
		);
		assert.deepEqual(filesOf(folder), before, args.join(' '));
	}
});

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { cleanEnvironment, cloneSources } from '../support/clone.ts';
import { until } from '../support/service.ts';

const clone = cloneSources({ after });
mkdirSync(join(clone, 'test/runner'));

/** A script of package.json, as npm runs it. */
function run(script: string, ...args: string[]) {
	const { status, stdout, stderr } = spawnSync(process.execPath, [`scripts/${script}.ts`, ...args], {
		cwd: clone,
		env: cleanEnvironment(),
		encoding: 'utf8',
	});
	return { status, stdout, stderr };
}

/** Puts a test file into the clone. */
function write(name: string, body: string): string {
	const file = `test/runner/${name}.test.ts`;
	writeFileSync(
		join(clone, file),
		`import assert from 'node:assert/strict';\nimport { test } from 'node:test';\n${body}\n`,
	);
	return file;
}

test('a path that matches no test file fails, also beside one that does', () => {
	const file = write('good', "test('good', () => assert.ok(true));");
	for (const paths of [['test/no-such-folder'], [file, 'test/no-such-folder']]) {
		const { status, stdout, stderr } = run('test', ...paths);
		assert.equal(status, 1, stdout);
		assert.match(stderr, /^No test file matches test\/no-such-folder\. /m);
	}
	for (const path of [file, `./${file}`, join(clone, file), 'test/runner/goo'])
		assert.match(run('test', path).stdout, /^1 passed, 0 failed$/m, path);
});

test('options that are not ours go to the test runner of Node', () => {
	const file = write('two', "test('first', () => assert.ok(true));\ntest('second', () => assert.ok(true));");
	assert.match(run('test', file).stdout, /^2 passed, 0 failed$/m);
	const first = run('test', file, '--test-name-pattern=first');
	assert.match(first.stdout, /^1 passed, 0 failed$/m);
	assert.match(first.stdout, /✔ first/);
	const second = run('test', '--test-skip-pattern=first', file);
	assert.match(second.stdout, /^1 passed, 0 failed$/m);
	assert.match(second.stdout, /✔ second/);
	const unknown = run('test', file, '--no-such-option');
	assert.equal(unknown.status, 1);
	assert.match(unknown.stdout, /bad option: --no-such-option/);
});

test('a file that is ended because it hangs still tells what failed before', () => {
	const body = [
		"test('wrong', () => assert.equal('left', 'right'));",
		"test('hangs', () => new Promise((resolve) => setTimeout(resolve, 600_000)));",
	];
	const file = write('hangs', body.join('\n'));
	const { status, stdout } = spawnSync('npm', ['test', '--silent', '--', file], {
		cwd: clone,
		encoding: 'utf8',
		env: { ...cleanEnvironment(), TEST_FILE_MINUTES: '0.1' },
	});
	assert.equal(status, 1, stdout);
	assert.match(stdout, /'left' !== 'right'/);
	assert.match(stdout, /^0 passed, 1 failed$/m);
});

test('files that need neither get no build of the dashboard and no template of the databases', () => {
	for (const name of ['unit-1', 'unit-2', 'unit-3'])
		write(name, "test('no template', () => assert.equal(process.env.TEST_TEMPLATE, undefined));");
	const { stdout, stderr } = run('test', 'test/runner/unit-');
	assert.match(stdout, /^3 passed, 0 failed$/m, stderr);
	assert.ok(!existsSync(join(clone, 'dist')), 'nothing was built');
});

test('a file that imports what builds the dashboard, through others too, gets a build', () => {
	// Not as one text: the runner would take this file for one that needs the dashboard.
	const builder = '../../scripts/build-dashboard.ts';
	writeFileSync(
		join(clone, 'test/runner/pages.ts'),
		`import { existsSync } from 'node:fs';\nimport '${builder}';\n` +
			"export const isBuilt = () => existsSync('dist/pages/index.html');\n",
	);
	const file = write(
		'pages',
		"import { isBuilt } from './pages.ts';\ntest('built', () => assert.ok(isBuilt()));",
	);
	const { stdout, stderr } = run('test', file);
	assert.match(stdout, /^1 passed, 0 failed$/m, stdout + stderr);
});

test('--watch runs a file again when it changes', async (t) => {
	const file = write('watched', "test('before', () => assert.ok(true));");
	const child = spawn(process.execPath, ['scripts/test.ts', file, '--watch'], {
		cwd: clone,
		env: cleanEnvironment(),
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	const exited = new Promise((resolve) => child.once('exit', resolve));
	t.after(async () => {
		child.kill('SIGTERM');
		await exited;
	});
	let output = '';
	child.stdout.setEncoding('utf8').on('data', (text: string) => {
		output += text;
	});
	await until(() => /✔ before/.test(output), 20_000, 'the file ran');
	write('watched', "test('later', () => assert.ok(true));");
	await until(() => /✔ later/.test(output), 20_000, 'the file ran again');
});

test('npm run bench lists the benchmarks, refuses an unknown one, and hands arguments on', () => {
	const list = run('bench');
	assert.equal(list.status, 0);
	const names = [...list.stdout.matchAll(/^ {2}([a-z-]+) /gm)].map(([, name = '']) => name);
	assert.ok(names.length > 15, list.stdout);
	for (const name of names) assert.ok(existsSync(join(clone, 'bench', `${name}.ts`)), name);
	const unknown = run('bench', 'no-such-benchmark');
	assert.equal(unknown.status, 1);
	assert.match(unknown.stderr, /^There is no benchmark "no-such-benchmark"\.$/m);
	assert.equal(unknown.stdout, list.stdout);

	writeFileSync(join(clone, 'bench/stats.ts'), 'console.log(process.argv.slice(2)); process.exit(3);\n');
	const passed = run('bench', 'stats', '10', '--grow');
	assert.equal(passed.status, 3);
	assert.match(passed.stdout, /^\d+ cores, .*\n\[ '10', '--grow' \]\n/);

	const documented = globSync('{*.md,docs/**/*.md,bench/*.ts}', { cwd: clone }).flatMap((file) =>
		[...readFileSync(join(clone, file), 'utf8').matchAll(/npm run bench(?::| -- )([a-z-]+)/g)].map(
			([, name = '']) => ({ file, name }),
		),
	);
	assert.ok(documented.length > 20);
	assert.deepEqual(
		documented.filter(({ name }) => !names.includes(name)),
		[],
	);
});

test('.nvmrc, engines and the Node that npm scripts use agree', () => {
	const read = (file: string) => readFileSync(join(clone, file), 'utf8');
	const { engines, optionalDependencies } = JSON.parse(read('package.json'));
	const wanted = Number(read('.nvmrc'));
	const shipped = Object.entries<string>(optionalDependencies)
		.filter(([name]) => /^node-/.test(name))
		.map(([, version]) => Number(version.split('.')[0]));
	assert.ok(shipped.length >= 4);
	assert.deepEqual(new Set([...shipped, Number(process.versions.node.split('.')[0])]), new Set([wanted]));
	// Node 18 can start the package: bin/tidemark.js hands over to the Node that comes with it.
	assert.ok(wanted >= Number(/^>=(\d+)$/.exec(engines.node)?.[1]));
});

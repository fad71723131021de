import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeKey } from '../accounts/keys.ts';
import { createLog } from './log.ts';

function capture(level = 'debug') {
	const lines: string[] = [];
	return { log: createLog(level, (line) => lines.push(line)), text: () => lines.join(''), lines };
}

test('[T53] a secret is in no line, whatever member it came in', () => {
	const { log, text, lines } = capture();
	const key = makeKey();
	const canary = 'canary-5f0c';
	for (const name of ['password', 'authorization', 'Authorization', 'cookie', 'secret', 'key', 'token']) {
		log.info({ [name]: canary }, 'at the top');
		log.info({ request: { [name]: canary } }, 'one below');
		log.info({ request: { headers: { [name]: canary } } }, 'two below');
	}
	// What PostgreSQL says of a row that breaks a rule, and of the values that a statement was sent with.
	log.error(
		{ error: Object.assign(new Error('duplicate'), { detail: canary, parameters: [canary] }) },
		'sql',
	);
	log.info({ deep: { deeper: { deepest: { url: `/websites?api_key=${key}` } } } }, `key ${key} in a text`);
	log.warn({ error: new Error(`no such key ${key}`, { cause: new Error(`because of ${key}`) }) }, 'an error');
	log.warn({ [key]: 'as a name' }, 'odd');
	assert.equal(lines.length, 25);
	assert.ok(!text().includes(canary), text());
	assert.ok(!text().includes(key), text());
	assert.match(text(), /tm_\[redacted\]/);
});

test('[T53][T101] an email address is in no line, whoever quoted it', () => {
	const { log, text, lines } = capture();
	const address = 'jane.doe+news@mail.example.co.uk';
	log.warn({ reason: `550 5.1.1 <${address}>: user unknown in ${address}` }, 'a mail could not be sent');
	log.error(
		{ error: new Error(`Key (email)=(${address}) exists`, { cause: new Error(address) }) },
		`to ${address}`,
	);
	log.info({ long: `${'a'.repeat(200_000)}@${'b'.repeat(200_000)}` }, 'a long text');
	assert.equal(lines.length, 3);
	assert.ok(!text().includes('jane.doe') && !text().includes('mail.example'), text().slice(0, 2_000));
	assert.match(text(), /550 5\.1\.1 <\[email\]>: user unknown/);
});

test('an error is told with its name, text, code, stack and cause', () => {
	const { log, lines } = capture();
	const cause = Object.assign(new Error('connection refused'), { code: 'ECONNREFUSED' });
	log.error({ error: new Error('no database', { cause }) }, 'failed');
	log.error({ error: 'a text that was thrown' }, 'failed');
	const [first, second] = lines.map((line) => JSON.parse(line));
	assert.equal(first.level, 'error');
	assert.equal(first.error.message, 'no database');
	assert.match(first.error.stack, /log\.test/);
	assert.equal(first.error.cause.code, 'ECONNREFUSED');
	assert.deepEqual(second.error, { message: 'a text that was thrown' });
});

test('the level decides what is written', () => {
	for (const [level, expected] of [
		['debug', 4],
		['info', 3],
		['warn', 2],
		['error', 1],
		['silent', 0],
	] as const) {
		const { log, lines } = capture(level);
		log.debug('d');
		log.info('i');
		log.warn('w');
		log.error('e');
		assert.equal(lines.length, expected, level);
	}
});

test('as text, an entry is one line, with its fields, the causes of its error and no control characters', () => {
	const lines: string[] = [];
	const log = createLog('info', (line) => lines.push(line), 'text');
	const cause = new Error('connection\nrefused');
	log.warn({ pid: 4711, roles: ['api', 'jobs'], path: '/a b\u001b[31m' }, 'worker exited; restarting');
	log.error({ error: new Error('no database', { cause }) }, 'failed');
	log.info(`key ${makeKey()}\u001b[31m of jane@example.com`);
	assert.match(
		lines[0] ?? '',
		/^\d\d:\d\d:\d\d warn {2}worker exited; restarting pid=4711 roles=api,jobs path="\/a b\\u001b\[31m"\n$/,
	);
	assert.match(lines[1] ?? '', /^\S+ error failed: no database: connection refused\n$/);
	assert.match(lines[2] ?? '', /^\S+ info {2}key tm_\[redacted\]\S*\[31m of \[email\]\n$/);
	assert.doesNotMatch(lines.join(''), /\u001b/);
	// Also without a blank beside it, and where JSON does not escape it.
	log.info({ path: '/a\u001b[31m', agent: '\u009b31m', domain: 'b c\u009b31m' }, 'request');
	assert.match(lines[3] ?? '', / path=\/a\\x1b\[31m agent=\\x9b31m domain="b c\\x9b31m"\n$/);
	assert.doesNotMatch(lines.join('').replaceAll('\n', ''), /\p{Cc}/u);
	const withStacks: string[] = [];
	createLog('debug', (line) => withStacks.push(line), 'text').error({ error: cause }, 'failed');
	assert.match(withStacks[0] ?? '', /\n\s+at .*log\.test/);
});

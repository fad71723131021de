import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { deriveKey, keyedHash, readOrMakeSecret } from './secrets.ts';

function inFolder(t: { after(work: () => void): void }): string {
	const folder = mkdtempSync(join(tmpdir(), 'tidemark-secrets-'));
	t.after(() => rmSync(folder, { recursive: true }));
	return folder;
}

test('each purpose has its own key, each secret its own keys, and both are stable', () => {
	const secret = 'a'.repeat(32);
	const keys = ['sessions', 'idempotent bodies', 'session', 'sessions '].map((purpose) =>
		deriveKey(secret, purpose).toString('hex'),
	);
	assert.equal(new Set(keys).size, 4);
	assert.notEqual(deriveKey('b'.repeat(32), 'sessions').toString('hex'), keys[0]);
	assert.equal(deriveKey(secret, 'sessions').toString('hex'), keys[0]);
	assert.equal(deriveKey(secret, 'sessions').length, 32);
	assert.ok(!keys.includes(Buffer.from(secret).toString('hex')), 'the secret itself is no key');
	const [one, other] = [deriveKey(secret, 'one'), deriveKey(secret, 'other')];
	assert.notDeepEqual(keyedHash(one, 'text'), keyedHash(other, 'text'));
});

test('a secret is made once, for its owner alone, and another folder has another', (t) => {
	const [first, second] = [inFolder(t), inFolder(t)];
	const secret = readOrMakeSecret(first, 'secret');
	assert.match(secret, /^[A-Za-z0-9_-]{43}$/);
	assert.equal(readOrMakeSecret(first, 'secret'), secret);
	assert.notEqual(readOrMakeSecret(first, 'postgres'), secret);
	assert.notEqual(readOrMakeSecret(second, 'secret'), secret);
	assert.equal(statSync(join(first, 'secrets', 'secret')).mode & 0o777, 0o600);
	assert.equal(statSync(join(first, 'secrets')).mode & 0o777, 0o700);
});

test('a file that others can read is closed, a damaged one is refused and left alone', (t) => {
	const folder = inFolder(t);
	const secret = readOrMakeSecret(folder, 'secret');
	const file = join(folder, 'secrets', 'secret');
	chmodSync(file, 0o644);
	assert.equal(readOrMakeSecret(folder, 'secret'), secret);
	assert.equal(statSync(file).mode & 0o777, 0o600);
	writeFileSync(file, 'short');
	assert.throws(() => readOrMakeSecret(folder, 'secret'), /is damaged/);
	assert.equal(readFileSync(file, 'utf8'), 'short');
});

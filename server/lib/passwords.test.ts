import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashPassword, isPassword } from './passwords.ts';

test('a password is known again, and only that one', async () => {
	for (const password of ['x', 'påsswörd 🔑', ' blanks around ', '0', 'a'.repeat(128)]) {
		const hashed = await hashPassword(password);
		assert.match(hashed, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
		assert.ok(!hashed.includes(password) || password.length === 1);
		assert.ok(await isPassword(password, hashed));
		for (const other of [`${password} `, password.trim() === password ? '' : password.trim(), 'X'])
			assert.ok(!(await isPassword(other, hashed)), other);
	}
});

test('the same password never has the same hash', async () => {
	const hashes = await Promise.all(Array.from({ length: 12 }, () => hashPassword('once more')));
	assert.equal(new Set(hashes).size, 12);
});

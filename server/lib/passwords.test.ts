import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { test } from 'node:test';
import { AppError } from './app-error.ts';
import { hashPassword, isPassword, withPasswordSlot, withSharePasswordSlot } from './passwords.ts';

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

test('[T97] passwords of shared statistics never keep a person from signing in, and one holder has a few at a time', async () => {
	const order: string[] = [];
	const hold = Promise.withResolvers<void>();
	const slots = Math.max(2, availableParallelism());
	// Every slot that shares may have is taken, and more wait, of many holders.
	const shares = Array.from({ length: 20 }, (_, index) =>
		withSharePasswordSlot(`account ${index}`, async () => {
			order.push('share begins');
			await hold.promise;
		}),
	);
	await withPasswordSlot(async () => void order.push('person'));
	assert.equal(order.filter((what) => what === 'share begins').length, slots - 1);
	assert.equal(order.at(-1), 'person', 'a person has a slot while shares fill all of theirs');
	hold.resolve();
	await Promise.all(shares);

	const greedy = Array.from({ length: 12 }, () =>
		withSharePasswordSlot('account 1', (turn) => turn.hash('x')).then(
			() => 'done',
			(error: unknown) => (error instanceof AppError ? error.code : 'other'),
		),
	);
	const outcomes = await Promise.all(greedy);
	assert.equal(outcomes.filter((outcome) => outcome === 'done').length, 4);
	assert.equal(outcomes.filter((outcome) => outcome === 'too_many_requests').length, 8);
	assert.equal(await withSharePasswordSlot('account 1', async () => 'again'), 'again');
});

import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { AttemptsOrder } from '../support/attempts-process.ts';
import { world } from '../support/world.ts';

const w = await world({ after });

function tryIn(order: AttemptsOrder): Promise<number> {
	return new Promise((resolve, reject) => {
		const child = fork(join(import.meta.dirname, '..', 'support', 'attempts-process.ts'));
		child.once('message', (taken) => resolve(Number(taken)));
		child.once('exit', (code) => code !== 0 && reject(new Error(`It ended with ${code}.`)));
		child.send(order);
	});
}

test('[T01] two processes that try passwords at once are counted as one', async (t) => {
	const order = {
		...{ postgres: w.postgresTarget, now: '2026-11-15T12:00:00Z', free: 10, tries: 100 },
		name: 'account 1',
	};
	const taken = await Promise.all([tryIn(order), tryIn(order)]);
	t.diagnostic(`let through: ${taken.join(' and ')}`);
	assert.equal((taken[0] ?? 0) + (taken[1] ?? 0), 10);
	assert.equal(await tryIn(order), 0, 'a third finds nothing left');
	assert.equal(await tryIn({ ...order, name: 'account 2' }), 10, 'another account has its own');
});

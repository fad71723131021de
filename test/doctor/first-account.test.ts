import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { doctorChecks } from '../../api/doctor.ts';
import { assertProblem } from '../support/contract.ts';
import { givePassword, signedIn, visitor } from '../support/visitor.ts';
import { world } from '../support/world.ts';

const w = await world({ after });
const [first, second] = [
	await w.account({ name: 'Whoever set it up' }),
	await w.account({ name: 'A customer' }),
];
for (const account of [first, second]) await givePassword(w, account);

test('[C-DOC-3] [T11] the first account is told how the service is; for all others there is nothing', async () => {
	const answer = await (await signedIn(w, first))('GET', '/doctor');
	assert.equal(answer.status, 200, answer.text);
	const { examined_at: at, findings } = JSON.parse(answer.text).data;
	assert.match(at, /^\d{4}-\d\d-\d\dT.*Z$/);
	assert.deepEqual([...new Set(findings.map(({ check }: { check: string }) => check))], [...doctorChecks]);
	for (const finding of findings)
		assert.deepEqual(Object.keys(finding), ['check', 'state', 'what', 'advice']);
	assertProblem(await (await signedIn(w, second))('GET', '/doctor'), 'not_found');
	assertProblem(await visitor(() => w.base)('GET', '/doctor'), 'unauthenticated');
	assert.equal(
		(await first.api('GET', '/doctor')).status,
		404,
		'a key of the first account is not the first account',
	);
});

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { doctorChecks } from '../../api/doctor.ts';
import { assertProblem } from '../support/contract.ts';
import { givePassword, goodPassword, signedIn, type Visitor, visitor } from '../support/visitor.ts';
import { world } from '../support/world.ts';

const w = await world({ after });
const [first, second] = [
	await w.account({ name: 'Whoever set it up' }),
	await w.account({ name: 'A customer' }),
];
for (const account of [first, second]) await givePassword(w, account);

test('[C-DOC-3] [T11] the operator is told how the service is; for all others there is nothing', async () => {
	const answer = await (await signedIn(w, first))('GET', '/doctor');
	assert.equal(answer.status, 200, answer.text);
	const { examined_at: at, findings } = JSON.parse(answer.text).data;
	assert.match(at, /^\d{4}-\d\d-\d\dT.*Z$/);
	assert.deepEqual([...new Set(findings.map(({ check }: { check: string }) => check))], [...doctorChecks]);
	for (const finding of findings)
		assert.deepEqual(Object.keys(finding), ['check', 'state', 'what', 'advice']);
	assertProblem(await (await signedIn(w, second))('GET', '/doctor'), 'not_found');
	assertProblem(await visitor(() => w.base)('GET', '/doctor'), 'unauthenticated');
	assert.equal((await first.api('GET', '/doctor')).status, 404, 'a key of the operator is not the operator');
});

test('[T83] [C-DOC-5] nobody inherits the operator: only the operator command chooses one', async () => {
	const [guest] = [await signedIn(w, second)];
	const invitation = await guest('POST', '/people/invitations', { json: { role: 'viewer' } });
	const token: string = JSON.parse(invitation.text).data.link.split('#token=')[1];
	const email = 'invited@example.test';
	const invited = visitor(() => w.base);
	await invited('POST', '/join/account', { json: { token, name: 'N', email, password: goodPassword } });
	await w.operate('account.delete', { email: first.email });
	const isOperator = async (browser: Visitor) =>
		JSON.parse((await browser('GET', '/session')).text).data.is_operator;
	for (const browser of [guest, invited]) {
		assertProblem(await browser('GET', '/doctor'), 'not_found');
		assert.equal(await isOperator(browser), false);
	}
	await w.account({ name: 'Made at the command line' });
	assert.deepEqual(await w.sql('SELECT 1 FROM people WHERE is_operator'), []);
	await w.operate('account.operator', { email: second.email, isOperator: true });
	assert.equal((await guest('GET', '/doctor')).status, 200);
	assert.equal(await isOperator(guest), true);
	await assert.rejects(w.operate('account.operator', { email, isOperator: true }), /unconfirmed/);
	await w.operate('account.operator', { email: second.email, isOperator: false });
	assertProblem(await guest('GET', '/doctor'), 'not_found');
});

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { assertProblem, freshDomain, itemOf, websiteOf } from '../support/contract.ts';
import { world } from '../support/world.ts';

const w = await world({ after });
const owner = await w.account({ timezone: 'UTC' });
const create = async () =>
	websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain() } }), 201).id;
const makeGoal = async (website: number) => {
	const json = { name: 'Thanks', kind: 'page', pattern: '/thanks' };
	return itemOf('goals', await owner.api('POST', `/websites/${website}/goals`, { json }), 201).id;
};
const website = await create();
const goal = await makeGoal(website);
const foreignGoal = await makeGoal(await create());
let made = 0;
const post = (steps: unknown) =>
	owner.api('POST', `/websites/${website}/funnels`, { json: { name: `Funnel ${++made}`, steps } });
const pages = (count: number) => Array.from({ length: count }, (_, n) => ({ page: `/${n}*` }));

test('[C-FUN-1] two to eight steps, goals and pages', async () => {
	for (const steps of [pages(2), pages(8), [{ goal }, { page: '*' }, { goal }]])
		assert.deepEqual(itemOf('funnels', await post(steps), 201).steps, steps);
	const mended = itemOf('funnels', await post([{ goal: String(goal) }, { page: ' /cafe\u0301 ' }]), 201);
	assert.deepEqual(mended.steps, [{ goal }, { page: '/caf\u00e9' }]);
});

const fine = { page: '/' };
const bad: { name: string; steps: unknown; says: RegExp }[] = [
	{ name: 'none', steps: [], says: /at least 2 steps/ },
	{ name: 'one', steps: [fine], says: /at least 2 steps/ },
	{ name: 'nine', steps: pages(9), says: /not have more than 8 steps/ },
	{ name: 'no list', steps: { page: '/' }, says: /must be a list of 2 to 8 steps/ },
	{ name: 'a text', steps: '/a, /b', says: /must be a list of 2 to 8 steps/ },
	{ name: 'a text as step', steps: [fine, '/a'], says: /Step 2 must be/ },
	{ name: 'an empty step', steps: [fine, fine, {}], says: /Step 3 must be/ },
	{ name: 'null', steps: [null, fine], says: /Step 1 must be/ },
	{ name: 'both in one', steps: [fine, { goal, page: '/' }], says: /Step 2 must be/ },
	{ name: 'another member', steps: [fine, { event: 'order' }], says: /Step 2 must be/ },
	{
		name: 'a page without a slash',
		steps: [fine, { page: 'cart' }],
		says: /Step 2 must be .*begins with \/ or \*/,
	},
	{ name: 'six wildcards', steps: [fine, { page: '/******' }], says: /Step 2 must be .*at most five/ },
	{ name: 'an empty page', steps: [fine, { page: '' }], says: /Step 2 must be/ },
	{
		name: 'a long page',
		steps: [fine, { page: `/${'x'.repeat(500)}` }],
		says: /Step 2 must be .*500 characters/,
	},
	{ name: 'NUL', steps: [fine, { page: '/\0' }], says: /Step 2 must be/ },
	{ name: 'a goal by name', steps: [fine, { goal: 'Thanks' }], says: /Step 2 must be/ },
	{ name: 'goal 0', steps: [fine, { goal: 0 }], says: /Step 2 must be/ },
	{
		name: 'a polluted step',
		steps: [fine, JSON.parse('{"__proto__":{"page":"/"}}')],
		says: /Step 2 must be/,
	},
];
for (const { name, steps, says } of bad)
	test(`[C-FUN-1] ${name}: 422 that says what is wrong`, async () => {
		const problem = assertProblem(await post(steps), 'validation_failed', ['steps']);
		assert.match(problem.detail, says);
	});

test('[C-FUN-2] a goal that the website does not have is 422, another website’s as well', async () => {
	for (const missing of [foreignGoal, 10 ** 12, Number.MAX_SAFE_INTEGER]) {
		const problem = assertProblem(await post([{ goal }, { goal: missing }]), 'validation_failed', ['steps']);
		assert.equal(problem.detail, `Step 2 uses the goal ${missing}, which this website does not have.`);
	}
	const { id } = itemOf('funnels', await post(pages(2)), 201);
	const json = { steps: [{ goal: foreignGoal }, { page: '/' }] };
	assertProblem(await owner.api('PUT', `/websites/${website}/funnels/${id}`, { json }), 'validation_failed', [
		'steps',
	]);
});

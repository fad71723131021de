import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { assertProblem, freshDomain, itemOf, websiteOf } from '../support/contract.ts';
import { patience } from '../support/timeout-factor.ts';
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
const post = (filters: unknown) =>
	owner.api('POST', `/websites/${website}/segments`, { json: { name: `Segment ${++made}`, filters } });

const good: { sent: unknown; stored: unknown }[] = [
	{ sent: ['is', 'country', 'DE'], stored: ['is', 'country', ['DE']] },
	{ sent: ['any_of', 'country', ['DE', 'AT', 'DE']], stored: ['is', 'country', ['DE', 'AT']] },
	{ sent: ['not', ['contains', 'page', ['/a']]], stored: ['not_contains', 'page', ['/a']] },
	{ sent: '["starts_with","property:plan","p"]', stored: ['starts_with', 'property:plan', ['p']] },
	{ sent: ['is', 'goal', goal], stored: ['is', 'goal', [String(goal)]] },
	{
		sent: [
			'and',
			['is', 'hour', [9, '10']],
			['or', ['is_not', 'source', ['']], ['not', ['starts_with', 'page', '/']]],
		],
		stored: [
			'and',
			['is', 'hour', ['9', '10']],
			['or', ['is_not', 'source', ['']], ['not_starts_with', 'page', ['/']]],
		],
	},
	{
		sent: ['matches', 'page', '^/a', { case_sensitive: false }],
		stored: ['matches', 'page', ['^/a'], { case_sensitive: false }],
	},
	{ sent: ['wildcard', 'page', '/a*', { case_sensitive: true }], stored: ['wildcard', 'page', ['/a*']] },
	{ sent: ['not', ['is_set', 'goal']], stored: ['is_not_set', 'goal'] },
	{ sent: ['between', 'revenue:EUR', [1, '2.50']], stored: ['between', 'revenue:EUR', ['1', '2.50']] },
	{ sent: ['is', 'title', ['it\'s "so" \\ 👋\n']], stored: ['is', 'title', ['it\'s "so" \\ 👋\n']] },
];
for (const { sent, stored } of good)
	test(`[C-SEG-1] ${JSON.stringify(sent).slice(0, 60)} is stored in one spelling`, async () => {
		const segment = itemOf('segments', await post(sent), 201);
		assert.deepEqual(segment.filters, stored);
		const path = `/websites/${website}/segments/${segment.id}`;
		assert.deepEqual(itemOf('segments', await owner.api('GET', path)), segment);
		const again = await owner.api('PUT', path, { json: { filters: sent } });
		assert.deepEqual(itemOf('segments', again), segment, 'another spelling of the same is no change');
	});

const deep = (depth: number): unknown => (depth === 1 ? ['is', 'os', ['x']] : ['not', deep(depth - 1)]);
const bad: { rule: string; name: string; filters: unknown; says: RegExp }[] = [
	{ rule: 'C-SEG-2', name: 'no list', filters: { is: 1 }, says: /must be a filter such as/ },
	{
		rule: 'C-STAT-25',
		name: 'a broken expression',
		filters: ['matches', 'page', '/blog('],
		says: /"\/blog\(" is not valid in RE2 syntax: missing closing \)/,
	},
	{
		rule: 'C-STAT-24',
		name: 'no number',
		filters: ['at_least', 'revenue', 'ten'],
		says: /must be a number such as 10/,
	},
	{
		rule: 'C-SEG-2',
		name: 'an unknown word',
		filters: ['like', 'page', '/'],
		says: /begin with one of is, /,
	},
	{
		rule: 'C-SEG-2',
		name: 'an unknown dimension',
		filters: ['is', 'path', '/'],
		says: /The dimensions are page, /,
	},
	{ rule: 'C-SEG-2', name: 'no filter in and', filters: ['and'], says: /needs at least one filter/ },
	{ rule: 'C-SEG-2', name: 'NUL', filters: ['is', 'page', ['\0']], says: /cannot be stored/ },
	{
		rule: 'C-SEG-2',
		name: '__proto__',
		filters: ['is', '__proto__', ['x']],
		says: /"__proto__" is not a dimension/,
	},
	{ rule: 'C-SEG-3', name: 'nine deep', filters: deep(9), says: /more than 8 deep/ },
	{
		rule: 'C-SEG-3',
		name: '51 tests',
		filters: ['or', ...Array(51).fill(deep(1))],
		says: /more than 50 tests/,
	},
	{
		rule: 'C-SEG-3',
		name: '101 values',
		filters: ['is', 'page', Array(101).fill('x')],
		says: /1 to 100 values/,
	},
	{
		rule: 'C-SEG-3',
		name: 'a long value',
		filters: ['is', 'page', ['x'.repeat(2_001)]],
		says: /2000 characters/,
	},
	{
		rule: 'C-SEG-4',
		name: 'a goal of elsewhere',
		filters: ['is', 'goal', foreignGoal],
		says: /a goal of this website/,
	},
	{
		rule: 'C-SEG-4',
		name: 'part of a goal',
		filters: ['contains', 'goal', goal],
		says: /is, is_not and any_of/,
	},
	{ rule: 'C-SEG-4', name: 'hour 24', filters: ['is', 'hour', '24'], says: /from 0 to 23/ },
	{ rule: 'C-SEG-4', name: 'weekday 0', filters: ['is', 'weekday', 0], says: /from 1 \(Monday\) to 7/ },
];
for (const { rule, name, filters, says } of bad)
	test(`[${rule}] ${name} is 422 with what is allowed`, async () => {
		const problem = assertProblem(await post(filters), 'validation_failed', ['filters']);
		assert.match(problem.detail, says);
	});

test('[C-SEG-3] a filter that never ends is refused at once', async () => {
	const begin = performance.now();
	const filters = `${'["not",'.repeat(100_000)}1${']'.repeat(100_000)}`;
	for (const body of [`{"name":"x","filters":${filters}}`, JSON.stringify({ name: 'x', filters })]) {
		const headers = { 'content-type': 'application/json' };
		const answer = await owner.api('POST', `/websites/${website}/segments`, { body, headers });
		assertProblem(answer, 'validation_failed', ['filters']);
	}
	assert.ok(performance.now() - begin < 2_000 * patience);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ruleTests } from '../../../api/traffic-rules.ts';
import { seededRandom } from '../../../test/support/random.ts';
import { compileRules, findNetworkRule, findOperatorRule, type RuleRow } from './traffic-rules.ts';

const matchOf = (rows: readonly RuleRow[], text: string) => compileRules(rows, '')?.texts[0]?.matcher(text);

test('each test of a text', () => {
	const cases: [RuleRow['test'], string, matches: string[], others: string[]][] = [
		['is', '/a', ['/a'], ['/a/', '/A', '/', '']],
		['contains', 'b', ['b', 'abc'], ['B', 'ac']],
		['starts_with', '/a', ['/a', '/ab'], ['/', '/ba/a']],
		['ends_with', '.pdf', ['.pdf', '/x.pdf'], ['pdf', '/x.pdf/']],
		['wildcard', '/a*c', ['/ac', '/abc', '/a/c/c'], ['/a', '/acd', 'x/ac']],
		['wildcard', '*a*a*', ['aa', 'xaxax'], ['a', 'xax']],
		['wildcard', 'ab*ba', ['abba', 'ab-ba'], ['aba']],
		['wildcard', '/plain', ['/plain'], ['/plain/']],
		['wildcard', '*', ['x'], []],
		['wildcard', 'a.c', ['a.c'], ['abc']],
		[
			'domain',
			'b.example',
			['b.example', 'a.b.example', 'b.example/x', 'www.b.example/x/y'],
			['ab.example', 'example', 'x.example/b.example'],
		],
	];
	for (const [name, value, matches, others] of cases) {
		const rows: RuleRow[] = [{ id: 3, kind: 'path', test: name, values: [value] }];
		for (const text of matches) assert.equal(matchOf(rows, text), 3, `${name} ${value}: ${text}`);
		for (const text of others) assert.equal(matchOf(rows, text), undefined, `${name} ${value}: ${text}`);
	}
});

test('the oldest rule that matches is found, as by comparing every value', (t) => {
	const random = seededRandom();
	t.diagnostic(`seed ${random.seed}`);
	const text = (most: number) =>
		Array.from({ length: random.whole(most) + 1 }, () => 'ab./'[random.whole(4)]).join('');
	const passes: Record<RuleRow['test'], (subject: string, value: string) => boolean> = {
		is: (subject, value) => subject === value,
		contains: (subject, value) => subject.includes(value),
		starts_with: (subject, value) => subject.startsWith(value),
		ends_with: (subject, value) => subject.endsWith(value),
		wildcard: (subject, value) =>
			new RegExp(`^${value.replaceAll('.', '\\.').replaceAll('*', '.*')}$`).test(subject),
		domain: (subject, value) => {
			const [host = ''] = subject.split('/', 1);
			return host === value || host.endsWith(`.${value}`);
		},
	};
	let found = 0;
	for (let round = 0; round < 2_000; round++) {
		const rows = Array.from({ length: random.whole(6) + 1 }, (_, index): RuleRow => {
			const name = ruleTests[random.whole(ruleTests.length)] ?? 'is';
			const value = () => (name === 'wildcard' ? `${text(2)}*${text(2)}` : text(4));
			const values = Array.from({ length: random.whole(3) + 1 }, value);
			return { id: index + 1, kind: 'path', test: name, values };
		});
		const subject = text(8);
		const oldest = rows.find((row) => row.values.some((value) => passes[row.test](subject, value)))?.id;
		if (oldest !== undefined) found++;
		assert.equal(matchOf(rows, subject), oldest, JSON.stringify({ seed: random.seed, rows, subject }));
	}
	assert.ok(found > 200 && found < 1_900, String(found));
});

test('a user agent is compared without letter case, a network by its addresses', () => {
	const rules = compileRules(
		[
			{ id: 4, kind: 'network', test: 'is', values: ['203.0.113.7', '10.0.0.0/8'] },
			{ id: 5, kind: 'user_agent', test: 'contains', values: ['HeadLess'] },
			{ id: 6, kind: 'network', test: 'is', values: ['10.1.0.0/16', '2001:db8::/32'] },
		],
		'',
	);
	assert.ok(rules);
	assert.equal(rules.texts[0]?.matcher('a headless browser'), 5);
	for (const [address, id] of [
		['203.0.113.7', 4],
		['203.0.113.8', undefined],
		['10.1.2.3', 4],
		['2001:db8::1', 6],
		['', undefined],
		['not an address', undefined],
	] as const)
		assert.equal(findNetworkRule(rules, address), id, address);
	assert.equal(compileRules([], ''), undefined);
});

test('a network operator is compared by its number, or by a part of its name without letter case', () => {
	const rules = compileRules(
		[
			{ id: 4, kind: 'operator', test: 'contains', values: ['Hosting', '64501'] },
			{ id: 5, kind: 'operator', test: 'is', values: ['AS64500', 'AS64501'] },
			{ id: 6, kind: 'operator', test: 'contains', values: ['ÖRTLICH', 'as645'] },
		],
		'',
	);
	assert.ok(rules?.operators);
	assert.deepEqual(rules.texts, []);
	for (const [number, name, id] of [
		[64_500, 'Other', 5],
		[64_501, '', 5],
		[64_500, 'Example HOSTING Ltd', 4],
		[64_502, 'Örtliche Netze', 6],
		[6_450, 'Other', undefined],
		[645, '', undefined],
	] as const)
		assert.equal(findOperatorRule(rules.operators, { number, name }), id, `${number} ${name}`);
	assert.equal(
		compileRules([{ id: 1, kind: 'path', test: 'is', values: ['/'] }], '')?.operators,
		undefined,
		'without such a rule nothing is looked up',
	);
});

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { client } from '../support/client.ts';
import { itemsOf, websiteOf } from '../support/contract.ts';
import { type ServiceProcess, startServiceProcess, tidemark } from '../support/service.ts';

let service: ServiceProcess;
const cleaning: (() => Promise<void>)[] = [];
before(async () => {
	service = await startServiceProcess({ after: (work) => void cleaning.unshift(work) });
});
after(async () => {
	assert.equal(await service.stop(), 0);
	for (const work of cleaning) await work();
});

function listOf(name: string, text: string): string {
	const file = join(service.folder, name);
	writeFileSync(file, text);
	return file;
}

test('[C-RULE-10] a list becomes one rule, and importing it again replaces its values', async () => {
	const made = await tidemark([
		'account',
		'create',
		'--json',
		'--email',
		'a@example.test',
		'--name',
		'A',
		'--data',
		service.folder,
	]);
	const api = client(service.base, JSON.parse(made.stdout).key);
	const { id } = websiteOf(await api('POST', '/websites', { form: { domain: 'example.com' } }), 201);
	const run = (file: string, ...more: string[]) =>
		tidemark(['rules', 'import', file, '--website', String(id), '--data', service.folder, ...more]);
	const rules = async () => itemsOf('traffic-rules', await api('GET', `/websites/${id}/traffic-rules`)).data;

	const list = listOf(
		'spam.txt',
		'\uFEFF# Known spam\r\nSpam.example\r\n\r\nhttps://b\u00fccher.example # a comment\r\nspam.example\r\n',
	);
	const first = await run(list);
	assert.equal(first.code, 0, first.stderr);
	assert.match(first.stderr, /Created the rule "spam" with 2 domains/);
	const [rule] = await rules();
	assert.ok(rule);
	assert.equal(first.stdout.trim(), String(rule.id));
	assert.deepEqual(
		[rule.name, rule.kind, rule.test, rule.values, rule.enabled],
		['spam', 'referrer', 'domain', ['spam.example', 'xn--bcher-kva.example'], true],
	);
	await run(list);
	assert.deepEqual(await rules(), [rule], 'the same file changes nothing');
	listOf('spam.txt', 'spam.example\nother.example\n');
	const again = await run(list, '--json');
	assert.deepEqual(JSON.parse(again.stdout), {
		id: rule.id,
		added: 1,
		removed: 1,
		isNew: false,
		name: 'spam',
		domains: 2,
	});
	assert.deepEqual(
		(await rules()).map(({ values }) => values),
		[['spam.example', 'other.example']],
	);

	for (const [text, message] of [
		['good.example\nnot a domain\n', /Nothing was imported\.\s+Line 2: /],
		['# nothing\n', /no domains/],
		[Array.from({ length: 5_001 }, (_, n) => `s${n}.example`).join('\n'), /5,001 domains.*at most 5,000/],
		['x'.repeat(1_048_577), /larger than 1 MB/],
	] as const) {
		const refused = await run(listOf('bad.txt', text));
		assert.equal(refused.code, 1);
		assert.match(refused.stderr, message);
	}
	await api('POST', `/websites/${id}/traffic-rules`, {
		json: { name: 'Paths', kind: 'path', values: ['/a'] },
	});
	const taken = await run(list, '--name', 'Paths');
	assert.equal(taken.code, 1);
	assert.match(taken.stderr, /not a list of domains.*--name/s);
	assert.equal((await rules()).length, 2);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOlder, judgeServer, type ServerFacts } from './check-server.ts';

const setting = (name: string, value: string, readonly = 0) => ({ name, value, readonly });
const sound: ServerFacts = {
	version: '26.3.4.1',
	settings: [
		...[setting('readonly', '0'), setting('async_insert', '1'), setting('max_query_size', '262144')],
		...[setting('http_max_field_value_size', '131072'), setting('http_max_fields', '1000000')],
	],
	reader: [setting('readonly', '2')],
};
const change = (...changed: ServerFacts['settings']): ServerFacts => ({
	...sound,
	settings: [
		...changed,
		...sound.settings.filter(({ name }) => !changed.some((other) => other.name === name)),
	],
});

const cases: readonly [what: string, facts: ServerFacts, sentence: RegExp][] = [
	[
		'an old version',
		{ ...sound, version: '25.7.1.1' },
		/^The ClickHouse server is version 25\.7\.1\.1; .* 25\.8/,
	],
	['no version', { ...sound, version: '' }, /Upgrade the server/],
	['a user that only reads', change(setting('readonly', '2')), /^The user of CLICKHOUSE_URL is read-only/],
	['a fixed setting', change(setting('async_insert', '1', 1)), /may not change async_insert/],
	['no deduplication', change(setting('deduplicate_insert', 'disable')), /^deduplicate_insert is disabled/],
	['a small field', change(setting('http_max_field_value_size', '1024')), /Set it to 131072 or more/],
	['few fields', change(setting('http_max_fields', '100')), /^http_max_fields is 100 .* 1000 or more/],
	[
		'a reader that may write',
		{ ...sound, reader: [setting('readonly', '0')] },
		/has readonly = 0\. Set readonly = 2/,
	],
	[
		'a reader without settings',
		{ ...sound, reader: [setting('readonly', '1')] },
		/has readonly = 1\. Set readonly = 2/,
	],
];

test('a sound server is taken, with a read user and without', () => {
	assert.deepEqual(judgeServer(sound), []);
	assert.deepEqual(judgeServer({ ...sound, reader: undefined }), []);
	assert.deepEqual(judgeServer(change(setting('max_query_size', '0'))), [], 'no limit at all');
});

for (const [what, facts, sentence] of cases)
	test(`[F49] a server is refused: ${what}`, () => {
		const faults = judgeServer(facts);
		assert.equal(faults.length, 1, faults.join('\n'));
		assert.match(faults[0] ?? '', sentence);
	});

test('versions are compared by year and month', () => {
	assert.deepEqual(
		['25.8.1', '25.10.2', '26.1', '25.7.9', '24.12'].map((version) => isOlder(version, '25.8')),
		[false, false, false, true, true],
	);
});

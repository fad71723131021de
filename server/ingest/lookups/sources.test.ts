import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clickIds } from './click-ids.ts';
import { findSourceByName, findSourceOfApp, findSourceOfHost, findSourceOfWord, sources } from './sources.ts';

const twice = (keys: readonly string[]) => keys.filter((key, index) => keys.indexOf(key) !== index);

test('the table has the hosts that matter, each once', (t) => {
	const hosts = sources.flatMap((source) => source.hosts);
	const assistants = sources.filter(({ kind }) => kind === 'assistant');
	t.diagnostic(`${sources.length} sources, ${hosts.length} hosts, ${assistants.length} assistants`);
	assert.ok(hosts.length >= 150);
	assert.ok(assistants.length >= 25);
	assert.deepEqual(twice(hosts), []);
	assert.deepEqual(twice(sources.map(({ name }) => name)), []);
	assert.deepEqual(twice(sources.flatMap(({ apps }) => apps ?? [])), []);
	// A word may be the name of its own source, and of no other.
	assert.deepEqual(
		twice(sources.flatMap(({ name, words }) => [...new Set([name.toLowerCase(), ...(words ?? [])])])),
		[],
	);
});

test('hosts are written as browsers write them', () => {
	const odd = sources
		.flatMap((source) => source.hosts)
		.filter((host) => !/^(?:[a-z0-9-]+\.)+(?:[a-z]{2,}|\*)$/.test(host));
	assert.deepEqual(odd, []);
});

test('every host finds its own source, and so does what is below it', () => {
	for (const source of sources)
		for (const host of source.hosts.map((entry) => entry.replace('*', 'com'))) {
			assert.equal(findSourceOfHost(host)?.name, source.name, host);
			assert.equal(findSourceOfHost(`www.${host}`)?.name, source.name, host);
		}
});

for (const [host, name] of [
	['www.google.de', 'Google'],
	['google.com.au', 'Google'],
	['docs.google.com', undefined],
	['mail.google.com', 'Gmail'],
	['google.evil.example', undefined],
	['notgoogle.com', undefined],
	['smile.amazon.co.jp', 'Amazon'],
	['out.reddit.com', 'Reddit'],
	['alice.yandex.ru', 'Alice'],
	['com', undefined],
	['', undefined],
] as const)
	test(`${host || 'nothing'} is ${name ?? 'nobody we know'}`, () =>
		assert.equal(findSourceOfHost(host)?.name, name));

test('words and apps', () => {
	assert.equal(findSourceOfWord('FB')?.name, 'Facebook');
	assert.equal(findSourceOfWord('linkedin.com')?.name, 'LinkedIn');
	assert.equal(findSourceOfWord('constructor'), undefined);
	assert.equal(findSourceOfApp('com.Slack')?.name, 'Slack');
});

test('every click id belongs to a source of the table', () => {
	assert.deepEqual(
		[...clickIds.values()].filter(({ source }) => !findSourceByName(source)),
		[],
	);
});

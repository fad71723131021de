import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ClusterFacts, judgeCluster } from './check-cluster.ts';

const node = (host: string, shard: string, replica: string) => ({
	...{ host, shard, replica, version: '26.7.2.1', hasKeeper: true },
});
const sound: ClusterFacts = {
	name: 'tidemark',
	known: ['default', 'tidemark'],
	shards: [
		{ replicas: 2, isInternallyReplicated: true },
		{ replicas: 2, isInternallyReplicated: true },
	],
	nodes: [node('a1', '1', 'a'), node('b1', '1', 'b'), node('a2', '2', 'a'), node('b2', '2', 'b')],
	behindAddress: ['a1'],
};
const change = (host: string, to: Partial<ClusterFacts['nodes'][number]>): ClusterFacts => ({
	...sound,
	nodes: sound.nodes.map((one) => (one.host === host ? { ...one, ...to } : one)),
});

const cases: readonly [what: string, facts: ClusterFacts, sentence: RegExp][] = [
	['no such cluster', { ...sound, shards: [], nodes: [] }, /no cluster of this name \(default, tidemark\)/],
	[
		'a shard whose rows are written by each replica',
		{ ...sound, shards: [...sound.shards.slice(1), { replicas: 2, isInternallyReplicated: false }] },
		/^Shard 2 of tidemark has no internal_replication: .*<internal_replication>true/,
	],
	[
		'a node that is listed in no shard',
		{ ...sound, nodes: [...sound.nodes, node('c2', '2', 'c')] },
		/^5 nodes answered for the 4 of tidemark/,
	],
	[
		'no Keeper',
		change('b1', { hasKeeper: false }),
		/^No Keeper is connected to b1\. Name it below <zookeeper>/,
	],
	['no macros', change('a2', { replica: '' }), /^The macros shard and replica are not set on a2\./],
	['one replica twice', change('b1', { replica: 'a' }), /the same macros shard and replica: a1, b1\./],
	[
		'a shard of another name',
		change('b2', { shard: '3' }),
		/name 3 shards by their macros, and remote_servers has 2/,
	],
	[
		'a version that is too old',
		change('b2', { version: '25.7.9.1' }),
		/^b2 of tidemark runs .* older than 25\.8/,
	],
	[
		'a balancer',
		{ ...sound, behindAddress: ['a1', 'b1'] },
		/leads to several nodes \(a1, b1\).*Name one node/,
	],
];

test('a sound cluster is taken', () => assert.deepEqual(judgeCluster(sound), []));

test('[F48] a cluster is taken while a node is down, while a whole shard is, and in the middle of a rolling upgrade', () => {
	assert.deepEqual(judgeCluster({ ...sound, nodes: sound.nodes.slice(0, 3) }), []);
	assert.deepEqual(judgeCluster({ ...sound, nodes: sound.nodes.slice(0, 2) }), []);
	assert.deepEqual(judgeCluster(change('b2', { version: '26.8.1.1' })), []);
});

for (const [what, facts, sentence] of cases)
	test(`a cluster is refused: ${what}`, () => {
		const faults = judgeCluster(facts);
		assert.equal(faults.length, 1, faults.join('\n'));
		assert.match(faults[0] ?? '', sentence);
	});

test('all that is wrong is said at once', () => {
	const faults = judgeCluster({
		...change('b1', { hasKeeper: false, version: '25.1' }),
		behindAddress: ['a1', 'b1'],
	});
	assert.equal(faults.length, 3);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blockListOf, isNetwork, isPrivate, listHas, privateNetworks, rateLimitKey } from './networks.ts';

test('an address or a CIDR network is a network, and nothing else', () => {
	const cases: [string, boolean][] = [
		['10.0.0.0/8', true],
		['10.0.0.1/8', true],
		['1.2.3.4', true],
		['1.2.3.4/0', true],
		['1.2.3.4/32', true],
		['::1', true],
		['::/0', true],
		['2001:db8::/32', true],
		['::ffff:1.2.3.4/96', true],
		['10.0.0.0/33', false],
		['::/129', false],
		['10.0.0.0/08', false],
		['10.0.0.0/', false],
		['10.0.0.0/-1', false],
		['10.0.0.0/8/8', false],
		['1.2.3', false],
		['01.2.3.4', false],
		['256.0.0.1', false],
		['10.0.*', false],
		['10.0.0.1-10.0.0.9', false],
		['fe80::1%eth0', false],
		['[::1]', false],
		[' 10.0.0.1', false],
		['example.com', false],
		['', false],
	];
	for (const [entry, expected] of cases) assert.equal(isNetwork(entry), expected, entry);
});

test('a list has the addresses of its networks, an IPv4 address also in the clothes of IPv6', () => {
	const list = blockListOf(['10.0.0.0/8', '2001:db8::/32', '::1', '192.0.2.7']);
	const inside = ['10.1.2.3', '::ffff:10.1.2.3', '2001:db8::5', '::1', '192.0.2.7', '::ffff:c000:207'];
	const outside = ['11.0.0.1', '::ffff:11.0.0.1', '2001:db9::1', '::2', '192.0.2.8', 'no address', ''];
	for (const address of inside) assert.ok(listHas(list, address), address);
	for (const address of outside) assert.ok(!listHas(list, address), address);
	assert.ok(!listHas(blockListOf([]), '127.0.0.1'));
	for (const address of ['1.2.3.4', '2001::1'])
		assert.ok(listHas(blockListOf(['0.0.0.0/0', '::/0']), address));
});

test('an address of IPv6 counts for its network of 64 bits, every other one for itself', () => {
	const cases: [string, string][] = [
		['192.0.2.7', '192.0.2.7'],
		['::ffff:192.0.2.7', '192.0.2.7'],
		['::FFFF:C000:0207', '192.0.2.7'],
		['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
		['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64'],
		['2001:db8::', '2001:db8:0:0::/64'],
		['2001:db8:1:2:3:4:192.0.2.7', '2001:db8:1:2::/64'],
		['fe80::1%eth0', 'fe80:0:0:0::/64'],
		['::1', '0:0:0:0::/64'],
		['unknown', 'unknown'],
	];
	for (const [address, expected] of cases) assert.equal(rateLimitKey(address), expected, address);
});

test('the quick test for private IPv4 addresses agrees with the list of networks', () => {
	for (let first = 0; first < 256; first++)
		for (let second = 0; second < 256; second++) {
			const address = `${first}.${second}.${(first * 7 + second) % 256}.1`;
			if (isPrivate(address) !== listHas(privateNetworks, address)) assert.fail(address);
		}
	for (const address of ['::1', 'fd00::1', 'fe80::1%eth0', '::ffff:10.0.0.1', '::ffff:a00:1'])
		assert.ok(isPrivate(address), address);
	for (const address of ['2003::1', '::ffff:8.8.8.8', '', 'unknown', '10.0.0', '10.0.0.1.1'])
		assert.ok(!isPrivate(address), address);
});

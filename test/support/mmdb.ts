/** A small database in MaxMind's format (maxmind.github.io/MaxMind-DB), for tests of what operators may bring. */

type Value = string | number | { [name: string]: Value } | Value[];

const control = (type: number, size: number): Buffer => {
	const length = size < 29 ? Buffer.alloc(0) : Buffer.from([size - 29]);
	const short = Math.min(size, 29);
	return type < 8
		? Buffer.concat([Buffer.from([(type << 5) | short]), length])
		: Buffer.concat([Buffer.from([short, type - 7]), length]);
};

function encode(value: Value): Buffer {
	if (typeof value === 'string') {
		const bytes = Buffer.from(value);
		return Buffer.concat([control(2, bytes.length), bytes]);
	}
	if (typeof value === 'number') {
		const bytes = Buffer.alloc(4);
		bytes.writeUInt32BE(value);
		return Buffer.concat([control(6, 4), bytes]);
	}
	if (Array.isArray(value)) return Buffer.concat([control(11, value.length), ...value.map(encode)]);
	const members = Object.entries(value);
	return Buffer.concat([
		control(7, members.length),
		...members.flatMap(([name, item]) => [encode(name), encode(item)]),
	]);
}

/** Networks of IPv4 (`192.0.2.0`, 24 bits) and what is known of each. Of IPv6, the first four bytes (`32.1.13.184` is 2001:db8::). */
export function makeMmdb(
	networks: readonly { address: string; bits: number; record: Value }[],
	{ ipVersion = 4, type = 'test', builtAt = new Date(1_700_000_000_000) } = {},
): Buffer {
	type Node = [number | string, number | string];
	const nodes: Node[] = [['none', 'none']];
	const records = networks.map(({ record }) => encode(record));
	const offsets = records.map((_, index) =>
		records.slice(0, index).reduce((sum, record) => sum + record.length, 0),
	);
	for (const [index, { address, bits }] of networks.entries()) {
		const number = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
		let at = 0;
		for (let depth = 0; depth < bits; depth++) {
			const side = Math.floor(number / 2 ** (31 - depth)) % 2;
			const node = nodes[at];
			if (!node) throw new Error('There is no such node.');
			if (depth === bits - 1) node[side] = `data ${offsets[index]}`;
			else {
				if (typeof node[side] !== 'number') {
					nodes.push(['none', 'none']);
					node[side] = nodes.length - 1;
				}
				at = Number(node[side]);
			}
		}
	}
	const pointer = (child: number | string): number => {
		if (typeof child === 'number') return child;
		return child === 'none' ? nodes.length : nodes.length + 16 + Number(child.slice(5));
	};
	const tree = Buffer.concat(
		nodes.flatMap((node) =>
			node.map((child) => {
				const bytes = Buffer.alloc(4);
				bytes.writeUInt32BE(pointer(child));
				return bytes.subarray(1);
			}),
		),
	);
	const metadata = encode({
		node_count: nodes.length,
		record_size: 24,
		ip_version: ipVersion,
		database_type: type,
		languages: ['en'],
		binary_format_major_version: 2,
		binary_format_minor_version: 0,
		build_epoch: builtAt.getTime() / 1000,
		description: { en: 'test' },
	});
	return Buffer.concat([
		tree,
		Buffer.alloc(16),
		...records,
		Buffer.from([0xab, 0xcd, 0xef]),
		Buffer.from('MaxMind.com'),
		metadata,
	]);
}

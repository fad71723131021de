/** Writes a database in MaxMind's format (maxmind.github.io/MaxMind-DB): a binary tree of address bits, whose leaves are records. */

export type MmdbValue = string | number | { [name: string]: MmdbValue } | MmdbValue[];

/** Addresses as numbers, both ends included. Ranges can share a record. */
export type MmdbRange = { from: bigint; to: bigint; record: MmdbValue };

export type MmdbMetadata = { ipVersion: 4 | 6; type: string; builtAt: Date };

/** Where ranges overlap, the one that begins first counts. */
export function writeMmdb(ranges: readonly MmdbRange[], { ipVersion, type, builtAt }: MmdbMetadata): Buffer {
	const { records, offsets } = encodeRecords(ranges);
	const { left, right } = makeTree(withoutOverlaps(ranges), ipVersion === 4 ? 32 : 128);
	const tree = Buffer.alloc(left.length * 8);
	const pointerOf = (child: Child | undefined): number => {
		if (child === undefined) return left.length;
		return typeof child === 'number'
			? child
			: left.length + separator.length + (offsets.get(child.record) ?? 0);
	};
	for (const [index, child] of left.entries()) {
		tree.writeUInt32BE(pointerOf(child), index * 8);
		tree.writeUInt32BE(pointerOf(right[index]), index * 8 + 4);
	}
	const metadata = encode({
		node_count: left.length,
		record_size: 32,
		ip_version: ipVersion,
		database_type: type,
		languages: ['en'],
		binary_format_major_version: 2,
		binary_format_minor_version: 0,
		build_epoch: Math.floor(builtAt.getTime() / 1000),
		description: { en: type },
	});
	return Buffer.concat([tree, separator, ...records, metadataMark, metadata]);
}

const separator = Buffer.alloc(16);
const metadataMark = Buffer.concat([Buffer.from([0xab, 0xcd, 0xef]), Buffer.from('MaxMind.com')]);

function encodeRecords(ranges: readonly MmdbRange[]): { records: Buffer[]; offsets: Map<MmdbValue, number> } {
	const records: Buffer[] = [];
	const offsets = new Map<MmdbValue, number>();
	let size = 0;
	for (const { record } of ranges) {
		if (offsets.has(record)) continue;
		const encoded = encode(record);
		offsets.set(record, size);
		records.push(encoded);
		size += encoded.length;
	}
	return { records, offsets };
}

function withoutOverlaps(ranges: readonly MmdbRange[]): MmdbRange[] {
	const sorted = ranges.toSorted((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0));
	let next = 0n;
	return sorted.flatMap(({ from, to, record }) => {
		const range = { from: from > next ? from : next, to, record };
		if (range.from > to) return [];
		next = to + 1n;
		return [range];
	});
}

/** The number of a node, a leaf, or undefined for addresses without a record. */
type Child = number | MmdbRange | undefined;

function makeTree(ranges: readonly MmdbRange[], bits: number): { left: Child[]; right: Child[] } {
	const left: Child[] = [];
	const right: Child[] = [];
	/** The first range from `start` on that passes; those that pass are at the end. */
	const firstOf = (start: number, end: number, passes: (range: MmdbRange | undefined) => boolean): number => {
		let [low, high] = [start, end];
		while (low < high) {
			const middle = (low + high) >> 1;
			if (passes(ranges[middle])) high = middle;
			else low = middle + 1;
		}
		return low;
	};
	/** The child for `2 ** depth` addresses from `first` on, which the ranges from `start` to before `end` intersect. */
	const childOf = (first: bigint, depth: number, start: number, end: number): Child => {
		const range = ranges[start];
		if (start === end || !range) return undefined;
		if (range.from <= first && range.to >= first + (1n << BigInt(depth)) - 1n) return range;
		return nodeOf(first, depth, start, end);
	};
	const nodeOf = (first: bigint, depth: number, start: number, end: number): number => {
		const node = left.push(undefined) - 1;
		right.push(undefined);
		const middle = first + (1n << BigInt(depth - 1));
		const endOfLeft = firstOf(start, end, (range) => range !== undefined && range.from >= middle);
		const startOfRight = firstOf(start, end, (range) => range !== undefined && range.to >= middle);
		left[node] = childOf(first, depth - 1, start, endOfLeft);
		right[node] = childOf(middle, depth - 1, startOfRight, end);
		return node;
	};
	nodeOf(0n, bits, 0, ranges.length);
	return { left, right };
}

function encode(value: MmdbValue): Buffer {
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

/** Type and size of a value. Texts here have up to 284 bytes. */
function control(type: number, size: number): Buffer {
	const length = size < 29 ? Buffer.alloc(0) : Buffer.from([size - 29]);
	const short = Math.min(size, 29);
	return type < 8
		? Buffer.concat([Buffer.from([(type << 5) | short]), length])
		: Buffer.concat([Buffer.from([short, type - 7]), length]);
}

/**
 * Chance that can be repeated: the same words give the same numbers, on every machine. It is sfc32, whose state of 128 bits
 * is what makes 64-bit ids of two numbers unique; a generator with 32 bits of state would give some ids twice.
 */
export type Chance = {
	/** From 0 up to, not including, 1. */
	next(): number;
	/** From 0 up to, not including, `below`. */
	whole(below: number): number;
	isTrue(probability: number): boolean;
	/** 64 bits as decimal digits, never 0, which stands for 'none' in a row. */
	id(): string;
	/** Around `median`, never negative, with a long tail: how long people read. */
	skewed(median: number, spread: number): number;
};

export function chanceOf(words: string): Chance {
	let [a, b, c] = [hash(words, 1), hash(words, 2), hash(words, 3)];
	let counter = 1;
	const bits = () => {
		const sum = (((a + b) | 0) + counter) | 0;
		counter = (counter + 1) | 0;
		a = b ^ (b >>> 9);
		b = (c + (c << 3)) | 0;
		c = (c << 21) | (c >>> 11);
		c = (c + sum) | 0;
		return sum >>> 0;
	};
	for (let round = 0; round < 15; round++) bits();
	const next = () => bits() / 2 ** 32;
	return {
		next,
		whole: (below) => Math.floor(next() * below),
		isTrue: (probability) => next() < probability,
		id: () => String((BigInt(bits()) << 32n) | BigInt(bits()) || 1n),
		skewed: (median, spread) => {
			// Box and Muller's way to a normal distribution.
			const normal = Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
			return median * Math.exp(spread * normal);
		},
	};
}

/** FNV-1a, begun differently for each part of the state. */
function hash(words: string, part: number): number {
	let hashed = Math.imul(0x811c9dc5, part);
	for (let index = 0; index < words.length; index++)
		hashed = Math.imul(hashed ^ words.charCodeAt(index), 0x01000193);
	return hashed | 0;
}

/** Picks rows of a table by their weight. */
export function pickerOf<T>(rows: readonly T[], weightOf: (row: T) => number): (chance: Chance) => T {
	const limits: number[] = [];
	let total = 0;
	for (const row of rows) {
		total += weightOf(row);
		limits.push(total);
	}
	if (total <= 0) throw new Error('There is nothing to pick from.');
	return (chance) => {
		const point = chance.next() * total;
		const index = limits.findIndex((limit) => point < limit);
		// The last row has the total as its limit, and `point` is below it.
		return rows[index] as T;
	};
}

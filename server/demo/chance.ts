/**
 * A seeded random generator: the same seed gives the same numbers on every machine. It is sfc32, because its state of 128 bits
 * makes 64-bit ids unique. A generator with 32 bits of state would repeat ids.
 */
export type Chance = {
	/** From 0 to 1, exclusive. */
	next(): number;
	/** An integer from 0 to `below`, exclusive. */
	whole(below: number): number;
	isTrue(probability: number): boolean;
	/** 64 bits as decimal digits. Never 0, which means no id in a row. */
	id(): string;
	/** A log-normal number, for reading times and the like. */
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
			// The Box-Muller transform gives a normal distribution.
			const normal = Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
			return median * Math.exp(spread * normal);
		},
	};
}

/** FNV-1a with another start value for each part of the state. */
function hash(words: string, part: number): number {
	let hashed = Math.imul(0x811c9dc5, part);
	for (let index = 0; index < words.length; index++)
		hashed = Math.imul(hashed ^ words.charCodeAt(index), 0x01000193);
	return hashed | 0;
}

/** Picks a random row by weight. */
export function pickerOf<T>(rows: readonly T[], weightOf: (row: T) => number): (chance: Chance) => T {
	const limits: number[] = [];
	let total = 0;
	for (const row of rows) {
		total += weightOf(row);
		limits.push(total);
	}
	if (total <= 0) throw new Error('All weights are 0.');
	return (chance) => {
		const point = chance.next() * total;
		const index = limits.findIndex((limit) => point < limit);
		// There always is one: the limit of the last row is the total.
		return rows[index] as T;
	};
}

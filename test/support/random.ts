import { randomInt } from 'node:crypto';

export type Random = {
	seed: number;
	next(): number;
	whole(below: number): number;
	pick<T>(of: readonly T[]): T;
};

/** Chance that can be repeated (mulberry32): the seed is SEED, or a new one that the test prints. */
export function seededRandom(seed = Number(process.env.SEED) || randomInt(1, 2 ** 31)): Random {
	let state = seed;
	const next = () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
	const whole = (below: number) => Math.floor(next() * below);
	return {
		seed,
		next,
		whole,
		pick: (of) => {
			const picked = of[whole(of.length)];
			if (picked === undefined) throw new Error('There is nothing to pick from.');
			return picked;
		},
	};
}

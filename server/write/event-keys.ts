/**
 * A set of events, each known by its website and its id: three 32-bit words in one flat array, found by open addressing.
 * A set of texts took about 100 bytes an event and gave the garbage collector a million things to look at; this takes 17
 * to 34 and nothing.
 *
 * Event ids come from outside, so where a key is looked for must not be foreseen: ids that all led to one place would make
 * every look-up as long as the table. Each byte of a key picks a random word, and the words are mixed by XOR (tabulation
 * hashing), with words that are drawn anew by every process.
 */
import { getRandomValues } from 'node:crypto';

export type EventKey = { website: number; low: number; high: number; hash: number };

export type EventKeys = {
	has(key: EventKey): boolean;
	/** False when it was there already. */
	add(key: EventKey): boolean;
	size(): number;
	bytes(): number;
};

const random = getRandomValues(new Uint32Array(12 * 256));
const whole = new BigUint64Array(1);
const halves = new Uint32Array(whole.buffer);

export function eventKey(website: number, eventId: string): EventKey {
	whole[0] = BigInt(eventId);
	return keyOfWords(website, halves[0] ?? 0, halves[1] ?? 0);
}

/** Of an event id in two halves, as it is stored. */
export function keyOfWords(website: number, low: number, high: number): EventKey {
	const hash = mix(website, 0) ^ mix(low, 1_024) ^ mix(high, 2_048);
	return { website, low, high, hash: hash >>> 0 };
}

/** Each of the four bytes has 256 random words of its own, from `at` on. */
function mix(word: number, at: number): number {
	return (
		(random[at + (word & 255)] ?? 0) ^
		(random[at + 256 + ((word >>> 8) & 255)] ?? 0) ^
		(random[at + 512 + ((word >>> 16) & 255)] ?? 0) ^
		(random[at + 768 + (word >>> 24)] ?? 0)
	);
}

export function createEventKeys(): EventKeys {
	let places = 1_024;
	/** Three words a place. No website has the id 0: there the place is free. */
	let words = new Uint32Array(places * 3);
	let size = 0;

	/** Where the key stands, or the free place where it would. */
	function find({ website, low, high, hash }: EventKey): number {
		for (let place = hash & (places - 1); ; place = (place + 1) & (places - 1)) {
			const at = place * 3;
			if (words[at] === 0) return at;
			if (words[at] === website && words[at + 1] === low && words[at + 2] === high) return at;
		}
	}

	function put(key: EventKey, at: number) {
		words[at] = key.website;
		words[at + 1] = key.low;
		words[at + 2] = key.high;
	}

	function grow() {
		const old = words;
		places *= 2;
		words = new Uint32Array(places * 3);
		for (let at = 0; at < old.length; at += 3) {
			const website = old[at] ?? 0;
			if (website === 0) continue;
			const key = keyOfWords(website, old[at + 1] ?? 0, old[at + 2] ?? 0);
			put(key, find(key));
		}
	}

	return {
		has: (key) => words[find(key)] !== 0,
		add(key) {
			const at = find(key);
			if (words[at] !== 0) return false;
			put(key, at);
			size++;
			// A table that is much fuller has long runs to walk through.
			if (size > places * 0.7) grow();
			return true;
		},
		size: () => size,
		bytes: () => words.byteLength,
	};
}

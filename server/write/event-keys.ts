/**
 * A set of events by website id and event id: three 32-bit words each, in a flat hash table with open addressing. A Set of strings took
 * about 100 bytes per event and kept the garbage collector busy; this takes 17 to 34 bytes.
 *
 * Clients choose event ids, so the hash must be unpredictable: ids with equal hashes would make every lookup scan the table. Tabulation
 * hashing combines a random word per byte with XOR; the words differ in every process.
 */
import { getRandomValues } from 'node:crypto';

export type EventKey = { website: number; low: number; high: number; hash: number };

export type EventKeys = {
	has(key: EventKey): boolean;
	/** Returns false when the set already has the key. */
	add(key: EventKey): boolean;
	size(): number;
	bytes(): number;
};

const random = getRandomValues(new Uint32Array(12 * 256));
const idWord = new BigUint64Array(1);
const idHalves = new Uint32Array(idWord.buffer);

export function eventKey(website: number, eventId: string): EventKey {
	idWord[0] = BigInt(eventId);
	return keyOfWords(website, idHalves[0] ?? 0, idHalves[1] ?? 0);
}

/** The key for an event id in two halves, as it is stored. */
export function keyOfWords(website: number, low: number, high: number): EventKey {
	const hash = mix(website, 0) ^ mix(low, 1_024) ^ mix(high, 2_048);
	return { website, low, high, hash: hash >>> 0 };
}

/** Each of the four bytes has its own 256 random words, starting offset `offset`. */
function mix(word: number, offset: number): number {
	return (
		(random[offset + (word & 255)] ?? 0) ^
		(random[offset + 256 + ((word >>> 8) & 255)] ?? 0) ^
		(random[offset + 512 + ((word >>> 16) & 255)] ?? 0) ^
		(random[offset + 768 + (word >>> 24)] ?? 0)
	);
}

export function createEventKeys(): EventKeys {
	let slots = 1_024;
	/** Three words per slot. The slot is free when the website id is 0. */
	let words = new Uint32Array(slots * 3);
	let size = 0;

	/** The offset of the key, or of the free slot where it belongs. */
	function find({ website, low, high, hash }: EventKey): number {
		for (let slot = hash & (slots - 1); ; slot = (slot + 1) & (slots - 1)) {
			const offset = slot * 3;
			if (words[offset] === 0) return offset;
			if (words[offset] === website && words[offset + 1] === low && words[offset + 2] === high) return offset;
		}
	}

	function put(key: EventKey, offset: number) {
		words[offset] = key.website;
		words[offset + 1] = key.low;
		words[offset + 2] = key.high;
	}

	function grow() {
		const old = words;
		slots *= 2;
		words = new Uint32Array(slots * 3);
		for (let offset = 0; offset < old.length; offset += 3) {
			const website = old[offset] ?? 0;
			if (website === 0) continue;
			const key = keyOfWords(website, old[offset + 1] ?? 0, old[offset + 2] ?? 0);
			put(key, find(key));
		}
	}

	return {
		has: (key) => words[find(key)] !== 0,
		add(key) {
			const offset = find(key);
			if (words[offset] !== 0) return false;
			put(key, offset);
			size++;
			// A fuller table would have long probe sequences.
			if (size > slots * 0.7) grow();
			return true;
		},
		size: () => size,
		bytes: () => words.byteLength,
	};
}

/** A net between two programs that can be cut, be slow, or lose silently what goes one way. */
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Seen from who connects. */
export type Way = 'there' | 'back';

export type Net = {
	port: number;
	/** Ends every connection and refuses new ones. */
	cut(): void;
	/**
	 * From now on nothing arrives this way, no end of a connection either. A connection that has lost something is never whole
	 * again, as with a firewall that has forgotten it: only whoever notices by itself and connects anew goes on.
	 */
	lose(way: Way): void;
	slow(delayMs: number): void;
	/** For all that comes from now on. */
	heal(): void;
};

type Pair = { outside: Socket; inside: Socket; lost: Set<Way> };

export async function createNet(t: { after(work: () => Promise<void>): void }, target: number): Promise<Net> {
	const pairs = new Set<Pair>();
	let isCut = false;
	let losing: Way | undefined;
	let delayMs = 0;

	function pass(pair: Pair, from: Socket, to: Socket, way: Way) {
		let sending = Promise.resolve();
		const isLost = () => {
			if (losing === way) pair.lost.add(way);
			return pair.lost.has(way);
		};
		from.on('data', (bytes: Buffer) => {
			if (isLost()) return;
			const dueMs = performance.now() + delayMs;
			sending = sending.then(async () => {
				const waitMs = dueMs - performance.now();
				if (waitMs > 0) await sleep(waitMs);
				if (!to.destroyed) to.write(bytes);
			});
		});
		from.on('error', () => undefined);
		from.on('close', () => {
			if (!isLost()) void sending.then(() => to.destroy());
			if (to.destroyed) pairs.delete(pair);
		});
	}

	const server = createServer((outside) => {
		if (isCut) return void outside.destroy();
		const pair: Pair = { outside, inside: connect(target, '127.0.0.1'), lost: new Set() };
		pairs.add(pair);
		pass(pair, outside, pair.inside, 'there');
		pass(pair, pair.inside, outside, 'back');
	});
	const endAll = () => {
		for (const { outside, inside } of pairs) {
			outside.destroy();
			inside.destroy();
		}
	};
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	t.after(async () => {
		server.close();
		endAll();
	});
	const address = server.address();
	return {
		port: typeof address === 'object' && address ? address.port : 0,
		cut() {
			isCut = true;
			endAll();
		},
		lose(way) {
			losing = way;
		},
		slow(ms) {
			delayMs = ms;
		},
		heal() {
			isCut = false;
			losing = undefined;
			delayMs = 0;
		},
	};
}

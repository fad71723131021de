import { connect, createServer, type Socket } from 'node:net';

type Pair = { outside: Socket; inside: Socket; said: string; isDoomed: boolean };

export type TcpProxy = {
	port: number;
	/** Refuses whoever comes and ends all that are there. */
	shut(): Promise<void>;
	open(): Promise<void>;
	/** How many are there that began by saying this, and are not frozen. */
	count(said: RegExp): number;
	/** Lets nothing more through them, in either direction, without ending them. */
	freeze(said: RegExp): void;
	/** The same for the next one that says it, before it is answered. Resolves when that has happened. */
	freezeNext(said: RegExp): Promise<void>;
	/** The next one that says it, at whatever time, is reset when the answer to it comes, and never told it. */
	resetNext(said: RegExp): Promise<void>;
};

/** A connection says what it is for at its beginning. */
const keptBytes = 4_096;

/** A net between two programs that can be cut, whole or half. It begins shut. */
export function createTcpProxy(
	t: { after(work: () => Promise<void>): void },
	target: number,
	port: number,
): TcpProxy {
	const pairs = new Set<Pair>();
	const frozen = new Set<Pair>();
	let next: { said: RegExp; done(): void } | undefined;
	let doomed: { said: RegExp; done(): void } | undefined;
	const freezePair = (pair: Pair) => {
		pairs.delete(pair);
		frozen.add(pair);
		for (const socket of [pair.outside, pair.inside])
			socket.removeAllListeners('data').on('data', () => undefined);
	};
	const server = createServer((outside) => {
		const inside = connect(target, '127.0.0.1');
		const pair: Pair = { outside, inside, said: '', isDoomed: false };
		pairs.add(pair);
		const end = () => {
			pairs.delete(pair);
			frozen.delete(pair);
			outside.destroy();
			inside.destroy();
		};
		outside.on('data', (bytes: Buffer) => {
			if (pair.said.length < keptBytes) pair.said += bytes.toString('latin1');
			if (doomed?.said.test(bytes.toString('latin1'))) pair.isDoomed = true;
			inside.write(bytes);
			if (!next?.said.test(pair.said)) return;
			freezePair(pair);
			next.done();
			next = undefined;
		});
		inside.on('data', (bytes: Buffer) => {
			if (!pair.isDoomed) return void outside.write(bytes);
			outside.resetAndDestroy();
			doomed?.done();
			doomed = undefined;
		});
		for (const socket of [outside, inside]) socket.on('error', end).on('close', end);
	});
	const shut = async () => {
		const closed = server.listening ? new Promise((resolve) => server.close(resolve)) : undefined;
		for (const { outside, inside } of [...pairs, ...frozen]) {
			outside.destroy();
			inside.destroy();
		}
		await closed;
	};
	t.after(shut);
	return {
		port,
		shut,
		open: () => new Promise((resolve) => server.listen(port, '127.0.0.1', resolve)),
		count: (said) => [...pairs].filter((pair) => said.test(pair.said)).length,
		freeze(said) {
			for (const pair of [...pairs].filter((some) => said.test(some.said))) freezePair(pair);
		},
		freezeNext: (said) =>
			new Promise((done) => {
				next = { said, done };
			}),
		resetNext: (said) =>
			new Promise((done) => {
				doomed = { said, done };
			}),
	};
}

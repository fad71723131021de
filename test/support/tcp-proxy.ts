import { connect, createServer, type Socket } from 'node:net';

type Pair = { outside: Socket; inside: Socket; said: string };

export type TcpProxy = {
	port: number;
	/** Refuses whoever comes and ends all that are there. */
	shut(): Promise<void>;
	open(): Promise<void>;
	/** Lets nothing more through those that have said this, in either direction, without ending them; says how many. */
	freeze(said: RegExp): number;
};

const keptBytes = 4_096;

/** A net between two programs that can be cut, whole or half. It begins shut. */
export function createTcpProxy(
	t: { after(work: () => Promise<void>): void },
	target: number,
	port: number,
): TcpProxy {
	const pairs = new Set<Pair>();
	const server = createServer((outside) => {
		const inside = connect(target, '127.0.0.1');
		const pair: Pair = { outside, inside, said: '' };
		pairs.add(pair);
		const end = () => {
			pairs.delete(pair);
			outside.destroy();
			inside.destroy();
		};
		outside.on('data', (bytes: Buffer) => {
			pair.said = (pair.said + bytes.toString('latin1')).slice(-keptBytes);
			inside.write(bytes);
		});
		inside.on('data', (bytes: Buffer) => outside.write(bytes));
		for (const socket of [outside, inside]) socket.on('error', end).on('close', end);
	});
	const shut = async () => {
		const closed = server.listening ? new Promise((resolve) => server.close(resolve)) : undefined;
		for (const { outside, inside } of pairs) {
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
		freeze(said) {
			const frozen = [...pairs].filter((pair) => said.test(pair.said));
			for (const { outside, inside } of frozen)
				for (const socket of [outside, inside]) socket.removeAllListeners('data').on('data', () => undefined);
			return frozen.length;
		},
	};
}

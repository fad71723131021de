import { createServer } from 'node:net';

/** One that nobody listens on just now, for a program that must be told its port. */
export async function freePort(): Promise<number> {
	const probe = createServer();
	await new Promise<void>((resolve, reject) => {
		probe.once('error', reject);
		probe.listen(0, '127.0.0.1', resolve);
	});
	const address = probe.address();
	await new Promise((resolve) => probe.close(resolve));
	if (address === null || typeof address === 'string') throw new Error('A port has no number.');
	return address.port;
}

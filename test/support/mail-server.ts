import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

/** What the server does with the next mail. */
export type Manner =
	| 'take'
	| 'take slowly'
	| 'refuse for now'
	| 'refuse for good'
	| 'cut before the end'
	| 'cut after the end';

const slowMs = 150;

/** A real SMTP server that keeps what it was given whole: a mail whose last line came is kept, answered or not. */
export async function startMailServer(
	t: { after(work: () => Promise<void>): void },
	options: { user?: string; password?: string } = {},
) {
	const taken: Buffer[] = [];
	const slow = { now: 0, most: 0 };
	let choose: () => Manner = () => 'take';
	const manners = new WeakMap<object, Manner>();
	const server = new SMTPServer({
		authOptional: options.user === undefined,
		disabledCommands: options.user === undefined ? ['AUTH', 'STARTTLS'] : ['STARTTLS'],
		allowInsecureAuth: true,
		onAuth: ({ username, password }, _session, done) => {
			if (username === options.user && password === options.password) done(null, { user: username });
			else done(new Error('Wrong user or password'));
		},
		onRcptTo: (_address, session, done) => {
			const manner = choose();
			manners.set(session, manner);
			if (manner === 'refuse for now') done(Object.assign(new Error('Come again'), { responseCode: 451 }));
			else if (manner === 'refuse for good')
				done(Object.assign(new Error('No such mailbox'), { responseCode: 550 }));
			else done();
		},
		onData: (stream, session, done) => {
			const manner = manners.get(session) ?? 'take';
			const chunks: Buffer[] = [];
			// What the server has of a connection is not among its types.
			const cut = () => {
				for (const connection of server.connections)
					if (connection.session === session) connection._socket.destroy();
			};
			stream.on('data', (chunk: Buffer) => {
				chunks.push(chunk);
				if (manner === 'cut before the end') cut();
			});
			stream.on('end', () => {
				taken.push(Buffer.concat(chunks));
				if (manner === 'cut after the end') cut();
				else if (manner === 'take slowly') {
					slow.most = Math.max(slow.most, ++slow.now);
					setTimeout(() => {
						slow.now--;
						done();
					}, slowMs);
				} else done();
			});
		},
	}) as SMTPServer & { connections: Set<{ session: object; _socket: { destroy(): void } }> };
	server.on('error', () => undefined);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const address = server.server.address();
	if (address === null || typeof address === 'string') throw new Error('A port has no number.');
	t.after(() => new Promise<void>((resolve) => server.close(() => resolve())));
	return {
		port: address.port,
		/** What becomes of each mail from now on. */
		behave(next: () => Manner) {
			choose = next;
		},
		/** Everything it was given whole, read as a mail program would. */
		mails: (): Promise<Email[]> => Promise.all(taken.map((mail) => PostalMime.parse(mail))),
		/** How many mails it took slowly at the same time, at most. */
		mostAtOnce: () => slow.most,
		sources: () => taken.map((mail) => mail.toString('utf8')),
		forget() {
			taken.length = 0;
		},
	};
}

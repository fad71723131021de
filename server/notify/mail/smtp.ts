import { Readable } from 'node:stream';
import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { Outcome } from '../outbox.ts';

export type SmtpSettings = {
	host: string;
	port: number;
	tls: 'starttls' | 'tls' | 'none';
	user: string | undefined;
	password: string | undefined;
	/** `Tidemark <stats@example.com>`, or an address alone. */
	from: string;
};

export type Mail = {
	to: string;
	subject: string;
	text: string;
	html?: string | undefined;
	headers?: Record<string, string> | undefined;
	/** Shown instead of the name of the service. The address stays. */
	senderName?: string | undefined;
	/** What `cid:` addresses in the HTML show. */
	images?: readonly { cid: string; type: string; content: Buffer }[] | undefined;
};

export type Smtp = {
	/**
	 * Calls `markHanded` before the last line of the mail, without which the server does not accept it. If that returns false, the last
	 * line is not sent.
	 */
	send(mail: Mail, markHanded: () => Promise<boolean>): Promise<Outcome>;
	/** Connects and signs in without sending. Throws the error of the server. */
	greet(): Promise<void>;
	/** Closes idle connections. */
	close(): void;
};

const connectMs = 15_000;
const idleMs = 60_000;

/** Opens one connection per concurrent email, and reuses it. */
export function createSmtp(settings: SmtpSettings): Smtp {
	const idle = new Set<SMTPConnection>();

	async function connect(): Promise<SMTPConnection> {
		// Loaded with the first mail, because a start should not wait for it.
		const { default: Connection } = await import('nodemailer/lib/smtp-connection');
		const connection = new Connection({
			host: settings.host,
			port: settings.port,
			secure: settings.tls === 'tls',
			requireTLS: settings.tls === 'starttls',
			ignoreTLS: settings.tls === 'none',
			connectionTimeout: connectMs,
			greetingTimeout: connectMs,
			dnsTimeout: connectMs,
			socketTimeout: idleMs,
		});
		// Without a listener, an error would end the process. The next email on the connection fails instead.
		connection.on('error', () => undefined);
		const { user, password } = settings;
		try {
			await settled(connection, (done) => connection.connect(done));
			if (user !== undefined)
				await settled(connection, (done) =>
					connection.login({ user, pass: password ?? '', credentials: { user, pass: password ?? '' } }, done),
				);
		} catch (error) {
			connection.close();
			throw error;
		}
		connection.once('end', () => idle.delete(connection));
		return connection;
	}

	async function send(mail: Mail, markHanded: () => Promise<boolean>): Promise<Outcome> {
		let isHanded = false;
		let isConnecting = false;
		let connection: SMTPConnection | undefined;
		try {
			const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
			const message = await new MailComposer({
				from: senderOf(settings.from, mail.senderName),
				to: { address: mail.to, name: '' },
				subject: mail.subject,
				text: mail.text,
				...(mail.html !== undefined && { html: mail.html }),
				...(mail.headers && { headers: mail.headers }),
				...(mail.images && {
					attachments: mail.images.map(({ cid, type, content }) => ({
						cid,
						content,
						contentType: type,
						contentDisposition: 'inline' as const,
						filename: type.replace('/', '.'),
					})),
				}),
				disableFileAccess: true,
				disableUrlAccess: true,
			}).compile();
			const envelope = message.getEnvelope();
			const bytes = await message.build();
			isConnecting = true;
			const used = takeIdle() ?? (await connect());
			connection = used;
			isConnecting = false;
			const lines = Readable.from(
				(async function* () {
					yield bytes;
					isHanded = await markHanded();
					if (!isHanded) throw new Error('Another process sends this email.');
				})(),
			);
			await settled(used, (done) => {
				// A pipe does not forward errors. The last line is never sent, so the server discards the email.
				lines.once('error', done);
				used.send({ from: envelope.from || false, to: mail.to }, lines, done);
			});
			idle.add(used);
			return { kind: 'sent' };
		} catch (error) {
			// After a refusal, the connection can be reused. After a connection error, it cannot.
			if (connection && statusOf(error) > 0 && isHanded) idle.add(connection);
			else connection?.close();
			return outcomeOf(error, { isHanded, isUnreachable: isConnecting });
		}
	}

	function takeIdle(): SMTPConnection | undefined {
		const [connection] = idle;
		if (connection) idle.delete(connection);
		return connection;
	}

	function close() {
		for (const connection of idle) connection.close();
		idle.clear();
	}

	return { send, greet: async () => void idle.add(await connect()), close };
}

/** With the address that the operator configured. */
const senderOf = (from: string, name: string | undefined) =>
	name === undefined ? from : { name, address: /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from };

type Done = (error?: Error | null) => void;

/** Resolves when the step calls back. Rejects if it fails or the connection breaks. */
function settled(connection: SMTPConnection, step: (done: Done) => void): Promise<void> {
	return new Promise((resolve, reject) => {
		const fail = (error: Error) => reject(error);
		const end = () => reject(new Error('The mail server closed the connection.'));
		connection.once('error', fail);
		connection.once('end', end);
		step((error) => {
			connection.off('error', fail);
			connection.off('end', end);
			if (error) reject(error);
			else resolve();
		});
	});
}

/** The SMTP status, or 0 without a response. */
const statusOf = (error: unknown): number =>
	typeof error === 'object' && error !== null && 'responseCode' in error ? Number(error.responseCode) : 0;

function outcomeOf(
	error: unknown,
	{ isHanded, isUnreachable }: { isHanded: boolean; isUnreachable: boolean },
): Outcome {
	const reason = error instanceof Error ? error.message : String(error);
	const status = statusOf(error);
	if (status >= 400)
		return { kind: 'refused', isPermanent: status >= 500 && isAboutMail(error), isUnreachable, reason };
	return isHanded
		? { kind: 'unknown', reason }
		: { kind: 'refused', isPermanent: false, isUnreachable, reason };
}

/** Errors of the sign-in are temporary, because the operator can fix them. Errors about the email itself are not. */
function isAboutMail(error: unknown): boolean {
	const command = typeof error === 'object' && error !== null && 'command' in error ? error.command : '';
	return /^(MAIL FROM|RCPT TO|DATA)/.test(String(command));
}

/** The connection to NATS: verified as the settings say, and reconnecting for as long as a server is unreachable. */
import {
	connect,
	type NatsConnection,
	type NodeConnectionOptions,
	nkeyAuthenticator,
} from '@nats-io/transport-node';
import type { Log } from '../lib/log.ts';

export type NatsSettings = {
	/** One or more, separated by commas; the first has the credentials. */
	url: string;
	/** CA certificates for the certificate of the server. */
	ca: string | undefined;
	monitorUrl: string | undefined;
};

const reconnectEveryMs = 250;
/** Short, so that an attempt during a network outage does not delay the next one. */
const connectWithinMs = 2_000;
const firstTries = 3;

export async function connectNats(settings: NatsSettings, log: Log): Promise<NatsConnection> {
	const urls = settings.url.split(',').map((url) => new URL(url.trim()));
	const [first] = urls;
	const isEncrypted = first?.protocol === 'tls:';
	const { ca } = settings;
	const connection = await connectWithRetries({
		servers: urls.map(({ hostname, port }) => `${hostname}:${port === '' ? '4222' : port}`),
		name: 'tidemark',
		...credentialsOf(first),
		// Node verifies the certificate. With `tls://`, a server without TLS is refused.
		...(isEncrypted && { tls: ca === undefined ? {} : { ca } }),
		maxReconnectAttempts: -1,
		reconnectTimeWait: reconnectEveryMs,
		reconnectJitter: reconnectEveryMs,
		timeout: connectWithinMs,
		// Notices a frozen server or a broken network within three seconds.
		pingInterval: 1_000,
		maxPingOut: 2,
		// A temporarily wrong password must not need a restart.
		ignoreAuthErrorAbort: true,
	}).catch((cause: unknown) => {
		throw new Error(`NATS cannot be reached: ${cause instanceof Error ? cause.message : cause}`, { cause });
	});
	const watch = async () => {
		for await (const status of connection.status())
			if (status.type === 'disconnect' || status.type === 'reconnect' || status.type === 'error')
				log.warn({ status: status.type }, 'NATS connection changed');
	};
	watch().catch((error: unknown) => log.warn({ error }, 'could not watch the NATS connection'));
	return connection;
}

/** A busy server may time out at first. Later reconnects have no limit. */
async function connectWithRetries(options: NodeConnectionOptions): Promise<NatsConnection> {
	for (let tries = 1; ; tries++) {
		try {
			return await connect(options);
		} catch (error) {
			if (tries === firstTries || !(error instanceof Error && error.name === 'TimeoutError')) throw error;
		}
	}
}

/** A user name with a password, a token, or an nkey seed. */
function credentialsOf(url: URL | undefined) {
	const [user, pass] = [url?.username, url?.password].map((text) => decodeURIComponent(text ?? ''));
	if (!user) return {};
	if (pass) return { user, pass };
	return /^SU[A-Z2-7]{56}$/.test(user)
		? { authenticator: nkeyAuthenticator(new TextEncoder().encode(user)) }
		: { token: user };
}

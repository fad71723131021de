/** The connection to NATS: how the address in the settings becomes one that is verified, and goes on when a server is away. */
import {
	connect,
	type NatsConnection,
	type NodeConnectionOptions,
	nkeyAuthenticator,
} from '@nats-io/transport-node';
import type { Log } from '../lib/log.ts';

export type NatsSettings = {
	/** One or more, separated by commas; who signs in stands in the first. */
	url: string;
	/** Certificates of the authority that signed that of the server. */
	ca: string | undefined;
	monitorUrl: string | undefined;
};

const reconnectEveryMs = 250;
/** A connection that is made while the net loses everything is given up soon, so that the next one meets a net that is whole again. */
const connectWithinMs = 2_000;
const firstTries = 3;

export async function connectNats(settings: NatsSettings, log: Log): Promise<NatsConnection> {
	const urls = settings.url.split(',').map((url) => new URL(url.trim()));
	const [first] = urls;
	const isEncrypted = first?.protocol === 'tls:';
	const { ca } = settings;
	const connection = await connectPatiently({
		servers: urls.map(({ hostname, port }) => `${hostname}:${port === '' ? '4222' : port}`),
		name: 'tidemark',
		...signIn(first),
		// Node verifies; a server that offers no encryption is refused where `tls://` asks for it.
		...(isEncrypted && { tls: ca === undefined ? {} : { ca } }),
		...{ maxReconnectAttempts: -1, reconnectTimeWait: reconnectEveryMs, reconnectJitter: reconnectEveryMs },
		// A server that is frozen, or a net that silently loses everything, is noticed within three seconds, and another connection made.
		...{ timeout: connectWithinMs, pingInterval: 1_000, maxPingOut: 2 },
		// A password that was changed and changed back must not need a restart.
		ignoreAuthErrorAbort: true,
	}).catch((cause: unknown) => {
		throw new Error(`NATS cannot be reached: ${cause instanceof Error ? cause.message : cause}`, { cause });
	});
	const watch = async () => {
		for await (const status of connection.status())
			if (status.type === 'disconnect' || status.type === 'reconnect' || status.type === 'error')
				log.warn({ status: status.type }, 'the connection to NATS changed');
	};
	watch().catch((error: unknown) => log.warn({ error }, 'the connection to NATS is no longer watched'));
	return connection;
}

/** The first one may have to wait for a server that is busy; all later ones are tried for ever. */
async function connectPatiently(options: NodeConnectionOptions): Promise<NatsConnection> {
	for (let tries = 1; ; tries++) {
		try {
			return await connect(options);
		} catch (error) {
			if (tries === firstTries || !(error instanceof Error && error.name === 'TimeoutError')) throw error;
		}
	}
}

/** A user with a password, a token alone, or the seed of an nkey. */
function signIn(url: URL | undefined) {
	const [user, pass] = [url?.username, url?.password].map((text) => decodeURIComponent(text ?? ''));
	if (!user) return {};
	if (pass) return { user, pass };
	return /^SU[A-Z2-7]{56}$/.test(user)
		? { authenticator: nkeyAuthenticator(new TextEncoder().encode(user)) }
		: { token: user };
}

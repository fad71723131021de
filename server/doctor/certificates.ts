/**
 * Checks the expiry of the TLS certificates of the public URL, the database servers and the mail server. Each certificate is
 * read from a handshake on a connection of its own. PostgreSQL and SMTP start unencrypted and upgrade on request.
 */
import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Config } from '../config.ts';
import { dayMs } from '../lib/durations.ts';
import { type CheckResult, notice, ok, problem, reasonOf } from './finding.ts';

type Endpoint = {
	name: string;
	host: string;
	port: number;
	/** The configured CA certificates. */
	ca?: string | undefined;
	/** Upgrades the plain connection to TLS. */
	startTls?: (socket: Socket) => Promise<void>;
};

const timeoutMs = 8_000;

export async function examineCertificates(
	config: Config,
	{ publicAddress, now }: { publicAddress: string | undefined; now: Date },
): Promise<CheckResult[]> {
	const endpoints = endpointsOf(config, publicAddress);
	if (endpoints.length === 0) return [ok('No configured server uses TLS; a reverse proxy may terminate it.')];
	return Promise.all(endpoints.map((endpoint) => examine(endpoint, now)));
}

function endpointsOf(config: Config, publicAddress: string | undefined): Endpoint[] {
	const endpoints: Endpoint[] = [];
	const add = (
		name: string,
		url: URL,
		defaultPort: number,
		options: Pick<Endpoint, 'startTls' | 'ca'> = {},
	) =>
		endpoints.push({
			name,
			host: url.hostname.replace(/^\[|\]$/g, ''),
			port: Number(url.port || defaultPort),
			...options,
		});
	if (publicAddress?.startsWith('https:')) add('the public URL', new URL(publicAddress), 443);
	if (config.clickhouseUrl?.startsWith('https:'))
		add('ClickHouse', new URL(config.clickhouseUrl), 8443, { ca: config.clickhouseCa });
	const database = config.databaseUrl === undefined ? undefined : new URL(config.databaseUrl);
	const { databaseCa: ca } = config;
	const mode = database?.searchParams.get('sslmode') ?? (ca === undefined ? 'disable' : 'verify-full');
	if (database && mode !== 'disable' && !decodeURIComponent(database.hostname).startsWith('/'))
		add('PostgreSQL', database, 5432, { startTls: startPostgresTls, ca });
	if (config.smtpHost !== undefined && config.smtpTls !== 'none')
		endpoints.push({
			name: 'the mail server',
			host: config.smtpHost,
			port: config.smtpPort,
			...(config.smtpTls === 'starttls' && { startTls: startSmtpTls }),
		});
	return endpoints;
}

async function examine(endpoint: Endpoint, now: Date): Promise<CheckResult> {
	const certificate = `The certificate of ${endpoint.name} (${endpoint.host}:${endpoint.port})`;
	try {
		const { until, fault } = await readCertificate(endpoint);
		const days = Math.floor((until.getTime() - now.getTime()) / dayMs);
		const date = until.toISOString().slice(0, 10);
		const advice = 'Renew it, and check why automatic renewal fails.';
		if (days < 0) return problem(`${certificate} expired on ${date}.`, advice);
		const what = `${certificate} is valid until ${date} (${days} days).`;
		if (days < 7) return problem(what, advice);
		if (fault !== undefined)
			return notice(
				`${certificate} is not trusted: ${fault}.`,
				'Use a certificate of a public CA, or configure yours with DATABASE_CA_FILE, CLICKHOUSE_CA_FILE or NODE_EXTRA_CA_CERTS.',
			);
		return days < 21 ? notice(what, advice) : ok(what);
	} catch (error) {
		return notice(
			`${certificate} could not be read from this machine: ${reasonOf(error)}`,
			'Check the address. If this machine cannot reach the public URL, check the certificate from outside.',
		);
	}
}

async function readCertificate({
	host,
	port,
	ca,
	startTls,
}: Endpoint): Promise<{ until: Date; fault?: string }> {
	const socket = connectPlain({ host, port });
	const timer = setTimeout(() => socket.destroy(new Error('the server did not answer in time')), timeoutMs);
	try {
		await once(socket, 'connect');
		await startTls?.(socket);
		// The certificate is only inspected; no data is sent over this connection.
		const tls = connectTls({
			socket,
			rejectUnauthorized: false,
			...(isIP(host) === 0 && { servername: host }),
			...(ca !== undefined && { ca }),
		});
		await once(tls, 'secureConnect');
		const certificate = tls.getPeerX509Certificate();
		if (!certificate) throw new Error('the server sent no certificate');
		const matches = isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host);
		const fault = tls.authorized
			? matches === undefined
				? 'it does not match the host name'
				: undefined
			: String(tls.authorizationError);
		return { until: certificate.validToDate, ...(fault !== undefined && { fault }) };
	} finally {
		clearTimeout(timer);
		socket.destroy();
	}
}

const once = (socket: Socket, event: 'connect' | 'secureConnect'): Promise<void> =>
	new Promise((resolve, reject) => {
		socket.once(event, resolve);
		socket.once('error', reject);
		socket.once('close', () => reject(new Error('the server closed the connection')));
	});

/** Resolves once the received text matches. */
function waitFor(socket: Socket, pattern: RegExp): Promise<void> {
	let text = '';
	return new Promise((resolve, reject) => {
		const onData = (chunk: Buffer) => {
			text += chunk.toString('latin1');
			if (!pattern.test(text)) return;
			socket.off('data', onData);
			socket.pause();
			resolve();
		};
		socket.on('data', onData);
		socket.once('error', reject);
		socket.once('close', () => reject(new Error('the server does not offer TLS')));
		socket.resume();
	});
}

async function startPostgresTls(socket: Socket): Promise<void> {
	// SSLRequest: the message length and the request code.
	socket.write(Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]));
	await waitFor(socket, /^S/);
}

async function startSmtpTls(socket: Socket): Promise<void> {
	await waitFor(socket, /^220 .*\r\n/m);
	socket.write('EHLO tidemark\r\n');
	await waitFor(socket, /^250 .*\r\n/m);
	socket.write('STARTTLS\r\n');
	await waitFor(socket, /^220 .*\r\n/m);
}

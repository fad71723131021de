/**
 * How long the certificates are good that the service or its callers rely on: of the public address, of servers of databases
 * and of mail. Each is read from a handshake of its own, which sends nothing after it. PostgreSQL and SMTP speak in the clear
 * first and change over when they are asked to.
 */
import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Config } from '../config.ts';
import { type Look, notice, ok, problem, reasonOf } from './finding.ts';

type Place = {
	name: string;
	host: string;
	port: number;
	/** Of the authority that was set for it. */
	ca?: string | undefined;
	before?: (socket: Socket) => Promise<void>;
};

const withinMs = 8_000;
const day = 86_400_000;

export async function examineCertificates(
	config: Config,
	{ publicAddress, now }: { publicAddress: string | undefined; now: Date },
): Promise<Look[]> {
	const places = placesOf(config, publicAddress);
	if (places.length === 0)
		return [ok('Nothing here uses a certificate: TLS, where there is any, ends at a proxy.')];
	return Promise.all(places.map((place) => examine(place, now)));
}

function placesOf(config: Config, publicAddress: string | undefined): Place[] {
	const places: Place[] = [];
	const add = (name: string, url: URL, standard: number, more: Pick<Place, 'before' | 'ca'> = {}) =>
		places.push({
			...{ name, host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || standard) },
			...more,
		});
	if (publicAddress?.startsWith('https:')) add('the public address', new URL(publicAddress), 443);
	if (config.clickhouseUrl?.startsWith('https:'))
		add('ClickHouse', new URL(config.clickhouseUrl), 8443, { ca: config.clickhouseCa });
	const database = config.databaseUrl === undefined ? undefined : new URL(config.databaseUrl);
	const { databaseCa: ca } = config;
	const mode = database?.searchParams.get('sslmode') ?? (ca === undefined ? 'disable' : 'verify-full');
	if (database && mode !== 'disable' && !decodeURIComponent(database.hostname).startsWith('/'))
		add('PostgreSQL', database, 5432, { before: askPostgres, ca });
	if (config.smtpHost !== undefined && config.smtpTls !== 'none')
		places.push({
			...{ name: 'the mail server', host: config.smtpHost, port: config.smtpPort },
			...(config.smtpTls === 'starttls' && { before: askSmtp }),
		});
	return places;
}

async function examine(place: Place, now: Date): Promise<Look> {
	const where = `${place.host}:${place.port}`;
	try {
		const { until, fault } = await readCertificate(place);
		const days = Math.floor((until.getTime() - now.getTime()) / day);
		const date = until.toISOString().slice(0, 10);
		const advice = 'Renew it, and look why that does not happen by itself.';
		if (days < 0) return problem(`The certificate of ${place.name} (${where}) ran out on ${date}.`, advice);
		const what = `The certificate of ${place.name} (${where}) is good until ${date}, for ${days} days.`;
		if (days < 7) return problem(what, advice);
		if (fault !== undefined)
			return notice(
				`The certificate of ${place.name} (${where}) is not trusted here: ${fault}.`,
				'Use one of an authority that is known, or name yours: DATABASE_CA_FILE, CLICKHOUSE_CA_FILE, NODE_EXTRA_CA_CERTS for others.',
			);
		return days < 21 ? notice(what, advice) : ok(what);
	} catch (error) {
		return notice(
			`The certificate of ${place.name} (${where}) could not be read from here: ${reasonOf(error)}`,
			'Look whether the address is right; of a public address that this machine cannot reach, look from outside.',
		);
	}
}

async function readCertificate({ host, port, ca, before }: Place): Promise<{ until: Date; fault?: string }> {
	const socket = connectPlain({ host, port });
	const late = setTimeout(() => socket.destroy(new Error('it did not answer in time')), withinMs);
	try {
		await once(socket, 'connect');
		await before?.(socket);
		// It is read and judged, not believed: nothing is sent over it.
		const tls = connectTls({
			socket,
			rejectUnauthorized: false,
			...(isIP(host) === 0 && { servername: host }),
			...(ca !== undefined && { ca }),
		});
		await once(tls, 'secureConnect');
		const certificate = tls.getPeerX509Certificate();
		if (!certificate) throw new Error('there is none');
		const matches = isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host);
		const fault = tls.authorized
			? matches === undefined
				? 'it is for another name'
				: undefined
			: String(tls.authorizationError);
		return { until: certificate.validToDate, ...(fault !== undefined && { fault }) };
	} finally {
		clearTimeout(late);
		socket.destroy();
	}
}

const once = (socket: Socket, event: 'connect' | 'secureConnect'): Promise<void> =>
	new Promise((resolve, reject) => {
		socket.once(event, resolve);
		socket.once('error', reject);
		socket.once('close', () => reject(new Error('it closed the connection')));
	});

/** The next bytes that match; what came before them is kept. */
function hear(socket: Socket, pattern: RegExp): Promise<void> {
	let text = '';
	return new Promise((resolve, reject) => {
		const listen = (chunk: Buffer) => {
			text += chunk.toString('latin1');
			if (!pattern.test(text)) return;
			socket.off('data', listen);
			socket.pause();
			resolve();
		};
		socket.on('data', listen);
		socket.once('error', reject);
		socket.once('close', () => reject(new Error('it does not offer TLS')));
		socket.resume();
	});
}

async function askPostgres(socket: Socket): Promise<void> {
	// SSLRequest: its length, and a number that is no version.
	socket.write(Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]));
	await hear(socket, /^S/);
}

async function askSmtp(socket: Socket): Promise<void> {
	await hear(socket, /^220 .*\r\n/m);
	socket.write('EHLO tidemark\r\n');
	await hear(socket, /^250 .*\r\n/m);
	socket.write('STARTTLS\r\n');
	await hear(socket, /^220 .*\r\n/m);
}

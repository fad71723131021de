import {
	createHash,
	createPrivateKey,
	createPublicKey,
	generateKeyPairSync,
	type KeyObject,
	randomBytes,
	sign,
} from 'node:crypto';

/** An authenticator and the browser around it, in software: what a service gets from them, and every way to get it wrong. */
export type Credential = {
	id: Buffer;
	rpId: string;
	userHandle: string;
	privateKey: KeyObject;
	counter: number;
};

export type Changes = {
	origin?: string;
	rpId?: string;
	type?: string;
	challenge?: string;
	crossOrigin?: boolean;
	/** User present, user verified. */
	flags?: number;
	counter?: number;
	userHandle?: string;
	/** The credential that the response claims to be from. */
	id?: Buffer;
};

const present = 0x01;
const verified = 0x04;
const withCredential = 0x40;

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();

type CborValue = number | string | Buffer | readonly CborValue[] | Map<number | string, CborValue>;

/** Just enough of CBOR (RFC 8949) for a key and an attestation. */
function cbor(item: CborValue): Buffer {
	if (typeof item === 'number') return item >= 0 ? head(0, item) : head(1, -1 - item);
	if (typeof item === 'string') return Buffer.concat([head(3, Buffer.byteLength(item)), Buffer.from(item)]);
	if (Buffer.isBuffer(item)) return Buffer.concat([head(2, item.length), item]);
	if (item instanceof Map)
		return Buffer.concat([
			head(5, item.size),
			...[...item].flatMap((pair) => pair.map((part) => cbor(part))),
		]);
	return Buffer.concat([head(4, item.length), ...item.map((part) => cbor(part))]);
}

function head(major: number, size: number): Buffer {
	if (size < 24) return Buffer.from([(major << 5) | size]);
	if (size < 256) return Buffer.from([(major << 5) | 24, size]);
	return Buffer.from([(major << 5) | 25, size >> 8, size & 255]);
}

/** ES256 in COSE: key type EC2, curve P-256. */
function coseKey(publicKey: KeyObject): Buffer {
	const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
	return cbor(
		new Map<number, CborValue>([
			[1, 2],
			[3, -7],
			[-1, 1],
			[-2, Buffer.from(x, 'base64url')],
			[-3, Buffer.from(y, 'base64url')],
		]),
	);
}

function authenticatorData(rpId: string, flags: number, counter: number, more: Buffer = Buffer.alloc(0)) {
	const count = Buffer.alloc(4);
	count.writeUInt32BE(counter);
	return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, more]);
}

const clientData = (type: string, challenge: string, origin: string, crossOrigin = false) =>
	Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin }));

export type CreationOptions = { challenge: string; rp: { id: string }; user: { id: string } };
export type RequestOptions = { challenge: string; rpId: string };

export type Attestation = readonly [format: string, statement: Map<string, CborValue>];

/** What `navigator.credentials.create` returns. `attest` signs an attestation in place of the empty one. */
export function createCredential(
	options: CreationOptions,
	origin: string,
	changes: Changes & { attest?(signed: Buffer, privateKey: KeyObject): Attestation } = {},
) {
	const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
	const credential: Credential = {
		id: changes.id ?? randomBytes(32),
		rpId: options.rp.id,
		userHandle: options.user.id,
		privateKey: createPrivateKey(privateKey.export({ format: 'pem', type: 'pkcs8' })),
		counter: changes.counter ?? 1,
	};
	const length = Buffer.alloc(2);
	length.writeUInt16BE(credential.id.length);
	const attested = Buffer.concat([
		Buffer.alloc(16),
		length,
		credential.id,
		coseKey(createPublicKey(publicKey.export({ format: 'pem', type: 'spki' }))),
	]);
	const flags = (changes.flags ?? present | verified) | withCredential;
	const data = authenticatorData(changes.rpId ?? credential.rpId, flags, credential.counter, attested);
	const client = clientData(
		changes.type ?? 'webauthn.create',
		changes.challenge ?? options.challenge,
		changes.origin ?? origin,
		changes.crossOrigin,
	);
	const signed = Buffer.concat([data, sha256(client)]);
	const [format, statement] = changes.attest?.(signed, credential.privateKey) ?? ['none', new Map()];
	const attestationObject = cbor(
		new Map<string, CborValue>([
			['fmt', format],
			['attStmt', statement],
			['authData', data],
		]),
	);
	const id = credential.id.toString('base64url');
	const sent = {
		id,
		rawId: id,
		type: 'public-key',
		authenticatorAttachment: 'platform',
		clientExtensionResults: { credProps: { rk: true } },
		response: {
			clientDataJSON: client.toString('base64url'),
			attestationObject: attestationObject.toString('base64url'),
			transports: ['internal', 'carrier-pigeon'],
		},
	};
	return { credential, sent };
}

/** What `navigator.credentials.get` returns. */
export function signWith(
	credential: Credential,
	options: RequestOptions,
	origin: string,
	changes: Changes = {},
) {
	credential.counter = changes.counter ?? credential.counter + 1;
	const data = authenticatorData(
		changes.rpId ?? credential.rpId,
		changes.flags ?? present | verified,
		credential.counter,
	);
	const client = clientData(
		changes.type ?? 'webauthn.get',
		changes.challenge ?? options.challenge,
		changes.origin ?? origin,
		changes.crossOrigin,
	);
	const id = (changes.id ?? credential.id).toString('base64url');
	return {
		id,
		rawId: id,
		type: 'public-key',
		clientExtensionResults: {},
		response: {
			clientDataJSON: client.toString('base64url'),
			authenticatorData: data.toString('base64url'),
			signature: sign('sha256', Buffer.concat([data, sha256(client)]), credential.privateKey).toString(
				'base64url',
			),
			userHandle: changes.userHandle ?? credential.userHandle,
		},
	};
}

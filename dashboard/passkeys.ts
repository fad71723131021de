/** What a browser and its authenticators do for passkeys (WebAuthn). */
import type { Fields } from './api-client.ts';

/** Whether this browser can use passkeys on this page. `origin` is where the service accepts them. */
export const canUsePasskeys = (origin: string | null | undefined): boolean =>
	origin === location.origin &&
	typeof PublicKeyCredential === 'function' &&
	'parseCreationOptionsFromJSON' in PublicKeyCredential;

/** `cancelled`: the prompt was closed or timed out. `exists`: the authenticator already has a passkey of this account. */
export class PasskeyError extends Error {
	readonly reason: 'cancelled' | 'exists';

	constructor(reason: 'cancelled' | 'exists') {
		super(reason);
		this.reason = reason;
	}
}

export async function createPasskey(options: PublicKeyCredentialCreationOptionsJSON): Promise<Fields> {
	const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
	const { credential, response } = await prompt(
		() => navigator.credentials.create({ publicKey }),
		AuthenticatorAttestationResponse,
	);
	return {
		...credential,
		response: {
			clientDataJSON: toBase64Url(response.clientDataJSON),
			attestationObject: toBase64Url(response.attestationObject),
			transports: response.getTransports(),
		},
	};
}

/** Signs a challenge of the service with a passkey that the person chooses. */
export async function signWithPasskey(options: PublicKeyCredentialRequestOptionsJSON): Promise<Fields> {
	const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
	const { credential, response } = await prompt(
		() => navigator.credentials.get({ publicKey }),
		AuthenticatorAssertionResponse,
	);
	return {
		...credential,
		response: {
			clientDataJSON: toBase64Url(response.clientDataJSON),
			authenticatorData: toBase64Url(response.authenticatorData),
			signature: toBase64Url(response.signature),
			...(response.userHandle && { userHandle: toBase64Url(response.userHandle) }),
		},
	};
}

/** Password managers return objects of their own, which have no `toJSON`, so the callers write the JSON. */
async function prompt<R>(
	ask: () => Promise<Credential | null>,
	// Only names the type: objects of password managers are no instances of it.
	_kind: { prototype: R },
): Promise<{ credential: Fields; response: R }> {
	let credential: (Credential & { rawId?: ArrayBuffer; response?: R }) | null;
	try {
		credential = await ask();
	} catch (error) {
		const name = error instanceof DOMException ? error.name : '';
		if (name === 'InvalidStateError') throw new PasskeyError('exists');
		if (name === 'NotAllowedError' || name === 'AbortError') throw new PasskeyError('cancelled');
		throw error;
	}
	if (!credential?.rawId || !credential.response) throw new PasskeyError('cancelled');
	const id = toBase64Url(credential.rawId);
	return { credential: { id, rawId: id, type: 'public-key' }, response: credential.response };
}

const toBase64Url = (buffer: ArrayBuffer): string =>
	btoa(String.fromCharCode(...new Uint8Array(buffer)))
		.replaceAll('+', '-')
		.replaceAll('/', '_')
		.replaceAll('=', '');

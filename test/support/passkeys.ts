import assert from 'node:assert/strict';
import { z } from 'zod';
import { type Changes, type Credential, createCredential, signWith } from './authenticator.ts';
import { goodPassword, type Visitor } from './visitor.ts';

const requestSchema = z.object({ data: z.looseObject({ challenge: z.string(), rpId: z.string() }) });
const creationSchema = z.object({
	data: z.looseObject({
		challenge: z.string(),
		rp: z.object({ id: z.string(), name: z.string() }),
		user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
	}),
});

/** A browser and its authenticator at the public address of a service. */
export function passkeysAt(origin: string) {
	const creationOptions = async (browser: Visitor, proof: object = { password: goodPassword }) => {
		const answer = await browser('POST', '/session/passkeys/options', { json: proof });
		assert.equal(answer.status, 200, answer.text);
		return creationSchema.parse(answer.json).data;
	};
	const requestOptions = async (browser: Visitor, path: string) => {
		const answer = await browser('POST', path);
		assert.equal(answer.status, 200, answer.text);
		return requestSchema.parse(answer.json).data;
	};
	return {
		creationOptions,
		/** Adds a passkey to the account that the browser is signed in to. */
		async add(browser: Visitor, { name = 'Laptop', proof }: { name?: string; proof?: object } = {}) {
			const { credential, sent } = createCredential(await creationOptions(browser, proof), origin);
			const answer = await browser('POST', '/session/passkeys', { json: { name, passkey: sent } });
			assert.equal(answer.status, 201, answer.text);
			const { id } = z.object({ data: z.object({ id: z.int() }) }).parse(answer.json).data;
			return { id, credential };
		},
		signInOptions: (browser: Visitor) => requestOptions(browser, '/session/passkey/challenge'),
		proofOptions: (browser: Visitor) => requestOptions(browser, '/session/passkeys/challenge'),
		/** A signature for a challenge that was made for signing in. */
		signInAssertion: async (browser: Visitor, credential: Credential, changes?: Changes) =>
			signWith(credential, await requestOptions(browser, '/session/passkey/challenge'), origin, changes),
		proofAssertion: async (browser: Visitor, credential: Credential, changes?: Changes) =>
			signWith(credential, await requestOptions(browser, '/session/passkeys/challenge'), origin, changes),
	};
}

import assert from 'node:assert/strict';
import { type Answer, type Call, send } from './client.ts';
import type { TestAccount, World } from './world.ts';

/** A browser as the service sees it: it keeps cookies by name and path and says where its requests come from. */
export type Visitor = {
	(method: string, path: string, call?: Call): Promise<Answer>;
	/** By name. */
	cookies: Map<string, { value: string; path: string; line: string }>;
};

/** `path` is below /app/api. `address` is what the proxy in front says of it. */
export function visitor(base: () => string, options: { address?: string; agent?: string } = {}): Visitor {
	const cookies: Visitor['cookies'] = new Map();
	const call = async (method: string, path: string, sent: Call = {}) => {
		const full = `/app/api${path}`;
		const isSent = (of: string) => full === of || full.startsWith(of.endsWith('/') ? of : `${of}/`);
		const cookie = [...cookies]
			.filter(([, { path: of }]) => isSent(of))
			.map(([name, { value }]) => `${name}=${value}`)
			.join('; ');
		const answer = await send(base(), method, full, {
			...sent,
			headers: {
				'sec-fetch-site': 'same-origin',
				...(cookie !== '' && { cookie }),
				...(options.address !== undefined && { 'x-forwarded-for': options.address }),
				...(options.agent !== undefined && { 'user-agent': options.agent }),
				...sent.headers,
			},
		});
		for (const line of (answer.headers['set-cookie'] ?? '').split('\n').filter((text) => text !== '')) {
			const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
			if (value === '' || /max-age=0/i.test(line)) cookies.delete(name);
			else cookies.set(name, { value, path: /path=([^;]+)/i.exec(line)?.[1] ?? '/', line });
		}
		return answer;
	};
	return Object.assign(call, { cookies });
}

export const goodPassword = 'a tide that comes and goes';

/** By email address: what the browser in which the password was set is known by. Signing in with another one is mailed to the owner. */
const knownBrowsers = new Map<string, Visitor['cookies']>();

/** Gives an account a password, as whoever got the operator's link does. */
export async function givePassword(w: World, { email }: { email: string }, password = goodPassword) {
	const { token } = await w.operate('account.reset', { email });
	const browser = visitor(() => w.base);
	const answer = await browser('PUT', '/session/link', { json: { token, password } });
	assert.equal(answer.status, 200, answer.text);
	knownBrowsers.set(email, browser.cookies);
}

/** A browser in which the account is signed in; `isNew`: not the one in which its password was set. */
export async function signedIn(
	w: World,
	account: TestAccount,
	options: Parameters<typeof visitor>[1] & { password?: string; isNew?: boolean } = {},
): Promise<Visitor> {
	const browser = visitor(() => w.base, options);
	const { email } = account;
	for (const [name, cookie] of (!options.isNew && knownBrowsers.get(email)) || [])
		browser.cookies.set(name, cookie);
	const answer = await browser('POST', '/session', {
		json: { email, password: options.password ?? goodPassword },
	});
	assert.equal(answer.status, 200, answer.text);
	return browser;
}

/** The one session cookie that it has. */
export function sessionOf(browser: Visitor): string {
	const { cookies } = browser;
	const { value = '' } = cookies.get('__Host-tidemark') ?? cookies.get('tidemark') ?? {};
	assert.match(value, /^[\w-]{43}$/);
	return value;
}

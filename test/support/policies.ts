import assert from 'node:assert/strict';
import { generate } from 'otplib';
import { z } from 'zod';
import { freshDomain, type Website, websiteOf } from './contract.ts';
import { givePassword, goodPassword, type Visitor } from './visitor.ts';
import type { TestAccount, World } from './world.ts';

export const dataOf = (answer: { json: unknown }) =>
	z.object({ data: z.record(z.string(), z.unknown()) }).parse(answer.json).data;

/** Requires nothing. */
const openPolicy = {
	sign_in: 'any',
	session_idle_minutes: null,
	session_hours: null,
	networks: null as string[] | null,
};

export const policyBody = (changes: Partial<Record<keyof typeof openPolicy, unknown>>) => ({
	...openPolicy,
	...changes,
	password: goodPassword,
});

/** What the owners of an account, or the operator for all accounts, require from now on. */
export const setPolicy = (
	w: World,
	account: { id: number } | null,
	policy: {
		signIn?: 'any' | 'second_factor' | 'provider';
		idleMinutes?: number;
		sessionHours?: number;
		networks?: string[];
	},
) => w.operate('policy.set', { account: account && String(account.id), ...policy });

export async function newAccount(w: World): Promise<TestAccount> {
	const account = await w.account({ timezone: 'UTC' });
	await givePassword(w, account);
	return account;
}

export const newWebsite = async (owner: TestAccount, fields: Record<string, string> = {}): Promise<Website> =>
	websiteOf(
		await owner.api('POST', '/websites', { form: { domain: freshDomain(), privacy: '1', ...fields } }),
		201,
	);

/** Makes the person of a browser a member of a website. */
export async function addMember(
	owner: Visitor,
	member: Visitor,
	website: Website,
	role = 'viewer',
): Promise<void> {
	const invited = await owner('POST', `/websites/${website.id}/people/invitations`, { json: { role } });
	assert.equal(invited.status, 201, invited.text);
	const token = new URL(String(dataOf(invited).link)).hash.replace('#token=', '');
	const joined = await member('POST', '/join', { json: { token } });
	assert.equal(joined.status, 200, joined.text);
}

/** Turns on an authenticator app. */
export async function addApp(browser: Visitor, now: () => Date) {
	const begun = await browser('POST', '/session/two-factor', { json: { password: goodPassword } });
	assert.equal(begun.status, 200, begun.text);
	const secret = String(dataOf(begun).secret);
	const code = () => generate({ secret, epoch: Math.floor(now().getTime() / 1000) });
	const confirmed = await browser('PUT', '/session/two-factor', { json: { code: await code() } });
	assert.equal(confirmed.status, 200, confirmed.text);
	return { code };
}

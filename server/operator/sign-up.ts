/**
 * Creating an account without an invitation. The operator decides who can; by default nobody. An email address is proven first: a link
 * is mailed to it, and the link creates the person and the account. The policy holds when the link is asked for and when it is used.
 */
import { createSignedUpPerson, hasAccounts } from '../accounts/accounts.ts';
import { digestOf, makeToken } from '../accounts/keys.ts';
import type { NewPerson, Person } from '../accounts/people.ts';
import { AppError, invalid } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import type { Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import { type OperatorAuthor, recordOperatorAction } from './log.ts';

export const signUpModes = ['closed', 'domains', 'open'] as const;

export type SignUpPolicy = {
	mode: (typeof signUpModes)[number];
	/** Whose addresses can sign up, with the mode `domains`. Subdomains are not included. */
	domains: string[];
	/** Limits of the new accounts; null: none. */
	websiteLimit: number | null;
	pageviewLimit: number | null;
};

const defaultPolicy: SignUpPolicy = { mode: 'closed', domains: [], websiteLimit: 10, pageviewLimit: null };

const linkLifetimeMs = 30 * 60_000;

export async function readSignUpPolicy(queries: Queries): Promise<SignUpPolicy> {
	const [policy] = await queries.rows<SignUpPolicy>(sql`
		SELECT mode, domains, website_limit AS "websiteLimit", pageview_limit AS "pageviewLimit" FROM sign_up_policy`);
	return policy ?? defaultPolicy;
}

/** Fields that are undefined stay as they are. */
export async function changeSignUpPolicy(
	tx: Queries,
	now: Clock,
	by: OperatorAuthor,
	change: { [F in keyof SignUpPolicy]?: SignUpPolicy[F] | undefined },
): Promise<SignUpPolicy> {
	const defined = Object.fromEntries(Object.entries(change).filter(([, field]) => field !== undefined));
	const policy: SignUpPolicy = { ...(await readSignUpPolicy(tx)), ...defined };
	const { mode, domains, websiteLimit, pageviewLimit } = policy;
	const odd = domains.find((domain) => !/^[^\s@]+\.[^\s@.]+$/.test(domain));
	if (odd !== undefined) throw invalid({ domains: [`"${odd}" is not a domain such as example.com.`] });
	if (mode === 'domains' && domains.length === 0)
		throw invalid({ domains: ['Name the domains whose email addresses can sign up.'] });
	await tx.run(sql`
		INSERT INTO sign_up_policy (mode, domains, website_limit, pageview_limit)
		VALUES (${value(mode)}, ${value(domains.map((domain) => domain.toLowerCase()))}::text[], ${value(websiteLimit)}, ${value(pageviewLimit)})
		ON CONFLICT (only_one) DO UPDATE SET mode = excluded.mode, domains = excluded.domains,
			website_limit = excluded.website_limit, pageview_limit = excluded.pageview_limit`);
	await recordOperatorAction(tx, now, { by, what: 'setSignUpPolicy' });
	return readSignUpPolicy(tx);
}

const domainOf = (email: string) => email.slice(email.lastIndexOf('@') + 1).toLowerCase();

/** The policy, if the address can sign up. The first account is the operator's, who uses the setup link. */
export async function requireSignUp(queries: Queries, email: string): Promise<SignUpPolicy> {
	const policy = await readSignUpPolicy(queries);
	if (policy.mode === 'closed' || !(await hasAccounts(queries)))
		throw new AppError('forbidden', 'Sign-up is closed. Ask the operator of this service for an account.');
	if (policy.mode === 'domains' && !policy.domains.includes(domainOf(email)))
		throw invalid({ email: ['Sign-up is limited to email addresses of certain domains.'] });
	return policy;
}

/** The token of a link, which replaces the previous link of the address. */
export async function makeSignUpLink(tx: Queries, now: Clock, email: string): Promise<string> {
	const token = makeToken();
	const moment = now();
	await tx.run(sql`
		DELETE FROM sign_up_links WHERE lower(email) = lower(${value(email)}) OR expires_at <= ${value(moment)}`);
	await tx.run(sql`
		INSERT INTO sign_up_links (digest, email, expires_at)
		VALUES (${value(digestOf(token))}, ${value(email)}, ${value(new Date(moment.getTime() + linkLifetimeMs))})
		ON CONFLICT (lower(email)) DO UPDATE SET digest = excluded.digest, expires_at = excluded.expires_at`);
	return token;
}

const deadLink = () =>
	new AppError('link_dead', 'This link was used, has expired, or was replaced by a newer one.');

/** The address that a link was mailed to, without using the link. */
export async function findSignUpAddress(queries: Queries, now: Clock, token: string): Promise<string> {
	const [link] = await queries.rows<{ email: string }>(sql`
		SELECT email FROM sign_up_links WHERE digest = ${value(digestOf(token))} AND expires_at > ${value(now())}`);
	if (!link) throw deadLink();
	await requireSignUp(queries, link.email);
	return link.email;
}

/** Uses the link: creates the person, whose address it proves, and their account. Of two concurrent uses, one succeeds. */
export async function signUp(
	tx: Queries,
	now: Clock,
	token: string,
	person: Omit<NewPerson, 'email'>,
): Promise<Person> {
	const [link] = await tx.rows<{ email: string }>(sql`
		DELETE FROM sign_up_links WHERE digest = ${value(digestOf(token))} AND expires_at > ${value(now())} RETURNING email`);
	if (!link) throw deadLink();
	const { websiteLimit, pageviewLimit } = await requireSignUp(tx, link.email);
	return createSignedUpPerson(tx, now, { ...person, email: link.email }, { websiteLimit, pageviewLimit });
}

export const deleteExpiredSignUps = (queries: Queries, now: Clock): Promise<number> =>
	queries.run(sql`DELETE FROM sign_up_links WHERE expires_at <= ${value(now())}`);

import type { Access, Scope } from './key-limits.ts';
import type { Refusal } from './policy-refusals.ts';

/** The caller of a request. */
export type Principal =
	| { kind: 'nobody' }
	| PersonPrincipal
	| AccountPrincipal
	| KeyPrincipal
	| OperatorKeyPrincipal
	| SharePrincipal;

/**
 * A signed-in person, who works in one of the accounts that they own. `isOperator` is set only where it matters. It gives no
 * permission on websites of others.
 */
export type PersonPrincipal = {
	kind: 'person';
	personId: number;
	accountId: number;
	isOperator?: boolean;
	/** The policies that the session does not meet. */
	refusals?: readonly Refusal[];
};

/** The service itself, which acts for an account: reports, alerts, demo data. No request has it. */
export type AccountPrincipal = { kind: 'account'; accountId: number };

export type KeyPrincipal = {
	kind: 'key';
	accountId: number;
	keyId: number;
	access: Access;
	/** Of a `scoped` key; null for the others. */
	scopes: readonly Scope[] | null;
	/** null: every website of the account. */
	websiteIds: readonly number[] | null;
};

/** A key of the service itself, which reaches the routes of the operator and nothing else. */
export type OperatorKeyPrincipal = { kind: 'operatorKey'; keyId: number; access: 'full' | 'read' };

/** Someone without an account: on a public page, or with a share link, which limits what they see. */
export type SharePrincipal = { kind: 'share'; websiteId: number; limits?: ShareLimits };

/** The parts of the statistics that a share link can show besides the totals and the chart. */
export const sharePanels = [
	'sources',
	'pages',
	'places',
	'devices',
	'conversions',
	'hours',
	'vitals',
	'live',
] as const;
export type SharePanel = (typeof sharePanels)[number];

/** What a share link shows. No parameter of a request can widen it. */
export type ShareLimits = {
	linkId: number;
	/** The fixed filter as JSON, or null. */
	filter: unknown;
	/** The fixed filters of the other links of the website: their numbers must not reveal anyone together with these. */
	otherFilters: readonly unknown[];
	/** Null: all. */
	panels: readonly SharePanel[] | null;
	/** Dates of the website, inclusive. */
	from: string | null;
	to: string | null;
	/** So many days up to today. Not together with dates. */
	lastDays: number | null;
};

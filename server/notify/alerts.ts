import { randomBytes } from 'node:crypto';
import type { z } from 'zod';
import { createAlertBody, updateAlertBody } from '../../api/alerts.ts';
import type { Collection } from '../items/items.ts';
import type { Clock } from '../lib/clock.ts';
import { decrypt, encrypt } from '../lib/encrypt.ts';
import { RefusedAddress, readPublicUrl } from '../lib/safe-fetch.ts';
import { listGoals } from '../stats/question/goals.ts';
import type { Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';

export type AlertKind = 'spike' | 'silence' | 'goal';
export type Channel = 'mail' | 'webhook' | 'ntfy' | 'slack';

export type AlertFields = {
	kind: AlertKind;
	channel: Channel;
	goal_id: number | null;
	hours: number | null;
	/** Encrypted. */
	url: Buffer | null;
	secret: Buffer | null;
	url_shown: string | null;
	enabled: boolean;
	/** Read-only. */
	last_fired_at: Date | null;
	last_failure: string | null;
};

/** `key` encrypts the URLs and secrets of alerts. `allowedHosts`: private hosts that the operator allows as destinations. */
export type AlertVault = { key: Buffer; allowedHosts: readonly string[]; now: Clock };

const defaultHours = 6;
const encryptionContext = (websiteId: number) => `alert of website ${websiteId}`;

/** Decrypts the URL or the secret of an alert. */
export const decryptAlertSecret = ({ key }: AlertVault, websiteId: number, encrypted: Buffer): string =>
	decrypt(key, encryptionContext(websiteId), encrypted);

/** Alerts send data to other servers, so changing them requires `website.administer`. */
export const alertNames = {
	singular: 'alert',
	plural: 'alerts',
	changeAction: 'website.administer',
	maxPerWebsite: 20,
} as const;

export function alertsIn(vault: AlertVault): Collection<AlertFields> {
	const encryptFor = (websiteId: number) => (text: string) =>
		encrypt(vault.key, encryptionContext(websiteId), text);
	return {
		...alertNames,
		columns: sql`kind, channel, goal_id, hours, url, secret, url_shown, enabled, fired_at AS last_fired_at, (
			SELECT reason FROM outbox o WHERE o.alert_id = alerts.id AND o.attempts > 0 AND o.state <> 'sent' AND NOT EXISTS (
				SELECT 1 FROM outbox later WHERE later.alert_id = alerts.id AND later.created_at > o.created_at AND later.state = 'sent')
			ORDER BY o.created_at DESC LIMIT 1
		) AS last_failure`,
		order: sql`id DESC`,
		createSchema: async (tx, websiteId) => {
			const toStored = encryptFor(websiteId);
			return createAlertBody
				.superRefine(await createFieldCheck(tx, websiteId, vault), alongOtherErrors)
				.transform(({ kind, channel, goal_id = null, hours, url, enabled = true }): AlertFields => {
					const secret = channel === 'webhook' ? randomBytes(32).toString('base64url') : null;
					return {
						kind,
						channel,
						goal_id,
						enabled,
						last_fired_at: null,
						last_failure: null,
						hours: kind === 'silence' ? (hours ?? defaultHours) : null,
						url: url === undefined ? null : toStored(url),
						url_shown: url === undefined ? null : shownPart(url),
						secret: secret === null ? null : toStored(secret),
					};
				});
		},
		updateSchema: async (tx, websiteId, stored) => {
			const toStored = encryptFor(websiteId);
			const check = await createFieldCheck(tx, websiteId, vault);
			// Sending the shown part of the URL back keeps the URL.
			const unchanged = (url: string | undefined) => url === undefined || url === stored.url_shown;
			return updateAlertBody
				.superRefine(
					({ url, ...change }, context) =>
						check(
							{
								kind: stored.kind,
								channel: stored.channel,
								isStored: true,
								...change,
								...(!unchanged(url) && { url }),
							},
							context,
						),
					alongOtherErrors,
				)
				.transform(({ url, goal_id, hours, enabled }) => ({
					goal_id,
					hours,
					enabled,
					...(url !== undefined && !unchanged(url) && { url: toStored(url), url_shown: shownPart(url) }),
				}));
		},
		toColumns: (wanted, stored) => ({
			kind: sql`${value(wanted.kind)}`,
			channel: sql`${value(wanted.channel)}`,
			goal_id: sql`${value(wanted.goal_id)}`,
			hours: sql`${value(wanted.hours)}`,
			url: sql`${value(wanted.url)}`,
			url_shown: sql`${value(wanted.url_shown)}`,
			secret: sql`${value(wanted.secret)}`,
			enabled: sql`${value(wanted.enabled)}`,
			// A new, changed or re-enabled alert ignores earlier events.
			...(isArmed(wanted, stored) && {
				armed_at: sql`${value(vault.now())}`,
				fired_at: sql`NULL`,
				silent_since: sql`NULL`,
			}),
		}),
	};
}

/** Runs the check even if other fields are invalid, so that all errors are reported together. */
const alongOtherErrors = { when: () => true };

const isArmed = (wanted: AlertFields, stored: AlertFields | undefined): boolean =>
	stored === undefined ||
	wanted.goal_id !== stored.goal_id ||
	wanted.hours !== stored.hours ||
	(wanted.enabled && !stored.enabled);

const shownPart = (url: string): string => `${new URL(url).origin}/…`;

type SentFields = {
	kind?: unknown;
	channel?: unknown;
	goal_id?: unknown;
	hours?: unknown;
	url?: unknown;
	/** It already has a URL or a goal. */
	isStored?: boolean;
};

/** Returns a check of the fields against the kind and the channel. */
async function createFieldCheck(tx: Queries, websiteId: number, { allowedHosts }: AlertVault) {
	const goals = new Set((await listGoals(tx, websiteId)).map(({ id }) => id));
	return ({ kind, channel, goal_id, hours, url, isStored = false }: SentFields, context: z.RefinementCtx) => {
		const addError = (path: string, message: string) =>
			context.addIssue({ code: 'custom', path: [path], message });
		if (kind === 'goal' && goal_id === undefined && !isStored)
			addError('goal_id', 'The goal_id field is required for an alert about a goal.');
		if ((kind === 'spike' || kind === 'silence') && goal_id !== undefined)
			addError('goal_id', 'The goal_id field is for alerts of the kind goal.');
		if (kind === 'goal' && typeof goal_id === 'number' && !goals.has(goal_id))
			addError('goal_id', `The website does not have a goal ${goal_id}.`);
		if ((kind === 'spike' || kind === 'goal') && hours !== undefined)
			addError('hours', 'The hours field is for alerts of the kind silence.');
		if (channel === 'mail' && url !== undefined)
			addError('url', 'The url field is not allowed for the channel mail.');
		const isPosted = channel === 'webhook' || channel === 'ntfy' || channel === 'slack';
		if (isPosted && url === undefined && !isStored)
			addError('url', 'The url field is required for this channel.');
		if (isPosted && typeof url === 'string')
			try {
				readPublicUrl(url, allowedHosts);
			} catch (error) {
				if (!(error instanceof RefusedAddress)) throw error;
				addError('url', error.message);
			}
	};
}

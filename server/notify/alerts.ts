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
	/** Sealed. */
	url: Buffer | null;
	secret: Buffer | null;
	url_shown: string | null;
	enabled: boolean;
	/** What became of it. Ours to say. */
	last_fired_at: Date | null;
	last_failure: string | null;
};

/** What storing alerts takes: the key that addresses and secrets are sealed with, and what the operator allowed. */
export type AlertVault = { key: Buffer; allowedHosts: readonly string[]; now: Clock };

const usualHours = 6;
const sealedFor = (websiteId: number) => `alert of website ${websiteId}`;

/** What was sealed for an alert of this website. */
export const decryptAlertSecret = ({ key }: AlertVault, websiteId: number, sealed: Buffer): string =>
	decrypt(key, sealedFor(websiteId), sealed);

/** How alerts are asked for and answered is the same whatever they are sealed with. They send data elsewhere. */
export const alertNames = {
	singular: 'alert',
	plural: 'alerts',
	changeAction: 'website.administer',
	maxPerWebsite: 20,
} as const;

export function alertsIn(vault: AlertVault): Collection<AlertFields> {
	const sealing = (websiteId: number) => (text: string) => encrypt(vault.key, sealedFor(websiteId), text);
	return {
		...alertNames,
		columns: sql`kind, channel, goal_id, hours, url, secret, url_shown, enabled, fired_at AS last_fired_at, (
			SELECT reason FROM outbox o WHERE o.alert_id = alerts.id AND o.attempts > 0 AND o.state <> 'sent' AND NOT EXISTS (
				SELECT 1 FROM outbox later WHERE later.alert_id = alerts.id AND later.created_at > o.created_at AND later.state = 'sent')
			ORDER BY o.created_at DESC LIMIT 1
		) AS last_failure`,
		order: sql`id DESC`,
		createSchema: async (tx, websiteId) => {
			const toStored = sealing(websiteId);
			return createAlertBody
				.superRefine(await fits(tx, websiteId, vault), besideOthers)
				.transform(({ kind, channel, goal_id = null, hours, url, enabled = true }): AlertFields => {
					const secret = channel === 'webhook' ? randomBytes(32).toString('base64url') : null;
					return {
						...{ kind, channel, goal_id, enabled, last_fired_at: null, last_failure: null },
						hours: kind === 'silence' ? (hours ?? usualHours) : null,
						url: url === undefined ? null : toStored(url),
						url_shown: url === undefined ? null : shown(url),
						secret: secret === null ? null : toStored(secret),
					};
				});
		},
		updateSchema: async (tx, websiteId, stored) => {
			const toStored = sealing(websiteId);
			const check = await fits(tx, websiteId, vault);
			// What is shown of an address stands for the address.
			const unchanged = (url: string | undefined) => url === undefined || url === stored.url_shown;
			return updateAlertBody
				.superRefine(
					({ url, ...change }, context) =>
						check(
							{
								...{ kind: stored.kind, channel: stored.channel, isStored: true, ...change },
								...(!unchanged(url) && { url }),
							},
							context,
						),
					besideOthers,
				)
				.transform(({ url, goal_id, hours, enabled }) => ({
					...{ goal_id, hours, enabled },
					...(url !== undefined && !unchanged(url) && { url: toStored(url), url_shown: shown(url) }),
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
			// What begins to be watched is watched from now on; what happened before is nobody's news.
			...(isArmed(wanted, stored) && {
				armed_at: sql`${value(vault.now())}`,
				fired_at: sql`NULL`,
				silent_since: sql`NULL`,
			}),
		}),
	};
}

/** Told beside the faults of other fields, not only once those are fixed. */
const besideOthers = { when: () => true };

const isArmed = (wanted: AlertFields, stored: AlertFields | undefined): boolean =>
	stored === undefined ||
	wanted.goal_id !== stored.goal_id ||
	wanted.hours !== stored.hours ||
	(wanted.enabled && !stored.enabled);

const shown = (url: string): string => `${new URL(url).origin}/…`;

type Sent = {
	kind?: unknown;
	channel?: unknown;
	goal_id?: unknown;
	hours?: unknown;
	url?: unknown;
	/** It has an address and a goal already. */
	isStored?: boolean;
};

/** What fits the kind and the channel; every fault is told. */
async function fits(tx: Queries, websiteId: number, { allowedHosts }: AlertVault) {
	const goals = new Set((await listGoals(tx, websiteId)).map(({ id }) => id));
	return ({ kind, channel, goal_id, hours, url, isStored = false }: Sent, context: z.RefinementCtx) => {
		const fault = (path: string, message: string) =>
			context.addIssue({ code: 'custom', path: [path], message });
		if (kind === 'goal' && goal_id === undefined && !isStored)
			fault('goal_id', 'The goal_id field is required for an alert about a goal.');
		if ((kind === 'spike' || kind === 'silence') && goal_id !== undefined)
			fault('goal_id', 'The goal_id field is for alerts of the kind goal.');
		if (kind === 'goal' && typeof goal_id === 'number' && !goals.has(goal_id))
			fault('goal_id', `The website does not have a goal ${goal_id}.`);
		if ((kind === 'spike' || kind === 'goal') && hours !== undefined)
			fault('hours', 'The hours field is for alerts of the kind silence.');
		if (channel === 'mail' && url !== undefined)
			fault('url', 'The url field is for alerts that are not mailed.');
		const isPosted = channel === 'webhook' || channel === 'ntfy' || channel === 'slack';
		if (isPosted && url === undefined && !isStored)
			fault('url', 'The url field is required for this channel.');
		if (isPosted && typeof url === 'string')
			try {
				readPublicUrl(url, allowedHosts);
			} catch (error) {
				if (!(error instanceof RefusedAddress)) throw error;
				fault('url', error.message);
			}
	};
}

import type { z } from 'zod';
import { listField } from '../../api/fields.ts';
import { changeSettingsBody } from '../../api/settings.ts';
import { requirePermission, type Stake } from '../accounts/authorize.ts';
import type { Principal } from '../accounts/principal.ts';
import type { Clock } from '../lib/clock.ts';
import type { Postgres, Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import { announce } from './announce.ts';
import { readDomain } from './domain.ts';
import { getWebsite, type Website } from './get-website.ts';
import { addTombstone } from './tombstones.ts';

export type WebsiteSettings = {
	hostnames: string | null;
	honourSignals: boolean;
	labels: string[];
	/** How long events and visits are kept; null means forever. */
	retentionMonths: number | null;
	/** Whether search engines may index public statistics. */
	isIndexable: boolean;
	/** Origins that may embed the public page in a frame, one per line. */
	embedOrigins: string | null;
};

const columns = sql`hostnames, honour_signals AS "honourSignals", labels, retention_months AS "retentionMonths",
	indexable AS "isIndexable", embed_origins AS "embedOrigins"`;

/** All origins go into one header, and proxies limit headers to 8 KB. */
const maxOrigins = 20;

export const changedSettingsFields = changeSettingsBody.extend({
	hostnames: listField('hostnames', {
		isValid: isHostnameRule,
		what: 'a hostname such as example.com, *.example.com, !old.example.com or localhost',
	}).optional(),
	embed_origins: listField('embed_origins', {
		isValid: isOrigin,
		what: 'an origin such as https://example.com, https://*.example.com or http://localhost:8080',
	})
		.refine(
			(lines) => lines === null || lines.split('\n').length <= maxOrigins,
			`The embed_origins field must not have more than ${maxOrigins} lines.`,
		)
		.optional(),
});

export type SettingsChange = z.output<typeof changedSettingsFields>;

/** Origins are written into a header, so only exact origins are valid. */
function isOrigin(line: string): boolean {
	const [, name = '', port = '0'] =
		/^https?:\/\/(?:\*\.)?([a-z0-9.-]{1,253})(?::(\d{1,5}))?$/.exec(line) ?? [];
	if (Number(port) > 65_535) return false;
	return name === 'localhost' || ('domain' in readDomain(name) && !name.endsWith('.'));
}

function isHostnameRule(line: string): boolean {
	const name = line.replace(/^!/, '').replace(/^\*\./, '');
	return name === 'localhost' || (!/^https?:|^www\.|\/$/i.test(name) && 'domain' in readDomain(name));
}

/** The caller checks that the principal may read the website. */
export async function readSettings(postgres: Queries, id: number): Promise<WebsiteSettings> {
	const [settings] = await postgres.rows<WebsiteSettings>(
		sql`SELECT ${columns} FROM websites WHERE id = ${value(id)}`,
	);
	if (!settings) throw new Error(`There is no website ${id}.`);
	return settings;
}

export async function updateSettings(
	postgres: Postgres,
	principal: Principal,
	id: number,
	fields: SettingsChange,
	/** Further changes in the same transaction. */
	also: (tx: Queries, website: Website & Stake) => Promise<void>,
): Promise<WebsiteSettings> {
	return postgres.transaction(async (tx) => {
		const website = await getWebsite(tx, principal, 'website.update', id, sql`FOR NO KEY UPDATE`);
		const settings = await changeSettings(tx, principal, website, () => fields);
		await also(tx, website);
		return settings;
	});
}

/** Changes the settings of a website that the caller has locked. `change` gets the stored ones. */
export async function changeSettings(
	tx: Queries,
	principal: Principal,
	website: Stake,
	change: (stored: WebsiteSettings) => SettingsChange,
): Promise<WebsiteSettings> {
	const { id } = website;
	const before = await readSettings(tx, id);
	const fields = change(before);
	const {
		hostnames = before.hostnames,
		labels = before.labels,
		retention_months: retentionMonths = before.retentionMonths,
		embed_origins: embedOrigins = before.embedOrigins,
	} = fields;
	const honourSignals =
		fields.honour_signals === undefined ? before.honourSignals : fields.honour_signals === 1;
	const isIndexable = fields.indexable === undefined ? before.isIndexable : fields.indexable === 1;
	if (
		retentionMonths !== before.retentionMonths ||
		isIndexable !== before.isIndexable ||
		embedOrigins !== before.embedOrigins
	)
		requirePermission(principal, 'website.administer', website);
	await tx.run(sql`
		UPDATE websites SET hostnames = ${value(hostnames)}, honour_signals = ${value(honourSignals)},
			labels = ${value(labels)}, retention_months = ${value(retentionMonths)},
			indexable = ${value(isIndexable)}, embed_origins = ${value(embedOrigins)}
		WHERE id = ${value(id)}`);
	// Sent when the transaction commits.
	await announce(tx, id);
	return { hostnames, honourSignals, labels, retentionMonths, isIndexable, embedOrigins };
}

/** Resets the statistics of a website. The website and its settings stay, and new events are counted. */
export async function resetWebsite(
	postgres: Postgres,
	now: Clock,
	principal: Principal,
	id: number,
): Promise<void> {
	await postgres.transaction(async (tx) => {
		await getWebsite(tx, principal, 'website.reset', id, sql`FOR NO KEY UPDATE`);
		await addTombstone(tx, now, id, { isReset: true });
		await announce(tx, id);
	});
}

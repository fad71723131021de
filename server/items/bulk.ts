/** Changes of many websites by one request. Each website has a transaction of its own, so no two are locked at once. */
import type { z } from 'zod';
import { maxLabels } from '../../api/settings.ts';
import { recordAudit } from '../accounts/audit-log.ts';
import { accountOf } from '../accounts/authorize.ts';
import { holdOwnership } from '../accounts/owners.ts';
import type { Principal } from '../accounts/principal.ts';
import { invalid } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import { listGoals } from '../stats/question/goals.ts';
import type { Postgres, Queries } from '../store/postgres.ts';
import { sql } from '../store/sql.ts';
import type { NewWebsite, WebsiteChange } from '../websites/fields.ts';
import { getWebsite, type LoadedWebsite } from '../websites/get-website.ts';
import { changeSettings, type SettingsChange, type WebsiteSettings } from '../websites/settings.ts';
import { changeWebsite, createWebsite, hashNewPassword } from '../websites/websites.ts';
import { funnels } from './funnels.ts';
import { goals, type newGoalFields } from './goals.ts';
import {
	type Collection,
	createOrUpdateItem,
	type ItemFields,
	type ParseBody,
	type TransactionContext,
} from './items.ts';
import { replacePathGroups } from './path-groups.ts';
import { segments } from './segments.ts';
import { mapGoals, type TemplateContent } from './template-content.ts';
import { trafficRules } from './traffic-rules.ts';

type Context = { postgres: Postgres; now: Clock; principal: Principal };

export type BulkChange = {
	template: TemplateContent | undefined;
	website: WebsiteChange | undefined;
	settings: SettingsChange | undefined;
	addLabels: readonly string[];
	removeLabels: readonly string[];
	goals: readonly z.output<typeof newGoalFields>[];
};

/** Changes one website, with the permissions and limits of the requests for a single website. */
export async function changeOne(
	{ postgres, now, principal }: Context,
	websiteId: number,
	change: BulkChange,
): Promise<LoadedWebsite> {
	return postgres.transaction(async (tx) => {
		const context = { now, principal, websiteId };
		let website = await getWebsite(tx, principal, 'website.update', websiteId, sql`FOR NO KEY UPDATE`);
		const { template } = change;
		if (template) {
			website = await changeWebsite(tx, now, principal, website, template.website, null);
			await addTemplate(tx, context, website, template);
		}
		if (change.website) website = await changeWebsite(tx, now, principal, website, change.website, null);
		if (change.settings || change.addLabels.length + change.removeLabels.length > 0)
			await changeSettings(tx, principal, website, (stored) => settingsOf(change, stored));
		await addItems(tx, context, goals, change.goals);
		await recordAudit(tx, now, {
			by: principal,
			what: 'updateWebsite',
			websiteId,
			ownerId: website.accountId,
		});
		return website;
	});
}

function settingsOf(change: BulkChange, stored: WebsiteSettings): SettingsChange {
	const before = change.settings?.labels ?? stored.labels;
	const kept = before.filter((label) => !change.removeLabels.includes(label));
	return { ...change.settings, labels: addLabels(kept, change.addLabels) };
}

function addLabels(before: readonly string[], added: readonly string[]): string[] {
	const labels = [...new Set([...before, ...added])];
	if (labels.length <= maxLabels) return labels;
	throw invalid({ labels: [`A website must not have more than ${maxLabels} labels.`] });
}

/** A new website with its password hash, and the template that it is created from. */
export type NewFromTemplate = {
	fields: NewWebsite & { passwordHash: string | null };
	template: TemplateContent | undefined;
};

/** Runs in the caller's transaction. */
export async function createFromTemplate(
	tx: Queries,
	{ now, principal }: Omit<Context, 'postgres'>,
	{ fields, template }: NewFromTemplate,
): Promise<LoadedWebsite> {
	await holdOwnership(tx, principal);
	const created = await createWebsite(tx, now, accountOf(principal), fields);
	const website: LoadedWebsite = { ...created, role: 'owner' };
	if (template) await addTemplate(tx, { now, principal, websiteId: website.id }, website, template);
	return website;
}

/** Creates one of many websites, which have no passwords. */
export async function createOne(
	{ postgres, now, principal }: Context,
	{ fields, template }: { fields: NewWebsite; template: TemplateContent | undefined },
): Promise<LoadedWebsite> {
	const passwordHash = await hashNewPassword(accountOf(principal), fields);
	return postgres.transaction(async (tx) => {
		const website = await createFromTemplate(
			tx,
			{ now, principal },
			{ fields: { ...fields, passwordHash }, template },
		);
		await recordAudit(tx, now, { by: principal, what: 'createWebsite', websiteId: website.id });
		return website;
	});
}

/** Everything of a template but the website record. Labels are added, page groups replaced, other records matched by name. */
async function addTemplate(
	tx: Queries,
	context: TransactionContext,
	website: LoadedWebsite,
	template: TemplateContent,
): Promise<void> {
	const { settings } = template;
	if (Object.keys(settings).length > 0)
		await changeSettings(tx, context.principal, website, ({ labels }) => ({
			...settings,
			labels: addLabels(labels, settings.labels ?? []),
		}));
	await addItems(tx, context, goals, template.goals);
	const stored =
		template.funnels.length + template.segments.length > 0 ? await listGoals(tx, website.id) : [];
	const idOf = (name: unknown) => stored.find((goal) => goal.name === name)?.id;
	await addItems(
		tx,
		context,
		funnels,
		template.funnels.map(({ name, steps }) => ({
			name,
			steps: steps.map((step) => ('goal' in step ? { goal: idOf(step.goal) } : step)),
		})),
	);
	await addItems(
		tx,
		context,
		segments,
		template.segments.map(({ name, filters }) => ({ name, filters: mapGoals(filters, idOf) })),
	);
	await addItems(tx, context, trafficRules, template.traffic_rules);
	if (template.path_groups.length > 0) await replacePathGroups(tx, context, template.path_groups);
}

async function addItems<F extends ItemFields & { name: string }>(
	tx: Queries,
	context: TransactionContext,
	collection: Collection<F>,
	entries: readonly unknown[],
): Promise<void> {
	for (const entry of entries)
		await createOrUpdateItem(tx, context, collection, parserOf(entry, collection.singular));
}

/** The entry passed the same schema before, but a schema can also depend on other items of the website. */
const parserOf =
	(entry: unknown, singular: string): ParseBody =>
	(schema) => {
		const read = schema.safeParse(entry);
		if (read.success) return read.data;
		throw invalid({ [singular.replaceAll(' ', '_')]: read.error.issues.map(({ message }) => message) });
	};

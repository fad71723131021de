/** Templates for websites of an account. A later change of a template does not change the websites that were made from it. */
import { isDeepStrictEqual } from 'node:util';
import { maxTemplates } from '../../api/website-templates.ts';
import { notFound } from '../accounts/authorize.ts';
import type { Principal } from '../accounts/principal.ts';
import { AppError, invalid } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import { listGoals } from '../stats/question/goals.ts';
import type { Queries } from '../store/postgres.ts';
import { type Sql, sql, value } from '../store/sql.ts';
import { getWebsite } from '../websites/get-website.ts';
import { readSettings } from '../websites/settings.ts';
import { funnels } from './funnels.ts';
import { listAllItems } from './items.ts';
import { readPathGroups } from './path-groups.ts';
import { segments } from './segments.ts';
import {
	checkContent,
	contentFields,
	mapGoals,
	type SentContent,
	type TemplateContent,
} from './template-content.ts';
import { trafficRules } from './traffic-rules.ts';

export type WebsiteTemplate = {
	id: number;
	name: string;
	content: TemplateContent;
	createdAt: Date;
	updatedAt: Date;
};

const columns = sql`id, name, content, created_at AS "createdAt", updated_at AS "updatedAt"`;

type StoredTemplate = Omit<WebsiteTemplate, 'content'> & { content: unknown };

/** Checks the stored content again: it may come from a backup or another version. */
const toTemplate = ({ content, ...template }: StoredTemplate): WebsiteTemplate => ({
	...template,
	content: checkContent(contentFields.parse(content)),
});

export async function listTemplates(queries: Queries, accountId: number): Promise<WebsiteTemplate[]> {
	const rows = await queries.rows<StoredTemplate>(sql`
		SELECT ${columns} FROM website_templates WHERE account_id = ${value(accountId)} ORDER BY id DESC`);
	return rows.map(toTemplate);
}

type TemplateOf = { accountId: number; id: number };

export async function findTemplate(
	queries: Queries,
	{ accountId, id }: TemplateOf,
	lock: Sql = sql``,
): Promise<WebsiteTemplate | undefined> {
	const [row] = await queries.rows<StoredTemplate>(sql`
		SELECT ${columns} FROM website_templates
		WHERE id = ${value(id)} AND account_id = ${value(accountId)} ${lock}`);
	return row && toTemplate(row);
}

/** The template that a request names in `template_id`. */
export async function getNamedTemplate(queries: Queries, of: TemplateOf): Promise<WebsiteTemplate> {
	const template = await findTemplate(queries, of);
	if (!template) throw invalid({ template_id: ['The account has no template with this id.'] });
	return template;
}

type TemplateFields = { accountId: number; name: string; content: SentContent };

/** The caller has checked that the principal owns the account. */
export async function createTemplate(
	tx: Queries,
	now: Clock,
	{ accountId, name, content }: TemplateFields,
): Promise<WebsiteTemplate> {
	// The lock serializes creates, so that two at once cannot exceed the limit.
	await tx.run(sql`SELECT 1 FROM accounts WHERE id = ${value(accountId)} FOR NO KEY UPDATE`);
	await refuseTakenName(tx, { accountId, name, ownId: 0 });
	const [held] = await tx.rows<{ count: number }>(
		sql`SELECT count(*) AS count FROM website_templates WHERE account_id = ${value(accountId)}`,
	);
	if (held && held.count >= maxTemplates) {
		const message = `An account can have at most ${maxTemplates} templates. Delete one first.`;
		throw new AppError('limit_reached', message, { errors: { name: [message] } });
	}
	const created = now();
	const [row] = await tx.rows<StoredTemplate>(sql`
		INSERT INTO website_templates (account_id, name, content, created_at, updated_at)
		VALUES (${value(accountId)}, ${value(name)}, ${value(JSON.stringify(checkContent(content)))}, ${value(created)}, ${value(created)})
		RETURNING ${columns}`);
	if (!row) throw new Error('The new template was not stored.');
	return toTemplate(row);
}

/** Replaces the parts that were sent. */
export async function updateTemplate(
	tx: Queries,
	now: Clock,
	{ accountId, id }: TemplateOf,
	change: { name: string | undefined; content: SentContent },
): Promise<WebsiteTemplate> {
	await tx.run(sql`SELECT 1 FROM accounts WHERE id = ${value(accountId)} FOR NO KEY UPDATE`);
	const stored = await findTemplate(tx, { accountId, id }, sql`FOR NO KEY UPDATE`);
	if (!stored) throw notFound();
	const name = change.name ?? stored.name;
	const content = checkContent({ ...stored.content, ...change.content });
	if (name === stored.name && isDeepStrictEqual(content, stored.content)) return stored;
	await refuseTakenName(tx, { accountId, name, ownId: id });
	const updated = new Date(Math.max(now().getTime(), stored.updatedAt.getTime() + 1));
	const [row] = await tx.rows<StoredTemplate>(sql`
		UPDATE website_templates SET name = ${value(name)}, content = ${value(JSON.stringify(content))}, updated_at = ${value(updated)}
		WHERE id = ${value(id)} RETURNING ${columns}`);
	if (!row) throw notFound();
	return toTemplate(row);
}

export async function deleteTemplate(queries: Queries, { accountId, id }: TemplateOf): Promise<void> {
	const deleted = await queries.run(
		sql`DELETE FROM website_templates WHERE id = ${value(id)} AND account_id = ${value(accountId)}`,
	);
	if (deleted === 0) throw notFound();
}

async function refuseTakenName(
	tx: Queries,
	{ accountId, name, ownId }: { accountId: number; name: string; ownId: number },
): Promise<void> {
	const [other] = await tx.rows(sql`
		SELECT id FROM website_templates
		WHERE account_id = ${value(accountId)} AND name = ${value(name)} AND id <> ${value(ownId)}`);
	if (other) throw invalid({ name: [`The account already has a template "${name}".`] });
}

/** Everything that a template can have of a website. Only for those who may read its excluded addresses. */
export async function copyWebsite(tx: Queries, principal: Principal, id: number): Promise<SentContent> {
	const website = await getWebsite(tx, principal, 'website.addresses', id);
	const { honourSignals, labels, retentionMonths, isIndexable, embedOrigins } = await readSettings(tx, id);
	const ownGoals = await listGoals(tx, id);
	const nameOf = (goal: unknown) => ownGoals.find((own) => own.id === Number(goal))?.name;
	const { rules } = await readPathGroups(tx, id);
	const content = {
		website: {
			privacy: website.privacy,
			email: website.email ? 1 : 0,
			exclude_bots: website.excludeBots ? 1 : 0,
			exclude_params: website.excludeParams,
			exclude_ips: website.excludeIps,
			timezone: website.timezone,
		},
		settings: {
			honour_signals: honourSignals ? 1 : 0,
			labels,
			retention_months: retentionMonths,
			indexable: isIndexable ? 1 : 0,
			embed_origins: embedOrigins,
		},
		goals: ownGoals.map(({ name, kind, pattern, property }) => ({ name, kind, pattern, property })),
		funnels: (await listAllItems(tx, funnels, id)).map(({ name, steps }) => ({
			name,
			steps: steps.map((step) => ('goal' in step ? { goal: nameOf(step.goal) } : step)),
		})),
		segments: (await listAllItems(tx, segments, id)).map(({ name, filters }) => ({
			name,
			filters: mapGoals(filters, nameOf),
		})),
		path_groups: rules,
		traffic_rules: (await listAllItems(tx, trafficRules, id)).map(
			({ name, kind, test, values, enabled }) => ({
				name,
				kind,
				test,
				values,
				enabled,
			}),
		),
	};
	const read = contentFields.safeParse(content);
	if (read.success) return read.data;
	throw invalid({ from_website_id: read.error.issues.map(({ message }) => message) });
}

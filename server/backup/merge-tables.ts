/**
 * The PostgreSQL tables that a merge copies. Ids get new values, which are looked up in the `map_…` tables. A test checks that
 * every table is either in this list or known to be handled differently.
 */
import { identifier, join, type Sql, sql, value } from '../store/sql.ts';

type Mapped = 'website' | 'account' | 'goal' | 'import' | 'rule';

export type CopiedTable = {
	table: string;
	/** Columns with an id, and what it identifies. Rows with unmapped ids are not copied; `goal_id` may be null. */
	ids: Readonly<Record<string, Mapped>>;
	/** The column `id` gets new values. */
	hasOwnId?: true;
	/** Columns that are not copied as they are. */
	changed?: Readonly<Record<string, Sql>>;
	where?: Sql;
};

/** The hashes that lib/passwords.ts writes. Verifying one with other parameters could use any amount of memory. */
export const passwordHashPattern =
	'^\\$argon2id\\$v=19\\$m=19456,t=2,p=1\\$[A-Za-z0-9+/]{20,60}\\$[A-Za-z0-9+/]{40,60}$';

/** Of a row `i` of `people`: the password alone does not sign them in. */
export const hasSecondFactor = sql`(i.totp_secret IS NOT NULL OR i.passkey_second_factor)`;

const newGoal = (old: Sql): Sql => sql`(SELECT new FROM map_goals WHERE old = ${old})`;

/** An account that exists in both installations keeps how it presents itself. */
const ofNewAccount = sql`EXISTS (SELECT 1 FROM map_accounts m WHERE m.old = i.account_id AND m.is_new)`;

/** In the order of their foreign keys. merge-records.ts inserts accounts, members, API keys and recipients. */
export const copiedTables: readonly CopiedTable[] = [
	{
		table: 'websites',
		ids: { id: 'website', account_id: 'account' },
		changed: {
			password_hash: sql`CASE WHEN i.password_hash ~ ${value(passwordHashPattern)} THEN i.password_hash END`,
			privacy: sql`CASE WHEN i.privacy = 2 AND NOT coalesce(i.password_hash ~ ${value(passwordHashPattern)}, false) THEN 1 ELSE i.privacy END`,
		},
	},
	{
		table: 'sign_in_policies',
		ids: { account_id: 'account' },
		hasOwnId: true,
		// The owners of an account that is here already have decided.
		where: sql`of_account_id.is_new`,
	},
	{ table: 'website_zones', ids: { website_id: 'website' } },
	{ table: 'goals', ids: { id: 'goal', website_id: 'website' } },
	{
		table: 'funnels',
		ids: { website_id: 'website' },
		hasOwnId: true,
		changed: {
			steps: sql`(
				SELECT jsonb_agg(CASE WHEN step ? 'goal' THEN jsonb_build_object('goal', ${newGoal(sql`(step->>'goal')::bigint`)}) ELSE step END ORDER BY nth)
				FROM jsonb_array_elements(i.steps) WITH ORDINALITY AS s (step, nth))`,
		},
	},
	{ table: 'segments', ids: { website_id: 'website' }, hasOwnId: true },
	{ table: 'path_groups', ids: { website_id: 'website' } },
	{ table: 'notes', ids: { website_id: 'website' }, hasOwnId: true },
	{ table: 'days', ids: { website_id: 'website' } },
	{
		table: 'imports',
		ids: { id: 'import', website_id: 'website' },
		// The uploaded file and its account are not merged.
		changed: { account_id: sql`NULL::bigint`, upload: sql`NULL::text` },
	},
	{ table: 'imported_days', ids: { website_id: 'website', import_id: 'import' } },
	{ table: 'traffic_rules', ids: { id: 'rule', website_id: 'website' } },
	{ table: 'rule_drops', ids: { rule_id: 'rule' } },
	{
		table: 'deletions',
		ids: { website_id: 'website' },
		hasOwnId: true,
		// The rule is optional.
		changed: {
			rule_id: sql`(SELECT new FROM map_rules WHERE old = i.rule_id)`,
			selection: sql`CASE WHEN i.selection ? 'imports' THEN jsonb_set(i.selection, '{imports}', (
				SELECT coalesce(jsonb_agg(new ORDER BY new), '[]') FROM map_imports
				WHERE i.selection->'imports' @> to_jsonb(old))) ELSE i.selection END`,
			// Batches have other numbers here: an undo derives all days again.
			since_batch: sql`0::bigint`,
			until_batch: sql`NULL::bigint`,
		},
	},
	{ table: 'drops', ids: { website_id: 'website' } },
	{ table: 'foreign_hostnames', ids: { website_id: 'website' } },
	{
		table: 'reports',
		ids: { account_id: 'account', website_id: 'website' },
		hasOwnId: true,
		changed: {
			content: sql`jsonb_set(i.content, '{website,id}', to_jsonb(of_website_id.new))`,
			// The other installation sent the digest.
			awaits_digest: sql`false`,
		},
	},
	{
		table: 'alerts',
		ids: { website_id: 'website', goal_id: 'goal' },
		hasOwnId: true,
		where: sql`i.channel = 'mail'`,
	},
	{ table: 'brandings', ids: { account_id: 'account' }, where: ofNewAccount },
	{ table: 'brand_logos', ids: { account_id: 'account' }, where: ofNewAccount },
];

/** INSERT … SELECT from the staged table, with new ids in place of the old ones. */
export function copyTable(
	{ table, ids, hasOwnId, changed, where }: CopiedTable,
	columns: readonly string[],
): Sql {
	const copied = columns.filter((column) => !(hasOwnId && column === 'id'));
	const sourceOf = (column: string): Sql =>
		changed?.[column] ??
		(ids[column] === undefined ? sql`i.${identifier(column)}` : sql`${identifier(`of_${column}`)}.new`);
	const joins = Object.entries(ids).map(([column, kind]) => {
		const map = identifier(`map_${kind}s`);
		const alias = identifier(`of_${column}`);
		// The goal of an alert is optional.
		return column === 'goal_id'
			? sql`LEFT JOIN ${map} AS ${alias} ON ${alias}.old = i.${identifier(column)}`
			: sql`JOIN ${map} AS ${alias} ON ${alias}.old = i.${identifier(column)}`;
	});
	return sql`
		INSERT INTO ${identifier(table)} (${join(copied.map(identifier), ', ')}) OVERRIDING SYSTEM VALUE
		SELECT ${join(copied.map(sourceOf), ', ')} FROM ${identifier(`incoming_${table}`)} AS i
		${join(joins, ' ')} ${where ? sql`WHERE ${where}` : sql``}`;
}

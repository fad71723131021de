/**
 * What of another installation becomes part of this one, table by table. Ids are new here: a column that holds one is
 * looked up in a map of old and new. A table of PostgreSQL is in one of these two lists, or a test says that it is missing.
 */
import { join, type Sql, sql, value, word } from '../store/sql.ts';

type Mapped = 'website' | 'account' | 'goal' | 'import';

export type Carried = {
	table: string;
	/** Columns that hold an id, and of what. Rows whose id is in no map are left behind; a goal may be none. */
	ids: Readonly<Record<string, Mapped>>;
	/** Its own ids are given here. */
	hasOwnId?: true;
	/** Columns that are not taken as they are. */
	changed?: Readonly<Record<string, Sql>>;
	where?: Sql;
};

/** As lib/passwords.ts writes them: another one could take as much memory as it likes. */
export const ourHash = '^\\$argon2id\\$v=19\\$m=19456,t=2,p=1\\$[A-Za-z0-9+/]{20,60}\\$[A-Za-z0-9+/]{40,60}$';

const newGoal = (old: Sql): Sql => sql`(SELECT new FROM map_goals WHERE old = ${old})`;

/** In an order in which they can be filled. Accounts, members, keys and recipients are carried by hand, in merge.ts. */
export const carried: readonly Carried[] = [
	{
		table: 'websites',
		ids: { id: 'website', account_id: 'account' },
		changed: {
			password_hash: sql`CASE WHEN i.password_hash ~ ${value(ourHash)} THEN i.password_hash END`,
			privacy: sql`CASE WHEN i.privacy = 2 AND NOT coalesce(i.password_hash ~ ${value(ourHash)}, false) THEN 1 ELSE i.privacy END`,
		},
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
	{ table: 'notes', ids: { website_id: 'website' }, hasOwnId: true },
	{ table: 'days', ids: { website_id: 'website' } },
	{
		table: 'imports',
		ids: { id: 'import', website_id: 'website' },
		// Its file stays there, and so does who brought it.
		changed: { account_id: sql`NULL::bigint`, upload: sql`NULL::text` },
	},
	{ table: 'imported_days', ids: { website_id: 'website', import_id: 'import' } },
	{ table: 'drops', ids: { website_id: 'website' } },
	{ table: 'foreign_hostnames', ids: { website_id: 'website' } },
	{
		table: 'reports',
		ids: { account_id: 'account', website_id: 'website' },
		hasOwnId: true,
		changed: {
			content: sql`jsonb_set(i.content, '{website,id}', to_jsonb(of_website_id.new))`,
			// Its digest went out there.
			awaits_digest: sql`false`,
		},
	},
	{
		table: 'alerts',
		ids: { website_id: 'website', goal_id: 'goal' },
		hasOwnId: true,
		where: sql`i.channel = 'mail'`,
	},
];

/** Tables of PostgreSQL of which nothing is taken as it is, and why. */
export const leftBehind: Readonly<Record<string, string>> = {
	accounts: 'By hand: an address that has an account here keeps it.',
	members: 'By hand: a role on all websites of somebody is not given on those that they have here.',
	api_keys: 'By hand: those of accounts that are new here.',
	account_usage: 'By hand: added to what is here.',
	report_recipients: 'By hand: those who have said yes.',
	instance: 'Says whose archive it is.',
	merged_accounts: 'Says where they came from; looked at by hand.',
	merged_websites: 'Says where they came from; looked at by hand.',
	event_log: 'Its events are written by the merge itself.',
	tombstones: 'What was emptied there is left behind, so nothing is to be erased here.',
	batches: 'What is open is known by its events in the log.',
	recent_events: 'A tracker that repeats itself does so to the old installation.',
	dead_generations: 'Found anew here.',
	dead_letters: 'Of no use to another engine; they stay with the old installation.',
	log_positions: 'Of an event log that stays there.',
	log_gaps: 'Of an event log that stays there.',
	large_websites: 'Says how the cluster of that installation spreads them.',
	secret_fingerprint: 'This one has its own secret.',
	recovery_codes: 'Accounts with a second factor set their password anew here.',
	invitations: 'Links name the old address.',
	offers: 'Offers are between accounts of one installation.',
	feeds: 'Feeds have the old address.',
	asked_addresses: 'Hashed with the secret of the old installation.',
	mails: 'They went out there.',
	mail_counts: 'Counted there.',
	alert_deliveries: 'They were sent there.',
	watching: 'Says since when that installation ran.',
	public_address: 'This one has its own.',
	changes: 'Who changed what there is told there.',
};

/** INSERT … SELECT from what is staged, with every id that is new here in the place of the old one. */
export function carry(of: Carried, columns: readonly string[]): Sql {
	const taken = columns.filter((column) => !(of.hasOwnId && column === 'id'));
	const from = (column: string): Sql =>
		of.changed?.[column] ??
		(of.ids[column] === undefined ? sql`i.${word(column)}` : sql`${word(`of_${column}`)}.new`);
	const joins = Object.entries(of.ids).map(([column, what]) => {
		const map = word(`map_${what}s`);
		const alias = word(`of_${column}`);
		// An alert has a goal or none.
		return column === 'goal_id'
			? sql`LEFT JOIN ${map} AS ${alias} ON ${alias}.old = i.${word(column)}`
			: sql`JOIN ${map} AS ${alias} ON ${alias}.old = i.${word(column)}`;
	});
	return sql`
		INSERT INTO ${word(of.table)} (${join(taken.map(word), ', ')}) OVERRIDING SYSTEM VALUE
		SELECT ${join(taken.map(from), ', ')} FROM ${word(`incoming_${of.table}`)} AS i
		${join(joins, ' ')} ${of.where ? sql`WHERE ${of.where}` : sql``}`;
}

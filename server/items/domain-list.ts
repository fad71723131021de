/** Lists of domains, such as those of known referrer spam, as the values of one traffic rule. */
import { maxRuleValues } from '../../api/traffic-rules.ts';
import { notFound } from '../accounts/authorize.ts';
import { AppError } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import type { Postgres } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import { readDomain } from '../websites/domain.ts';
import { createItem, type Item, updateItem } from './items.ts';
import { type RuleFields, trafficRules } from './traffic-rules.ts';

const maxFaults = 5;
const maxNameLength = 100;

/** One domain per line. A line can be empty, and `#` begins a comment. Throws with the first lines that are not domains. */
export function readDomainList(text: string): string[] {
	const domains = new Set<string>();
	const faults: string[] = [];
	for (const [index, line] of text
		.replace(/^\uFEFF/, '')
		.split(/\r\n|[\r\n]/)
		.entries()) {
		const [entry = ''] = line.split('#', 1);
		if (entry.trim() === '') continue;
		const read = readDomain(entry);
		if ('domain' in read) domains.add(read.domain);
		else faults.push(`Line ${index + 1}: ${read.fault}`);
		if (faults.length === maxFaults) break;
	}
	if (faults.length > 0) throw new AppError('bad_request', `Nothing was imported.\n${faults.join('\n')}`);
	if (domains.size === 0) throw new AppError('bad_request', 'The file has no domains.');
	if (domains.size > maxRuleValues)
		throw new AppError(
			'bad_request',
			`The file has ${domains.size.toLocaleString('en')} domains. A rule can have at most ${maxRuleValues.toLocaleString('en')}.`,
		);
	return [...domains];
}

export type ImportedRule = { id: number; added: number; removed: number; isNew: boolean };

/** Creates a rule that drops hits from these referrers, or replaces the values of the one with this name. */
export async function importDomainRule(
	postgres: Postgres,
	now: Clock,
	sent: { websiteId: number; name: string; domains: readonly string[] },
): Promise<ImportedRule> {
	const { websiteId, domains } = sent;
	const name = sent.name.trim();
	if (name === '' || name.length > maxNameLength)
		throw new AppError('bad_request', `The name of a rule must have 1 to ${maxNameLength} characters.`);
	const [website] = await postgres.rows<{ accountId: number }>(
		sql`SELECT account_id AS "accountId" FROM websites WHERE id = ${value(websiteId)}`,
	);
	if (!website) throw notFound();
	const principal = { kind: 'account', accountId: website.accountId } as const;
	const context = { postgres, now, principal, websiteId };
	const [stored] = await postgres.rows<Pick<Item<RuleFields>, 'id' | 'kind' | 'test' | 'values'>>(sql`
		SELECT id, kind, test, entries AS values FROM traffic_rules
		WHERE website_id = ${value(websiteId)} AND name = ${value(name)}`);
	if (!stored) {
		const body = { name, kind: 'referrer', test: 'domain', values: domains };
		const { id } = await postgres.transaction((tx) =>
			createItem(tx, context, trafficRules, (schema) => schema.parse(body)),
		);
		return { id, added: domains.length, removed: 0, isNew: true };
	}
	if (stored.kind !== 'referrer' || stored.test !== 'domain')
		throw new AppError(
			'bad_request',
			`The website has a rule "${name}" that is not a list of domains. Choose another name with --name.`,
		);
	const { id } = await updateItem(context, trafficRules, stored.id, {
		parseBody: (schema) => schema.parse({ values: domains }),
		isExpected: () => true,
	});
	const [before, after] = [new Set(stored.values), new Set(domains)];
	return { id, added: after.difference(before).size, removed: before.difference(after).size, isNew: false };
}

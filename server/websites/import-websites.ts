import { AppError } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import type { Postgres } from '../store/postgres.ts';
import { newWebsiteFields, withoutEmpty } from './fields.ts';
import { createWebsite, hashNewPassword, missingPassword } from './websites.ts';

export type ImportedWebsite = { id: number; domain: string; created: boolean };

/**
 * Creates many websites with the rules of the API. It can be repeated: existing domains are skipped. All rows are validated
 * before the first website is created, so a list with errors changes nothing.
 */
export async function importWebsites(
	postgres: Postgres,
	now: Clock,
	accountId: number,
	rows: readonly Record<string, string>[],
	report: (progress: { done: number; total: number }) => void,
): Promise<ImportedWebsite[]> {
	const checked = rows.map((row) => newWebsiteFields.safeParse(withoutEmpty(row)));
	const errors: Record<string, string[]> = {};
	for (const [index, result] of checked.entries()) {
		const missing = Object.values(missingPassword(withoutEmpty(rows[index] ?? {}), undefined)).flat();
		const faults = [...(result.error?.issues ?? []).map((issue) => issue.message), ...missing];
		if (faults.length > 0) errors[`row ${index + 1}`] = faults;
	}
	if (Object.keys(errors).length > 0) {
		throw new AppError('validation_failed', 'Nothing was created, because the list has errors.', { errors });
	}
	const imported: ImportedWebsite[] = [];
	for (const result of checked) {
		if (!result.success) continue;
		const fields = { ...result.data, passwordHash: await hashNewPassword(accountId, result.data) };
		imported.push(await createOrFind(postgres, now, accountId, fields));
		report({ done: imported.length, total: rows.length });
	}
	return imported;
}

async function createOrFind(
	postgres: Postgres,
	now: Clock,
	accountId: number,
	fields: Parameters<typeof createWebsite>[3],
): Promise<ImportedWebsite> {
	const { domain } = fields.domain;
	try {
		const { id } = await postgres.transaction((tx) => createWebsite(tx, now, accountId, fields));
		return { id, domain, created: true };
	} catch (error) {
		const id =
			error instanceof AppError && error.code === 'domain_taken' ? error.members.website_id : undefined;
		if (typeof id !== 'number') throw error;
		return { id, domain, created: false };
	}
}

/** Files brought into a running service, and what it then says of them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ImportSource } from '../../server/import/importer.ts';
import { putUpload } from '../../server/import/uploads.ts';
import { param, sql } from '../../server/store/sql.ts';
import type { TestAccount, World } from './world.ts';

export type ImportedFile = { source: ImportSource; name: string; bytes: string | Buffer; zone?: string };

export const importing = (w: World, owner: TestAccount) => {
	let files = 0;
	const look = async (websiteId: number, { source, name, bytes, zone }: ImportedFile) => {
		const path = join(w.config.dataFolder, `file-${++files}`);
		writeFileSync(path, bytes);
		const upload = await putUpload(w.config.dataFolder, websiteId, path);
		return w.operate('import.preview', { websiteId, source, fileName: name, upload, zone });
	};
	return {
		look,
		async bring(websiteId: number, file: ImportedFile) {
			const { id } = await look(websiteId, file);
			return w.operate('import.run', { id });
		},
		undo: (id: number) => w.operate('import.undo', { id }),
		async ask(websiteId: number, query: string) {
			const { json } = await owner.api('GET', `/websites/${websiteId}/stats${query}`);
			// The tests that ask compare whole answers.
			return json as { data: never; meta: Record<string, unknown> } & Record<string, unknown>;
		},
		/** How many rows of it ClickHouse still has on its disk. */
		async left(websiteId: number): Promise<{ totals: number; events: number }> {
			const count = async (table: typeof totals) => {
				const [row] = await w.clickhouse.rows<{ n: string }>(
					sql`SELECT count() AS n FROM ${table} WHERE website_id = ${param('UInt32', websiteId)}`,
				);
				return Number(row?.n);
			};
			const totals = sql`totals_imported`;
			return { totals: await count(totals), events: await count(sql`events`) };
		},
	};
};

import { readFileSync } from 'node:fs';
import { engineCatalogFile } from '../lib/package.ts';
import { type Catalog, catalogQuery, readCatalog } from './rights.ts';

/** The functions of one engine version, as the build writes them. */
export type ListedCatalog = { version: string; rows: { kind: string; name: string }[] };

type Query = (sql: string) => Promise<string>;

/**
 * The list of the build, if it is of this engine version. Asking the engine for it takes 70 ms of each start and 25 MB, which
 * the engine keeps.
 */
export async function loadCatalog(query: Query): Promise<Catalog> {
	const built = readBuilt();
	const isCurrent = built?.version === (await engineVersion(query));
	return readCatalog((isCurrent ? built : await listCatalog(query)).rows);
}

export async function listCatalog(query: Query): Promise<ListedCatalog> {
	const lines = (await query(catalogQuery)).trimEnd().split('\n');
	const rows = lines.map((line) => {
		const [kind = '', name = ''] = line.split('\t');
		return { kind, name };
	});
	return { version: await engineVersion(query), rows };
}

const engineVersion = async (query: Query): Promise<string> => (await query('SELECT version()')).trim();

/** Undefined when the sources run. */
function readBuilt(): ListedCatalog | undefined {
	if (engineCatalogFile === undefined) return undefined;
	return JSON.parse(readFileSync(engineCatalogFile, 'utf8'));
}

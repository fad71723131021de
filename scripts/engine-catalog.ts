/** Writes the functions of the engine to a file. A process of its own, because the engine stays in memory. */
import { writeFileSync } from 'node:fs';
import { queryAsync } from 'chdb';
import { listCatalog } from '../server/engine/catalog.ts';

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('Usage: node scripts/engine-catalog.ts FILE');
const catalog = await listCatalog(async (sql) => (await queryAsync(sql, { format: 'TSVRaw' })).text());
writeFileSync(file, JSON.stringify(catalog));

/** A node of a cluster, as test/support/cluster.ts describes it: an engine ends with its process. */
import { join } from 'node:path';
import { Session } from 'chdb';
import { createHttpEndpoint } from '../../server/engine/http-endpoint.ts';
import { limits } from '../../server/engine/limits.ts';
import { createPool } from '../../server/engine/pool.ts';
import { catalogQuery, database, readCatalog, type User } from '../../server/engine/rights.ts';
import { openEngineWorker } from '../../server/engine/worker-thread.ts';
import type { NodeSetup } from './cluster.ts';

process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.once('message', async ({ folder, engineArguments, passwords }: NodeSetup) => {
	const of = { folder: join(folder, 'clickhouse'), engineArguments, useDatabase: database };
	const session = new Session(of.folder, { connectionArgs: engineArguments });
	const control = (statement: string) => session.query(statement, 'TSVRaw').toString();
	control(`CREATE DATABASE ${database}`);
	control(`USE ${database}`);
	const known = control(catalogQuery).trimEnd().split('\n');
	const catalog = readCatalog(
		known.map((line) => {
			const [kind = '', name = ''] = line.split('\t');
			return { kind, name };
		}),
	);
	const poolOf = (user: User) => createPool(() => openEngineWorker(of), limits[user]);
	const door = createHttpEndpoint({
		...{ passwords, catalog, folder, memoryMb: 700, log: () => undefined },
		pools: {
			...{ ingest: poolOf('ingest'), stats: poolOf('stats') },
			...{ migrate: poolOf('migrate'), export: poolOf('export') },
		},
		control: async (statement) => control(statement),
	});
	await door.listen(join(folder, 'engine.sock'));
	process.on('message', (statement: string) => {
		try {
			process.send?.({ answer: control(statement) });
		} catch (error) {
			process.send?.({ error: String(error) });
		}
	});
	process.send?.({ answer: 'ready' });
});

/** The service as `tidemark serve` runs it, with a clock that begins at a given moment and goes on from there. */
import { readConfig } from '../../server/config.ts';
import { createLog } from '../../server/lib/log.ts';
import { startService } from '../../server/main.ts';

const [, , clock = '', , , folder = '', , port = '0'] = process.argv;
const behindMs = Date.now() - Date.parse(clock);
const stopped = Promise.withResolvers<void>();
process.on('SIGTERM', () => stopped.resolve());

const service = await startService(
	readConfig({ ...process.env, TIDEMARK_DATA: folder, TIDEMARK_PORT: port }),
	{ log: createLog('info'), now: () => new Date(Date.now() - behindMs) },
);
process.stdout.write(`Tidemark is ready at ${service.baseUrl}\n`);
await stopped.promise;
await service.stop();

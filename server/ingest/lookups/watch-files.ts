import type { GeoFiles } from '../../geo/files.ts';
import type { Log } from '../../lib/log.ts';

/**
 * Uses a database that is installed, replaced or removed while the service runs within a minute, in each process by itself. `load` gets
 * the files, or undefined without any. `otherwise` is used if it cannot be found out at the start what is installed.
 */
export async function watchFiles<F extends GeoFiles | undefined, D>(
	find: () => Promise<F>,
	load: (files: F) => Promise<D>,
	{
		name,
		otherwise,
		log,
		checkMs,
	}: { name: string; otherwise: F; log: Pick<Log, 'info' | 'error'>; checkMs: number },
): Promise<{ current(): D; close(): void }> {
	let files = await find().catch((err: unknown) => {
		log.error({ err }, `could not look for a ${name}`);
		return otherwise;
	});
	let database = await load(files);
	const check = async () => {
		const found = await find();
		if (found?.paths.join() === files?.paths.join()) return;
		database = await load(found);
		files = found;
		log.info({ from: files?.from ?? 'none' }, `changed the ${name}`);
	};
	const timer = setInterval(
		() => void check().catch((err: unknown) => log.error({ err }, `could not look for a ${name}`)),
		checkMs,
	).unref();
	return { current: () => database, close: () => clearInterval(timer) };
}

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../lib/app-error.ts';
import type { Log } from '../../lib/log.ts';

/** The tracker script and its web vitals add-on. */
export function mountTracker(
	app: FastifyInstance,
	options: { path: string; folder: string; log: Pick<Log, 'error'> },
): void {
	let isReported = false;
	const vitalsPath = options.path.replace(/(\.js)?$/, '-vitals.js');
	for (const [path, file] of [
		[options.path, 'tm.js'],
		[vitalsPath, 'tm-vitals.js'],
	] as const) {
		const script = readScript(join(options.folder, file));
		app.get(path, async (request, reply) => {
			if (!script) {
				if (!isReported)
					options.log.error(
						{ folder: options.folder },
						'tracker is not built; run `npm run build` and restart',
					);
				isReported = true;
				// Only a checkout can be without it: the package has the tracker.
				throw new AppError(
					'unavailable',
					'The tracker is not built. Run `npm run build`, then restart the service.',
				);
			}
			reply.headers({
				'cache-control': 'public, max-age=86400',
				'cross-origin-resource-policy': 'cross-origin',
				'access-control-allow-origin': '*',
				etag: script.etag,
			});
			if (request.headers['if-none-match'] === script.etag) return reply.code(304).send();
			return reply.type('text/javascript; charset=utf-8').send(script.text);
		});
	}
}

function readScript(file: string): { text: string; etag: string } | undefined {
	try {
		const text = readFileSync(file, 'utf8');
		return { text, etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"` };
	} catch {
		return undefined;
	}
}

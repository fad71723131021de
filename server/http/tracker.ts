import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { notFound } from '../accounts/authorize.ts';

/** The tracker and its companion for web vitals: the same bytes for everybody, whatever they ask with. */
export function mountTracker(app: FastifyInstance, options: { path: string; folder: string }): void {
	const vitalsPath = options.path.replace(/(\.js)?$/, '-vitals.js');
	for (const [path, file] of [
		[options.path, 'tm.js'],
		[vitalsPath, 'tm-vitals.js'],
	] as const) {
		const script = readScript(join(options.folder, file));
		app.get(path, async (request, reply) => {
			if (!script) throw notFound();
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

/** Built by `npm run build`; a checkout that was not built has none, and says 404. */
function readScript(file: string): { text: string; etag: string } | undefined {
	try {
		const text = readFileSync(file, 'utf8');
		return { text, etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"` };
	} catch {
		return undefined;
	}
}

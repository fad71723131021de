import type { FastifyInstance } from 'fastify';
import { notFound } from '../../accounts/authorize.ts';
import type { Clock } from '../../lib/clock.ts';

const validDays = 180;
const dayMs = 86_400_000;

/** RFC 9116: where to report a security problem. The file exists only if the operator configures a contact. */
export function mountSecurityTxt(
	app: FastifyInstance,
	{ contact, baseUrl, now }: { contact: string | undefined; baseUrl(): string; now: Clock },
): void {
	const path = '/.well-known/security.txt';
	app.get(path, async (_request, reply) => {
		if (contact === undefined) throw notFound();
		const midnight = Math.floor(now().getTime() / dayMs) * dayMs;
		const expires = new Date(midnight + validDays * dayMs).toISOString().replace('.000', '');
		reply.header('cache-control', 'public, max-age=86400');
		return reply
			.type('text/plain; charset=utf-8')
			.send(`Contact: ${contact}\nExpires: ${expires}\nCanonical: ${new URL(path, baseUrl()).href}\n`);
	});
}

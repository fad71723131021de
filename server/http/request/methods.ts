import type { FastifyInstance, FastifyReply } from 'fastify';
import { AppError } from '../../lib/app-error.ts';
import { patternOf } from '../api/routes.ts';

/** The methods that any route of this service supports. All others are a 405 on every existing path. */
const ourMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

export const isUnsupportedMethod = (method: string): boolean => !ourMethods.has(method);

/** The methods of the path of a URL; undefined when no route matches. */
export type AllowedAt = (url: string) => string[] | undefined;

/** Collects the methods of every route that is mounted after this call. */
export function recordMethods(app: FastifyInstance): AllowedAt {
	// Fastify would parse the body of QUERY, and fail without a content type, before it looks for a route.
	app.addHttpMethod('QUERY', { hasBody: false, overrideExisting: true });
	const methodsByUrl = new Map<string, Set<string>>();
	app.addHook('onRoute', ({ url, method }) => {
		const methods = methodsByUrl.get(url) ?? new Set();
		for (const name of [method].flat()) methods.add(name);
		methodsByUrl.set(url, methods);
	});
	return (url) => {
		const [path = ''] = url.split('?', 1);
		const matching = [...methodsByUrl].filter(([pattern]) => patternOf(pattern).test(path));
		return matching.length === 0
			? undefined
			: [...new Set(matching.flatMap(([, methods]) => [...methods]))].toSorted();
	};
}

export function methodNotAllowed(reply: FastifyReply, allowed: readonly string[]): AppError {
	reply.header('allow', allowed.join(', '));
	return new AppError('method_not_allowed', `This path supports ${allowed.join(', ')}.`);
}

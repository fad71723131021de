import type { Route } from './call.ts';
import { accountRoutes } from './routes/account.ts';
import { definitionRoutes } from './routes/definitions.ts';
import { dropRoutes } from './routes/drops.ts';
import { eventRoutes } from './routes/events.ts';
import { exportRoutes } from './routes/export.ts';
import { funnelStatsRoutes } from './routes/funnel-stats.ts';
import { importRoutes } from './routes/imports.ts';
import { itemRoutes } from './routes/items.ts';
import { keyRoutes } from './routes/keys.ts';
import { liveRoutes } from './routes/live.ts';
import { overviewRoutes } from './routes/overview.ts';
import { settingsRoutes } from './routes/settings.ts';
import { statsRoutes } from './routes/stats.ts';
import { vitalsRoutes } from './routes/vitals.ts';
import { websiteRoutes } from './routes/websites.ts';

/** The list of routes: one for all principals, mounted for keys at `/api/v1` and for people at `/app/api`. */
export const routes: readonly Route[] = [
	...websiteRoutes,
	...settingsRoutes,
	...itemRoutes,
	...importRoutes,
	...eventRoutes,
	...exportRoutes,
	...statsRoutes,
	...funnelStatsRoutes,
	...vitalsRoutes,
	...overviewRoutes,
	...liveRoutes,
	...dropRoutes,
	...definitionRoutes,
	...accountRoutes,
	...keyRoutes,
];

/** The methods that a path below the mount answers to, or undefined when it is no path of ours. */
export function allowedMethods(path: string): string[] | undefined {
	const here = routes.filter((route) => patternOf(route.path).test(path));
	if (here.length === 0) return undefined;
	const methods = new Set<string>(here.flatMap((route) => route.methods));
	if (methods.has('GET')) methods.add('HEAD');
	return [...methods, 'OPTIONS'];
}

/** The route that the framework found for a request, by its pattern below the mount. */
export function findRoute(method: string, path: string): Route | undefined {
	const named: string = method === 'HEAD' ? 'GET' : method;
	return routes.find((route) => route.path === path && route.methods.some((one) => one === named));
}

/** The route that reads an address below the mount, and what stands in its places. */
export function findReading(path: string): { route: Route; params: Record<string, string> } | undefined {
	const route = routes.find((one) => one.methods.includes('GET') && patternOf(one.path).test(path));
	if (!route) return undefined;
	const given = path.split('/');
	const places = route.path
		.split('/')
		.flatMap((part, at): [string, string][] =>
			part.startsWith(':') ? [[part.slice(1), decodeURIComponent(given[at] ?? '')]] : [],
		);
	return { route, params: Object.fromEntries(places) };
}

const patterns = new Map<string, RegExp>();

function patternOf(path: string): RegExp {
	let pattern = patterns.get(path);
	if (!pattern) {
		pattern = new RegExp(`^${path.replace(/:[a-z_]+/g, '[^/]+')}/?$`);
		patterns.set(path, pattern);
	}
	return pattern;
}

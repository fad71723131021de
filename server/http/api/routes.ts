import type { ApiRoute } from './route.ts';
import { accountRoutes } from './routes/account.ts';
import { activityRoutes } from './routes/activity.ts';
import { boardRoutes } from './routes/boards.ts';
import { brandingRoutes } from './routes/branding.ts';
import { bulkRoutes } from './routes/bulk.ts';
import { changeRoutes } from './routes/changes.ts';
import { definitionRoutes } from './routes/definitions.ts';
import { deletionRoutes } from './routes/deletions.ts';
import { dropRoutes } from './routes/drops.ts';
import { eventRoutes } from './routes/events.ts';
import { exportRoutes } from './routes/export.ts';
import { funnelStatsRoutes } from './routes/funnel-stats.ts';
import { importRoutes } from './routes/imports.ts';
import { itemRoutes } from './routes/items.ts';
import { journeyRoutes } from './routes/journeys.ts';
import { keyRoutes } from './routes/keys.ts';
import { liveRoutes } from './routes/live.ts';
import { operatorRoutes } from './routes/operator.ts';
import { overviewRoutes } from './routes/overview.ts';
import { pathGroupRoutes } from './routes/path-groups.ts';
import { peopleRoutes } from './routes/people.ts';
import { reportRoutes } from './routes/reports.ts';
import { settingsRoutes } from './routes/settings.ts';
import { shareLinkRoutes } from './routes/share-links.ts';
import { statsRoutes } from './routes/stats.ts';
import { trafficRuleRoutes } from './routes/traffic-rules.ts';
import { transferRoutes } from './routes/transfers.ts';
import { vitalsRoutes } from './routes/vitals.ts';
import { webhookRoutes } from './routes/webhooks.ts';
import { templateRoutes } from './routes/website-templates.ts';
import { websiteRoutes } from './routes/websites.ts';

/** All routes of the API, mounted for API keys at `/api/v1` and for sessions at `/app/api`. */
export const routes: readonly ApiRoute[] = [
	...websiteRoutes,
	...bulkRoutes,
	...templateRoutes,
	...settingsRoutes,
	...itemRoutes,
	...trafficRuleRoutes,
	...shareLinkRoutes,
	...deletionRoutes,
	...pathGroupRoutes,
	...importRoutes,
	...eventRoutes,
	...exportRoutes,
	...statsRoutes,
	...changeRoutes,
	...funnelStatsRoutes,
	...journeyRoutes,
	...vitalsRoutes,
	...overviewRoutes,
	...liveRoutes,
	...dropRoutes,
	...definitionRoutes,
	...accountRoutes,
	...brandingRoutes,
	...activityRoutes,
	...keyRoutes,
	...peopleRoutes,
	...transferRoutes,
	...reportRoutes,
	...boardRoutes,
	...webhookRoutes,
	...operatorRoutes,
];

/** The methods of a path below the mount, or undefined when no route matches it. */
export function allowedMethods(path: string): string[] | undefined {
	const matching = routes.filter((route) => patternOf(route.path).test(path));
	if (matching.length === 0) return undefined;
	const methods = new Set<string>(matching.flatMap((route) => route.methods));
	if (methods.has('GET')) methods.add('HEAD');
	return [...methods, 'OPTIONS'];
}

/** The GET route for a path below the mount, with the values of its parameters. */
export function findReadRoute(path: string): { route: ApiRoute; params: Record<string, string> } | undefined {
	const route = routes.find(
		({ methods, path: pattern }) => methods[0] === 'GET' && patternOf(pattern).test(path),
	);
	if (!route) return undefined;
	const segments = path.split('/');
	const params = route.path
		.split('/')
		.flatMap((part, index): [string, string][] =>
			part.startsWith(':') ? [[part.slice(1), decodeURIComponent(segments[index] ?? '')]] : [],
		);
	return { route, params: Object.fromEntries(params) };
}

const patterns = new Map<string, RegExp>();

/** Matches the paths of a route in Fastify's notation. */
export function patternOf(path: string): RegExp {
	let pattern = patterns.get(path);
	if (!pattern) {
		const escaped = path.replace(/\/$/, '').replaceAll('.', '\\.').replaceAll('*', '.*');
		pattern = new RegExp(`^${escaped.replace(/:[a-z_]+/g, '[^/]+')}/?$`);
		patterns.set(path, pattern);
	}
	return pattern;
}

import { liveAnswer, liveFeedAnswer, liveQuery } from '../../../../api/live.ts';
import type { LiveSnapshot } from '../../../stats/live/live.ts';
import type { Watch } from '../../../stats/live/watch-live.ts';
import { readParameters } from '../../request/read-parameters.ts';
import { json, type WebsiteRoute } from '../route.ts';

const toAnswer = ({ asOf, stepMinutes, visitors, steps, pages, sources, countries }: LiveSnapshot) => ({
	data: {
		visitors,
		minutes: steps.map((step) => ({ ...step, time: step.time.toISOString() })),
		pages,
		sources,
		countries,
	},
	meta: { as_of: asOf.toISOString(), step_minutes: stepMinutes },
});

const snapshot: WebsiteRoute['handle'] = async (call, { live }) => {
	readParameters(call.query, liveQuery);
	return json(200, toAnswer(await live.snapshot(call.website.id, call)));
};

const feed: WebsiteRoute['handle'] = async (call, { live }) => {
	readParameters(call.query, liveQuery);
	const { asOf, events, currentPages, devices } = await live.feed(call.website.id, call.signal);
	return json(200, {
		data: {
			events: events.map(({ time, name, page, source }) => ({
				time: time.toISOString(),
				name,
				page,
				source,
			})),
			current_pages: currentPages,
			devices,
		},
		meta: { as_of: asOf.toISOString() },
	});
};

const stream: WebsiteRoute['handle'] = async (call, { live }) => {
	readParameters(call.query, liveQuery);
	const watch = live.watch(call.website.id, call.principal);
	return {
		status: 200,
		text: '',
		type: 'text/event-stream',
		// Proxies that buffer would delay the events.
		headers: { 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
		stream: { messages: messagesOf(watch), end: () => watch.end() },
	};
};

/** Keeps proxies from closing the connection as idle. */
const heartbeatMs = 15_000;

async function* messagesOf(watch: Watch): AsyncGenerator<string> {
	while (true) {
		const next = await watch.next(heartbeatMs);
		if (next === 'over') return;
		yield next === 'nothing' ? ': nothing new\n\n' : `data: ${JSON.stringify(toAnswer(next))}\n\n`;
	}
}

export const liveRoutes: readonly WebsiteRoute[] = [
	{
		methods: ['GET'],
		path: '/websites/:id/live',
		tag: 'statistics',
		action: 'stats.live',
		operationId: 'getLive',
		summary: 'Get current visitors',
		description:
			'Returns the visitors of the last 5 minutes with their pages and sources, and the last 30 minutes by minute.',
		query: liveQuery,
		response: { status: 200, schema: liveAnswer, description: 'The current visitors.' },
		errors: ['not_found', 'validation_failed', 'unavailable'],
		handle: snapshot,
	},
	{
		methods: ['GET'],
		path: '/websites/:id/live/feed',
		tag: 'statistics',
		action: 'stats.feed',
		operationId: 'getLiveFeed',
		summary: 'Get recent events',
		description:
			'Returns recent events without anything that identifies a visitor, and the current pages and devices of current visitors. Not available for shares.',
		query: liveQuery,
		response: {
			status: 200,
			schema: liveFeedAnswer,
			description: 'Recent events, current pages and devices.',
		},
		errors: ['not_found', 'validation_failed', 'unavailable'],
		handle: feed,
	},
	{
		methods: ['GET'],
		path: '/websites/:id/live/stream',
		tag: 'statistics',
		action: 'stats.live',
		operationId: 'streamLive',
		summary: 'Stream current visitors',
		description:
			'Streams current visitors as server-sent events: one message immediately, then one after each change, at most every 2 seconds. A comment every 15 seconds keeps the connection open.',
		query: liveQuery,
		response: {
			status: 200,
			schema: liveAnswer,
			description: 'A stream of events, each with the current visitors.',
			isStream: true,
		},
		errors: ['not_found', 'validation_failed'],
		handle: stream,
	},
];

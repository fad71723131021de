import { liveAnswer, liveQuery } from '../../../api/live.ts';
import type { LivePicture } from '../../stats/live.ts';
import type { Watch } from '../../stats/watch-live.ts';
import { getWebsite } from '../../websites/websites.ts';
import { type Answer, type Call, json, type Route, readId, type Services } from '../call.ts';
import { readParameters } from '../read-parameters.ts';

const toAnswer = ({ asOf, stepMinutes, visitors, steps, pages, sources, countries }: LivePicture) => ({
	data: {
		visitors,
		minutes: steps.map((step) => ({ ...step, time: step.time.toISOString() })),
		pages,
		sources,
		countries,
	},
	meta: { as_of: asOf.toISOString(), step_minutes: stepMinutes },
});

async function askedId(call: Call, { postgres }: Services): Promise<number> {
	const id = readId(call);
	await getWebsite(postgres, call.principal, 'stats.read', id);
	readParameters(call.query, liveQuery);
	return id;
}

async function look(call: Call, services: Services): Promise<Answer> {
	const id = await askedId(call, services);
	return json(200, toAnswer(await services.live.look(id, call)));
}

async function stream(call: Call, services: Services): Promise<Answer> {
	const watch = services.live.watch(await askedId(call, services), call.principal);
	return {
		status: 200,
		text: '',
		type: 'text/event-stream',
		// A proxy that gathers what it passes on would make it late.
		headers: { 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
		stream: { messages: messagesOf(watch), end: () => watch.end() },
	};
}

/** So often that nobody between us takes the connection for dead. */
const heartbeatMs = 15_000;

async function* messagesOf(watch: Watch): AsyncGenerator<string> {
	while (true) {
		const next = await watch.next(heartbeatMs);
		if (next === 'over') return;
		yield next === 'nothing' ? ': nothing new\n\n' : `data: ${JSON.stringify(toAnswer(next))}\n\n`;
	}
}

export const liveRoutes: readonly Route[] = [
	{
		methods: ['GET'],
		path: '/websites/:id/live',
		tag: 'statistics',
		action: 'stats.read',
		operationId: 'getLive',
		summary: 'Get who is there now',
		about: 'Visitors of the last 5 minutes and where they are; the last half hour by the minute.',
		query: liveQuery,
		answer: { status: 200, schema: liveAnswer, about: 'The picture of this moment.' },
		errors: ['not_found', 'validation_failed', 'unavailable'],
		handle: look,
	},
	{
		methods: ['GET'],
		path: '/websites/:id/live/stream',
		tag: 'statistics',
		action: 'stats.read',
		operationId: 'streamLive',
		summary: 'Watch who is there now',
		about:
			'The same as server-sent events: one message at once, then one whenever something has changed, at most every 2 seconds; a comment every 15 seconds when nothing has.',
		query: liveQuery,
		answer: {
			status: 200,
			schema: liveAnswer,
			about: 'Messages without end; the data of each is a picture.',
			isStream: true,
		},
		errors: ['not_found', 'validation_failed'],
		handle: stream,
	},
];

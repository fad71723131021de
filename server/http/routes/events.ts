import { randomBytes } from 'node:crypto';
import { one } from '../../../api/envelopes.ts';
import type { FieldErrors } from '../../../api/errors.ts';
import { acceptedEvents, serverEventsBody } from '../../../api/events.ts';
import { notFound } from '../../accounts/authorize.ts';
import { keep } from '../../collect/keep.ts';
import { parseServerEvent } from '../../collect/parse-server-event.ts';
import { invalid } from '../../lib/app-error.ts';
import { getWebsite } from '../../websites/websites.ts';
import { type Answer, type Call, json, type Route, readId, type Services } from '../call.ts';
import { readJsonBody } from '../read-body.ts';

const maxEvents = 1_000;

async function collectAnswer(call: Call, { postgres, collect, now }: Services): Promise<Answer> {
	const id = readId(call);
	await getWebsite(postgres, call.principal, 'website.collect', id);
	const website = await collect.websites.find(id);
	if (!website) throw notFound();
	const body = readJsonBody(call.body);
	const isMany = 'events' in body;
	const sent = isMany ? body.events : [body];
	if (!Array.isArray(sent) || sent.length === 0)
		throw invalid({ events: ['The events field must be a list with at least one event.'] });
	if (sent.length > maxEvents)
		throw invalid({ events: [`The events field must not have more than ${maxEvents} events.`] });
	const errors: FieldErrors = {};
	const hits = sent.map((event: unknown, index) => {
		const hit = parseServerEvent(event, {
			website,
			now: now(),
			makeId: () => String(randomBytes(8).readBigUInt64LE()),
		});
		if ('errors' in hit) {
			for (const [field, messages] of Object.entries(hit.errors))
				errors[isMany ? `events.${index}.${field}` : field] = messages;
			return undefined;
		}
		// With an id and a time of its own it may be a retry of days ago; anything else is told by the ids of minutes.
		const mayRepeat = typeof event === 'object' && event !== null && 'id' in event && 'time' in event;
		return { ...hit, mayRepeat };
	});
	if (Object.keys(errors).length > 0) throw invalid(errors);
	const reasons = await keep(
		hits.filter((hit) => hit !== undefined),
		collect,
	);
	const dropped = reasons.flatMap((reason, index) => (reason === undefined ? [] : [{ index, reason }]));
	return json(202, { data: { accepted: reasons.length - dropped.length, dropped } });
}

export const eventRoutes: readonly Route[] = [
	{
		methods: ['POST'],
		path: '/websites/:id/events',
		action: 'website.collect',
		operationId: 'sendEvents',
		summary: 'Send events from a server',
		about: 'One event, or up to 1,000. Answered when they are on disk. One faulty event and none is taken.',
		body: serverEventsBody,
		isBodyJson: true,
		answer: {
			status: 202,
			schema: one(acceptedEvents),
			about: 'The events are on disk; those that were left out are named.',
		},
		errors: [
			'bad_request',
			'forbidden',
			'not_found',
			'body_too_large',
			'unsupported_media_type',
			'validation_failed',
			'unavailable',
		],
		handle: collectAnswer,
	},
];

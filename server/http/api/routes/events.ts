import { randomBytes } from 'node:crypto';
import { singleRecord } from '../../../../api/envelopes.ts';
import type { FieldErrors } from '../../../../api/errors.ts';
import { acceptedEvents, serverEventsBody } from '../../../../api/events.ts';
import { notFound } from '../../../accounts/authorize.ts';
import { isRecord } from '../../../ingest/hit-fields.ts';
import { ingestHits } from '../../../ingest/ingest.ts';
import { parseServerEvent } from '../../../ingest/parse-server-event.ts';
import { invalid } from '../../../lib/app-error.ts';
import { readJsonBody } from '../../request/read-body.ts';
import { json, type WebsiteRoute } from '../route.ts';

const maxEvents = 1_000;

const sendEvents: WebsiteRoute['handle'] = async (call, { collect, now }) => {
	const website = await collect.websites.find(call.website.id);
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
		// An event with its own id may be a retry from days ago; the others can only repeat within minutes.
		return { ...hit, mayRepeat: isRecord(event) && typeof event.id === 'string' };
	});
	if (Object.keys(errors).length > 0) throw invalid(errors);
	const outcomes = await ingestHits(
		hits.filter((hit) => hit !== undefined),
		collect,
	);
	const dropped = outcomes.flatMap(({ reason }, index) => (reason === undefined ? [] : [{ index, reason }]));
	const late = outcomes.filter(({ isLate }) => isLate).length;
	return json(202, { data: { accepted: outcomes.length - dropped.length, late, dropped } });
};

export const eventRoutes: readonly WebsiteRoute[] = [
	{
		methods: ['POST'],
		path: '/websites/:id/events',
		action: 'website.collect',
		operationId: 'sendEvents',
		summary: 'Send events from a server',
		description:
			'Sends one event, or up to 1,000. The response means that they are on disk. If one event is invalid, none is accepted.',
		body: serverEventsBody,
		isBodyJson: true,
		response: {
			status: 202,
			schema: singleRecord(acceptedEvents),
			description: 'The events are on disk; dropped ones are listed.',
		},
		errors: [
			'bad_request',
			'not_found',
			'body_too_large',
			'unsupported_media_type',
			'validation_failed',
			'unavailable',
		],
		handle: sendEvents,
	},
];

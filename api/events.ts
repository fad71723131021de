import { z } from 'zod';

const text = (description: string) => z.string().optional().meta({ description });

/** An event that a server reports (one of up to 1,000). */
const serverEvent = z
	.object({
		name: text('Name of the event. Default: pageview.'),
		url: z.string().meta({ description: 'Address of the page.' }),
		referrer: text('Address of the page before it.'),
		title: text('Title of the page.'),
		ip: text("The visitor's address: it tells visitors apart for a day and the country, and is not stored."),
		user_agent: text("The visitor's user agent."),
		language: text('The value of Accept-Language.'),
		time: text('When it happened, ISO 8601 with an offset; at most 7 days ago. Default: now.'),
		id: text('Up to 16 hexadecimal digits, or any text of up to 64 characters. The same id counts once.'),
		properties: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
		revenue: z.object({ amount: z.union([z.number(), z.string()]), currency: z.string() }).optional(),
	})
	.meta({ id: 'ServerEvent' });

/** One event, or up to 1,000. */
export const serverEventsBody = z
	.object({
		...serverEvent.shape,
		url: serverEvent.shape.url.optional(),
		events: z.array(serverEvent).max(1_000).optional(),
	})
	.meta({ id: 'ServerEvents' });

export const acceptedEvents = z
	.object({
		accepted: z.int().nonnegative(),
		dropped: z.array(z.object({ index: z.int().nonnegative(), reason: z.string() })),
	})
	.meta({ id: 'AcceptedEvents' });

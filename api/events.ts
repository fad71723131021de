import { z } from 'zod';

const text = (description: string) => z.string().optional().meta({ description });

/** An event that a server reports (one of up to 1,000). */
const serverEvent = z
	.object({
		name: text('Name of the event. Default: pageview.'),
		url: z.string().meta({ description: 'URL of the page.' }),
		route: text(
			'Template of the path, such as /product/[id]: the page group of the event. Cleaned and cut like the path.',
		),
		referrer: text('URL of the previous page.'),
		title: text('Title of the page.'),
		ip: text(
			'IP address of the visitor, used for the visitor id of the day and the country. It is not stored.',
		),
		user_agent: text("The visitor's user agent."),
		language: text('The value of Accept-Language.'),
		time: text('Time of the event, ISO 8601 with an offset, at most 7 days ago. Default: now.'),
		id: text(
			'Your id of the event, 1 to 64 characters. The same id counts once per website for at least 7 days, with or without `time`.',
		),
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
		late: z.int().nonnegative().meta({
			description:
				'Number of accepted events that arrived more than two hours after their day had ended. They count on their day, each as a separate visitor.',
		}),
		dropped: z.array(z.object({ index: z.int().nonnegative(), reason: z.string() })),
	})
	.meta({ id: 'AcceptedEvents' });

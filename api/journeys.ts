import { z } from 'zod';
import { isStorable, readInteger, readSwitch } from './fields.ts';
import { statsAnswer, statsQuery } from './stats.ts';

const whole = (name: string, least: number, most: number) => {
	const error = `The ${name} parameter must be from ${least} to ${most}.`;
	return z.preprocess(readInteger, z.int({ error }).min(least, { error }).max(most, { error }));
};

const oneOf = <const V extends readonly string[]>(name: string, values: V) =>
	z.literal([...values], { error: `The ${name} parameter must be one of: ${values.join(', ')}.` });

/** The parameters of `GET /websites/{id}/journeys`. */
export const journeysQuery = statsQuery
	.pick({
		period: true,
		from: true,
		to: true,
		week_start: true,
		compare: true,
		compare_from: true,
		compare_to: true,
		match_weekdays: true,
		segment: true,
		filters: true,
	})
	.extend({
		start: z
			.string({ error: 'The start parameter must be a string.' })
			.refine(isStorable, 'The start parameter contains characters that are not allowed.')
			.default('page:/')
			.meta({
				description:
					'The anchor: `page:/pricing`, `page_group:/product/:id`, `event:Signup`, or `goal:12` with the id of a goal. A visit starts at its first event that meets it.',
			}),
		direction: oneOf('direction', ['after', 'before']).default('after').meta({
			description: 'The steps after the anchor, or the steps before it, the nearest first.',
		}),
		steps: whole('steps', 1, 5).default(3).meta({ description: 'Number of steps, 1 to 5.' }),
		folded: z
			.preprocess(readSwitch, z.literal([0, 1], { error: 'The folded parameter must be 0 or 1.' }))
			.default(1)
			.meta({ description: '1 counts equal nodes that follow each other as one step, such as reloads.' }),
		nodes: oneOf('nodes', ['pages', 'all']).default('pages').meta({
			description: '`pages`: only page views are steps. `all`: custom events too.',
		}),
		grouped: z
			.preprocess(readSwitch, z.literal([0, 1], { error: 'The grouped parameter must be 0 or 1.' }))
			.default(0)
			.meta({ description: '1: steps are page groups instead of pages.' }),
		limit: whole('limit', 1, 20).default(8).meta({
			description: 'Nodes of each step that are listed separately, 1 to 20. All others are one node.',
		}),
		paths: whole('paths', 1, 100).default(10).meta({ description: 'Number of whole paths, 1 to 100.' }),
	});

const visits = z.int().nonnegative();
const counts = {
	visits,
	share: z.number().min(0).max(1).nullable().meta({
		description: 'The share of the visits with the anchor. Null if there are none.',
	}),
	compared_visits: visits.nullable().meta({
		description: 'The visits of the comparison. Null without one, or if it is no longer available.',
	}),
	change: z.int().nullable().meta({ description: '`visits` minus `compared_visits`.' }),
};

const node = z
	.object({
		kind: z.enum(['page', 'page_group', 'event', 'other', 'exit', 'entry']).meta({
			description:
				'`exit`: the visit ends here; `entry`, with `direction=before`: it begins here. `other`: all nodes of the step that are not listed separately.',
		}),
		value: z
			.string()
			.nullable()
			.meta({ description: 'The page, the page group, or the name of the event. Null for the other kinds.' }),
	})
	.meta({ id: 'JourneyNode' });

const step = z
	.object({
		step: z.int().positive().meta({ description: 'From 1.' }),
		nodes: z.array(z.object({ ...node.shape, ...counts })).meta({
			description: 'By visits, with `other` and the exit last.',
		}),
		ended: z.object(counts).meta({
			description:
				'Visits that ended at an earlier step. Together with the nodes they are all visits with the anchor.',
		}),
		links: z
			.array(
				z.object({
					from: node.nullable().meta({ description: 'A node of the previous step. Null for the anchor.' }),
					to: node,
					...counts,
				}),
			)
			.meta({ description: 'How visits reached the nodes of this step.' }),
	})
	.meta({ id: 'JourneyStep' });

/** What `GET /websites/{id}/journeys` answers. */
export const journeysAnswer = z.object({
	data: z.object({
		start: z.object({
			kind: z.enum(['page', 'page_group', 'event', 'goal']),
			value: z
				.string()
				.meta({ description: 'The page, the page group, the name of the event, or the id of the goal.' }),
			name: z.string().optional().meta({ description: 'The name of the goal.' }),
		}),
		direction: z.enum(['after', 'before']),
		visits: visits.nullable().meta({
			description: 'Visits with the anchor. Null before `available_from`.',
		}),
		compared_visits: counts.compared_visits,
		change: counts.change,
		steps: z.array(step).nullable().meta({ description: 'Null before `available_from`.' }),
		paths: z
			.array(z.object({ nodes: z.array(node), ...counts }))
			.nullable()
			.meta({
				description:
					'The most frequent whole paths. One with fewer steps ends with `exit` or `entry`. Null before `available_from`.',
			}),
	}),
	meta: statsAnswer.shape.meta.omit({ interval: true }).extend({
		compared: z.object({ from: z.iso.date(), to: z.iso.date() }).optional().meta({
			description: 'The dates of the comparison.',
		}),
	}),
});

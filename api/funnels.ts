import { z } from 'zod';
import { deleted, pageParameters } from './envelopes.ts';
import { readInteger, readJson, shortText } from './fields.ts';
import { isPagePattern, pattern } from './goals.ts';

export const minSteps = 2;
export const maxSteps = 8;

const page = pattern('page').refine(isPagePattern);

/** Whether a step can be this page. */
export const isFunnelPage = (text: string): boolean => page.safeParse(text).success;

// A step that is wrong is told by its number. So its parts say no more than that they are: they give up at the first fault.
const goalStep = z.strictObject({ goal: z.preprocess(readInteger, z.int().positive({ abort: true })) });
const pageStep = z.strictObject({
	page: z
		.string()
		.refine(isFunnelPage, { abort: true })
		.overwrite((text) => page.parse(text)),
});

const steps = z
	.preprocess(
		readJson,
		z
			.array(
				z.union([goalStep, pageStep], {
					error: ({ path }) =>
						`Step ${Number(path?.[1]) + 1} must be {"goal": ID} or {"page": "/path"}; a path begins with / or *, has 1 to 500 characters and at most five *.`,
				}),
				{ error: `The steps field must be a list of ${minSteps} to ${maxSteps} steps.` },
			)
			.min(minSteps, { error: `The steps field must have at least ${minSteps} steps.` })
			.max(maxSteps, { error: `The steps field must not have more than ${maxSteps} steps.` }),
	)
	.meta({
		description:
			'The steps in order: `{"goal": ID}` for a goal of the website, `{"page": "/path*"}` for a page view. In a form: as JSON text.',
	});

/** What create takes. */
export const createFunnelBody = z
	.object({
		name: shortText('name', 100).meta({
			description: 'Unique within the website, case-sensitive.',
			examples: ['Checkout'],
		}),
		steps,
	})
	.meta({ id: 'NewFunnel' });

/** What update takes. What is left out stays as it is. */
export const updateFunnelBody = createFunnelBody.partial().meta({ id: 'FunnelChange' });

export const listFunnelsQuery = z.object(pageParameters);

export const funnelRecord = z
	.object({
		id: z.int().positive(),
		name: z.string(),
		steps: z.array(z.union([z.object({ goal: z.int().positive() }), z.object({ page: z.string() })])),
		created_at: z.iso.datetime({ precision: 3 }),
		updated_at: z.iso.datetime({ precision: 3 }),
	})
	.meta({ id: 'Funnel' });

export const deletedFunnel = deleted('funnel', 'DeletedFunnel');

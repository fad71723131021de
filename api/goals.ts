import { z } from 'zod';
import { deleted, pageParameters } from './envelopes.ts';
import { readJson, shortText } from './fields.ts';

const maxWildcards = 5;

/** Paths and names are stored composed, so a pattern is too. */
export const pattern = (name: string) =>
	shortText(name, 500)
		.normalize('NFC')
		.refine(
			(value) => value.split('*').length <= maxWildcards + 1,
			`The ${name} field must not have more than ${maxWildcards} wildcards (*).`,
		);

/** As filters compare numbers. */
const isNumber = (text: string): boolean => /^-?[0-9]{1,21}([.][0-9]{1,25})?$/.test(text);

/** What a page is looked for by: a path begins with a slash. */
export const isPagePattern = (value: string): boolean => /^[/*]/.test(value);

/** How a property is compared with the value, as in filters. `is` is the default, and not returned. */
const numberTests = ['greater_than', 'at_least', 'less_than', 'at_most'] as const;
const propertyTests = ['contains', 'starts_with', 'ends_with', 'wildcard', ...numberTests] as const;

const property = z
	.preprocess(
		(input) => (input === '' ? null : readJson(input)),
		z
			.object(
				{
					name: shortText('property.name', 100).normalize('NFC'),
					value: z.preprocess(
						(input) => (typeof input === 'number' || typeof input === 'boolean' ? String(input) : input),
						shortText('property.value', 500).normalize('NFC'),
					),
					test: z
						.literal(['is', ...propertyTests], {
							error: `The property.test field must be one of: is, ${propertyTests.join(', ')}.`,
						})
						.optional(),
				},
				{ error: 'The property field must be null or an object with name and value.' },
			)
			.refine(({ test, value }) => !numberTests.some((name) => name === test) || isNumber(value), {
				error: 'The property.value field must be a number such as 10 or -19.99.',
			})
			.refine(({ test, value }) => test !== 'wildcard' || value.split('*').length <= maxWildcards + 1, {
				error: `The property.value field must not have more than ${maxWildcards} wildcards (*).`,
			})
			.transform(({ test, ...rest }) => ({ ...rest, ...(test && test !== 'is' && { test }) }))
			.nullable(),
	)
	.meta({
		description:
			'The event must also have this property, and its value must pass `test`: by default, it is this value. Null: any event. In a form: as JSON text.',
	});

/** What create takes. */
export const createGoalBody = z
	.object({
		name: shortText('name', 100).meta({
			description: 'Unique within the website, case-sensitive.',
			examples: ['Newsletter'],
		}),
		kind: z
			.literal(['page', 'event'], { error: 'The kind field must be page or event.' })
			.meta({ description: '`page`: a page view. `event`: a custom event.' }),
		pattern: pattern('pattern').meta({
			description:
				'The path of the page or the name of the event. `*` matches any characters and can occur up to five times. A path begins with `/` or `*`.',
			examples: ['/thanks*'],
		}),
		property: property.optional(),
	})
	.meta({ id: 'NewGoal' });

/** What update takes. What is left out stays as it is. */
export const updateGoalBody = createGoalBody.partial().meta({ id: 'GoalChange' });

export const listGoalsQuery = z.object(pageParameters);

export const goalRecord = z
	.object({
		id: z.int().positive(),
		name: z.string(),
		kind: z.literal(['page', 'event']),
		pattern: z.string(),
		property: z
			.object({ name: z.string(), value: z.string(), test: z.literal([...propertyTests]).optional() })
			.nullable(),
		created_at: z.iso.datetime({ precision: 3 }),
		updated_at: z.iso.datetime({ precision: 3 }),
	})
	.meta({ id: 'Goal' });

export const deletedGoal = deleted('goal', 'DeletedGoal');

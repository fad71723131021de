import { z } from 'zod';
import { pageParameters } from './envelopes.ts';
import { inOrder, readInteger, readJson } from './fields.ts';
import { ruleTests, ruleValues } from './traffic-rules.ts';

/** Values that events store. */
export const deletionFields = [
	'path',
	'query',
	'title',
	'hostname',
	'referrer',
	'campaign',
	'country',
	'event',
	'property',
] as const;
export type DeletionField = (typeof deletionFields)[number];

const textTests = ['is', 'contains', 'starts_with', 'ends_with', 'wildcard'] as const;
const hostTests = ['is', 'domain', 'contains', 'starts_with', 'ends_with', 'wildcard'] as const;

/** The tests of each field; the first is the default, as for traffic rules. */
export const testsOfField: Readonly<Record<DeletionField, readonly (typeof ruleTests)[number][]>> = {
	path: textTests,
	query: textTests,
	title: textTests,
	hostname: hostTests,
	referrer: ['domain', ...textTests],
	campaign: textTests,
	country: ['is'],
	event: textTests,
	property: textTests,
};

const maxConditions = 10;
const maxKeepDays = 90;
export const defaultKeepDays = 30;

const condition = z
	.object({
		field: z.literal(deletionFields, {
			error: `The field of a condition must be one of: ${deletionFields.join(', ')}.`,
		}),
		property: z.string().max(300).optional().meta({
			description: 'The name of the property, for the field `property`.',
		}),
		test: z
			.literal(ruleTests, { error: `The test of a condition must be one of: ${ruleTests.join(', ')}.` })
			.optional()
			.meta({ description: 'As for traffic rules. Default: `domain` for `referrer`, otherwise `is`.' }),
		values: ruleValues,
	})
	.meta({ id: 'DeletionCondition' });

const date = (name: string) =>
	z.iso.date({ error: `The ${name} field must be a date such as 2026-01-31.` }).optional();

const selected = {
	rule_id: z
		.preprocess(
			readInteger,
			z.int({ error: 'The rule_id field must be the id of a traffic rule.' }).positive(),
		)
		.optional()
		.meta({
			description: 'Selects what this traffic rule would have excluded. Instead of `conditions`.',
		}),
	conditions: z
		.preprocess(
			readJson,
			z
				.array(condition, { error: 'The conditions field must be a list of conditions.' })
				.min(1, 'The conditions field must have at least one condition.')
				.max(maxConditions, `The conditions field must not have more than ${maxConditions} conditions.`),
		)
		.optional()
		.meta({ description: 'Selects events that meet all of these conditions.' }),
	from: date('from').meta({ description: 'The first day. Default: the first day with events.' }),
	to: date('to').meta({ description: 'The last day. Default: today.' }),
	keep_days: z
		.preprocess(
			readInteger,
			z
				.int({ error: `The keep_days field must be a whole number from 0 to ${maxKeepDays}.` })
				.min(0, `The keep_days field must be a whole number from 0 to ${maxKeepDays}.`)
				.max(maxKeepDays, `The keep_days field must be a whole number from 0 to ${maxKeepDays}.`),
		)
		.optional()
		.meta({
			description: `For how many days the deletion can be undone. 0 deletes the events from disk as soon as possible. Default: ${defaultKeepDays}.`,
		}),
};

const hasOneSelection = (body: { rule_id?: unknown; conditions?: unknown }): boolean =>
	(body.rule_id === undefined) !== (body.conditions === undefined);
const selectionFault = {
	path: ['conditions'],
	error: 'Send either the conditions field or the rule_id field.',
};
const orderFault = inOrder('The to field must not be before the from field.');

/** What the preview takes. */
export const previewDeletionBody = z
	.object(selected)
	.refine(hasOneSelection, selectionFault)
	.refine(({ from = '', to = '9' }) => from <= to, orderFault)
	.meta({ id: 'DeletionPreviewRequest' });

/** What create takes. */
export const createDeletionBody = z
	.object(selected)
	.refine(hasOneSelection, selectionFault)
	.refine(({ from = '', to = '9' }) => from <= to, orderFault)
	.meta({ id: 'NewDeletion' });

export const listDeletionsQuery = z.object(pageParameters);

const count = z.int().nonnegative();
const instant = z.iso.datetime({ precision: 3 });

const earlierValuesText =
	'Values that are removed from breakdowns of totals without events: those before `totals_before`, and imported ones. Totals themselves do not change. 0 for a traffic rule, several conditions, or a condition on `query` or `property`.';

const alreadyHiddenText =
	'Selected events that other deletions hide already. They count again only when all of them are undone, and are deleted from disk with the first.';

const storedCondition = z.object({
	field: z.literal(deletionFields),
	property: z.string().nullable(),
	test: z.literal(ruleTests),
	values: z.array(z.string()),
});

export const deletionRecord = z
	.object({
		id: z.int().positive(),
		object: z.literal('deletion'),
		name: z.string().nullable().meta({ description: 'The name of the traffic rule at the time, if any.' }),
		rule_id: z.int().positive().nullable().meta({
			description: 'The traffic rule, if there was one and it still exists.',
		}),
		conditions: z.array(storedCondition).meta({
			description:
				'`values` is empty once the events of a deletion by conditions are deleted from disk or it is undone, because the values may be personal data.',
		}),
		state: z.literal(['hidden', 'deleting', 'deleted', 'undone']).meta({
			description:
				'`hidden`: not counted, and can be undone. `deleting`: being deleted from disk. `deleted`: gone. `undone`: counted again.',
		}),
		from: z.iso.date().nullable().meta({ description: 'The first day with selected events.' }),
		to: z.iso.date().nullable().meta({ description: 'The last one.' }),
		days: count.meta({ description: 'Days with selected events, also with those that were already hidden.' }),
		events: count.meta({
			description: 'Events of all kinds that it has hidden, also engagement and web vitals.',
		}),
		pageviews: count,
		already_hidden: count.meta({ description: alreadyHiddenText }),
		earlier_values: count.meta({ description: earlierValuesText }),
		totals_before: z.iso.date().nullable().meta({
			description:
				'Totals of days before this date do not change, because their events were deleted by data retention.',
		}),
		delete_at: instant.meta({ description: 'When the events are deleted from disk, at the earliest.' }),
		created_at: instant,
		ended_at: instant.nullable().meta({ description: 'When it was undone or the events were deleted.' }),
	})
	.meta({ id: 'Deletion' });

export const deletionPreview = z.object({
	events: count,
	pageviews: count,
	custom_events: count,
	already_hidden: count.meta({ description: alreadyHiddenText }),
	days: count.meta({ description: 'Days with events that are not hidden yet.' }),
	earlier_values: count.meta({ description: earlierValuesText }),
	referrers: count.meta({
		description:
			'Other events whose referrer is a page of the website with a path that the conditions on `path` select. They are not deleted: use a condition on `referrer`. 0 for a traffic rule.',
	}),
	from: z.iso.date().nullable().meta({ description: 'The first of these days.' }),
	to: z.iso.date().nullable().meta({ description: 'The last one.' }),
	totals_before: z.iso.date().nullable(),
	delete_at: instant.meta({
		description: 'When the events would be deleted from disk. Until then, the deletion can be undone.',
	}),
	kept_elsewhere: z
		.object({
			reports: count.meta({
				description:
					'Stored reports about these days. With `earlier_values` about all days from `from` to `to` of the request.',
			}),
			dead_letters: count.meta({ description: 'Events of the website that could not be written.' }),
			backups: z.array(z.object({ made_at: instant, expires_at: instant })).meta({
				description:
					'Backups that Tidemark made before an upgrade. Tidemark does not know about backups and exports that you made yourself.',
			}),
		})
		.meta({ description: 'What may contain the same values and is not changed until it expires.' }),
});

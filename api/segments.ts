import { z } from 'zod';
import { deleted, pageParameters } from './envelopes.ts';
import { readJson, sentFilter, shortText } from './fields.ts';

const filters = z
	.preprocess(
		readJson,
		z.array(z.unknown(), { error: 'The filters field must be a filter such as ["is", "country", ["DE"]].' }),
	)
	.meta({
		...sentFilter,
		description:
			'A filter: a condition such as `["is", "country", ["DE", "AT"]]`, or conditions combined with `["and", …]`, `["or", …]` and `["not", …]`. In a form: as JSON text.',
		examples: [['is', 'country', ['DE']]],
	});

/** What create takes. */
export const createSegmentBody = z
	.object({
		name: shortText('name', 100).meta({
			description: 'Unique within the website, case-sensitive.',
			examples: ['Germany'],
		}),
		filters,
	})
	.meta({ id: 'NewSegment' });

/** What update takes. What is left out stays as it is. */
export const updateSegmentBody = createSegmentBody.partial().meta({ id: 'SegmentChange' });

export const listSegmentsQuery = z.object(pageParameters);

export const segmentRecord = z
	.object({
		id: z.int().positive(),
		name: z.string(),
		filters: z
			.array(z.unknown())
			.meta({ ...sentFilter, description: 'In normalized form: values are a list of texts.' }),
		created_at: z.iso.datetime({ precision: 3 }),
		updated_at: z.iso.datetime({ precision: 3 }),
	})
	.meta({ id: 'Segment' });

export const deletedSegment = deleted('segment', 'DeletedSegment');

import { z } from 'zod';
import { deleted, pageParameters } from './envelopes.ts';
import { readJson, shortText } from './fields.ts';

const filters = z
	.preprocess(
		readJson,
		z.array(z.unknown(), { error: 'The filters field must be a filter such as ["is", "country", ["DE"]].' }),
	)
	.meta({
		description:
			'A filter as statistics take it: a test such as `["is", "country", ["DE", "AT"]]`, or `["and", …]`, `["or", …]`, `["not", …]` around others. In a form: as JSON text.',
		examples: [['is', 'country', ['DE']]],
	});

/** What create takes. */
export const createSegmentBody = z
	.object({
		name: shortText('name', 100).meta({
			description: 'Unique within the website; letter case counts.',
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
		filters: z.array(z.unknown()).meta({ description: 'In one spelling: values are a list of texts.' }),
		created_at: z.iso.datetime({ precision: 3 }),
		updated_at: z.iso.datetime({ precision: 3 }),
	})
	.meta({ id: 'Segment' });

export const deletedSegment = deleted('segment', 'DeletedSegment');

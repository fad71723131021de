import { z } from 'zod';
import { deleted } from './envelopes.ts';

export const feedRecord = z.object({ created_at: z.iso.datetime({ precision: 3 }) }).meta({ id: 'Feed' });

export const shownFeed = feedRecord
	.extend({ url: z.string().meta({ description: 'Shown only in this response.' }) })
	.meta({ id: 'ShownFeed' });

export const deletedFeed = deleted('feed', 'DeletedFeed');

export type FeedRecord = z.output<typeof feedRecord>;
export type ShownFeed = z.output<typeof shownFeed>;

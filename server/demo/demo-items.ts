import { funnels } from '../items/funnels.ts';
import { goals } from '../items/goals.ts';
import { type Collection, createItem, type ItemContext, type ItemFields } from '../items/items.ts';
import { notes } from '../items/notes.ts';
import { segments } from '../items/segments.ts';
import type { Queries } from '../store/postgres.ts';
import { landmarks } from './pages.ts';
import { storyDates } from './story.ts';

/**
 * Goals, a funnel, segments and notes that fit the events of the demo. `madeOn` is the local date on which the website was created.
 * Notes may be older than the first event: a later run can add earlier days.
 */
export async function createDemoItems(tx: Queries, context: ItemContext, madeOn: string): Promise<void> {
	const create = <F extends ItemFields>(collection: Collection<F>, body: unknown) =>
		createItem(tx, context, collection, (schema) => schema.parse(body));
	const signup = await create(goals, { name: 'Signup', kind: 'event', pattern: 'signup' });
	const purchase = await create(goals, { name: 'Purchase', kind: 'event', pattern: 'purchase' });
	await create(goals, { name: 'Download', kind: 'event', pattern: 'download' });
	await create(goals, { name: 'Pricing viewed', kind: 'page', pattern: landmarks.pricing });
	await create(funnels, {
		name: 'From pricing to purchase',
		steps: [
			{ page: landmarks.pricing },
			{ page: landmarks.signup },
			{ goal: signup.id },
			{ goal: purchase.id },
		],
	});
	await create(segments, { name: 'Phones', filters: ['is', 'device', ['mobile']] });
	await create(segments, { name: 'Organic search', filters: ['is', 'channel', ['Organic Search']] });
	for (const { date, text } of storyDates(madeOn)) await create(notes, { date, text });
}

import type { z } from 'zod';
import type { pageParameters } from '../../api/envelopes.ts';
import { type Answer, type Call, json } from './call.ts';
import { readForm, wanted } from './read-body.ts';
import { validate } from './validate.ts';

/** A page of a list, with links to its neighbours that keep what the caller asked for. An empty parameter counts as not sent. */
export async function answerList<Q extends z.ZodObject<typeof pageParameters>>(
	call: Call,
	path: string,
	schema: Q,
	find: (query: z.output<Q>) => Promise<{ records: readonly unknown[]; total: number }>,
): Promise<Answer> {
	const sent = readForm(call.query, wanted(schema));
	const given = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== ''));
	const query = validate(schema, given);
	const { records, total } = await find(query);
	const lastPage = Math.max(1, Math.ceil(total / query.per_page));
	const address = call.mountedAt + path;
	const filters = Object.keys(schema.shape).filter((name) => name !== 'page' && name in given);
	const link = (page: number) => {
		const parameters = new URLSearchParams();
		for (const name of filters) parameters.set(name, String(given[name]));
		parameters.set('page', String(page));
		return `${address}?${parameters}`;
	};
	const first = (query.page - 1) * query.per_page + 1;
	return json(200, {
		data: records,
		links: {
			first: link(1),
			last: link(lastPage),
			prev: query.page > 1 ? link(Math.min(query.page - 1, lastPage)) : null,
			next: query.page < lastPage ? link(query.page + 1) : null,
		},
		meta: {
			current_page: query.page,
			from: records.length > 0 ? first : null,
			last_page: lastPage,
			path: address,
			per_page: query.per_page,
			to: records.length > 0 ? first + records.length - 1 : null,
			total,
		},
	});
}

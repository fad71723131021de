import type { z } from 'zod';
import type { pageParameters } from '../../api/envelopes.ts';
import { type Answer, type Call, json } from './call.ts';
import { type Fields, readForm, wanted } from './read-body.ts';
import { validate } from './validate.ts';

/** A page of a list, with links to its neighbours that keep what the caller asked for. An empty parameter counts as not sent. */
export async function answerList<Q extends z.ZodObject<typeof pageParameters>>(
	call: Call,
	path: string,
	schema: Q,
	find: (query: z.output<Q>) => Promise<{ records: readonly unknown[]; total: number }>,
): Promise<Answer> {
	const given = givenIn(call.query, schema);
	const query = validate(schema, given);
	const { records, total } = await find(query);
	const { page, per_page: perPage } = query;
	return json(200, {
		data: records,
		...pageOf({ address: call.mountedAt + path, given, page, perPage, count: records.length, total }),
	});
}

/** The parameters of a schema that were sent, in its order. */
export function givenIn(query: string, schema: z.ZodObject): Fields {
	const sent = readForm(query, wanted(schema));
	const names = Object.keys(schema.shape).filter((name) => name in sent && sent[name] !== '');
	return Object.fromEntries(names.map((name) => [name, sent[name]]));
}

/** What stands around a page of a list. `count` is how many are on it, of `total`. */
export function pageOf(of: {
	address: string;
	given: Fields;
	page: number;
	perPage: number;
	count: number;
	total: number;
}) {
	const { address, given, page, perPage, count, total } = of;
	const lastPage = Math.max(1, Math.ceil(total / perPage));
	const link = (to: number) => {
		const parameters = new URLSearchParams();
		for (const [name, value] of Object.entries(given)) parameters.set(name, String(value));
		// At the end, also where a page was given.
		parameters.delete('page');
		parameters.set('page', String(to));
		return `${address}?${parameters}`;
	};
	const first = (page - 1) * perPage + 1;
	return {
		links: {
			first: link(1),
			last: link(lastPage),
			prev: page > 1 ? link(Math.min(page - 1, lastPage)) : null,
			next: page < lastPage ? link(page + 1) : null,
		},
		meta: {
			current_page: page,
			from: count > 0 ? first : null,
			last_page: lastPage,
			path: address,
			per_page: perPage,
			to: count > 0 ? first + count - 1 : null,
			total,
		},
	};
}

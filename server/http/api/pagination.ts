import type { z } from 'zod';
import type { pageParameters } from '../../../api/envelopes.ts';
import { type Fields, readQuery } from '../request/read-body.ts';
import { validate } from '../request/validate.ts';
import { type ApiRequest, type ApiResponse, json } from './route.ts';

/** A page of a list, with links to the other pages that keep the sent parameters. Empty parameters count as not sent. */
export async function paginate<Q extends z.ZodObject<typeof pageParameters>>(
	call: Pick<ApiRequest, 'query' | 'mountedAt'>,
	path: string,
	schema: Q,
	find: (query: z.output<Q>) => Promise<{ records: readonly unknown[]; total: number }>,
): Promise<ApiResponse> {
	const sent = sentParameters(call.query, schema);
	const query = validate(schema, sent);
	const { records, total } = await find(query);
	const { page, per_page: perPage } = query;
	return json(200, {
		data: records,
		...paginationOf({ url: call.mountedAt + path, sent, page, perPage, count: records.length, total }),
	});
}

/** The parameters of a schema that were sent, in its order. */
export function sentParameters(query: string, schema: z.ZodObject): Fields {
	const fields = readQuery(query, schema);
	const names = Object.keys(schema.shape).filter((name) => name in fields && fields[name] !== '');
	return Object.fromEntries(names.map((name) => [name, fields[name]]));
}

/** The `links` and `meta` of a page with `count` of `total` records. */
export function paginationOf(options: {
	url: string;
	sent: Fields;
	page: number;
	perPage: number;
	count: number;
	total: number;
}) {
	const { url, sent, page, perPage, count, total } = options;
	const lastPage = Math.max(1, Math.ceil(total / perPage));
	const link = (to: number) => {
		const parameters = new URLSearchParams();
		for (const [name, value] of Object.entries(sent))
			for (const item of [value].flat()) parameters.append(name, String(item));
		// `page` always comes last.
		parameters.delete('page');
		parameters.set('page', String(to));
		return `${url}?${parameters}`;
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
			path: url,
			per_page: perPage,
			to: count > 0 ? first + count - 1 : null,
			total,
		},
	};
}

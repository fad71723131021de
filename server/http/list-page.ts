/** The links and numbers around one page of a list. Links keep what the caller asked for. */
export function listPage(of: {
	path: string;
	/** As it came. */
	query: string;
	page: number;
	perPage: number;
	/** How many are on this page, and how many there are. */
	count: number;
	total: number;
}) {
	const { path, query, page, perPage, count, total } = of;
	const kept = new URLSearchParams();
	for (const [name, value] of new URLSearchParams(query)) {
		if (name === 'page' || value === '') continue;
		if (name.includes('[')) kept.append(name, value);
		else kept.set(name, value);
	}
	const link = (to: number) => {
		const parameters = new URLSearchParams(kept);
		parameters.set('page', String(to));
		return `${path}?${parameters}`;
	};
	const lastPage = Math.max(1, Math.ceil(total / perPage));
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
			path,
			per_page: perPage,
			to: count > 0 ? first + count - 1 : null,
			total,
		},
	};
}

/**
 * Whoever opens a page with #tidemark-ignore is never counted on this website again, until #tidemark-count.
 * The flag is the only thing this script ever writes, and it is asked for again before every hit, because
 * another tab may have set it.
 */
export const isIgnored = () => {
	const { hash } = location;
	try {
		if (hash === '#tidemark-ignore') localStorage.tidemark = 1;
		if (hash === '#tidemark-count') delete localStorage.tidemark;
		return localStorage.tidemark;
	} catch {
		// No storage, no flag.
	}
};

/**
 * Opening a page with #tidemark-ignore excludes this browser from the statistics of the website, until #tidemark-count. The flag is the
 * only thing this script stores. It is read before every hit, because another tab may have set it.
 */
export const isIgnored = () => {
	const { hash } = location;
	try {
		if (hash === '#tidemark-ignore') localStorage.tidemark = 1;
		if (hash === '#tidemark-count') delete localStorage.tidemark;
		return localStorage.tidemark;
	} catch {
		// Storage is not available.
	}
};

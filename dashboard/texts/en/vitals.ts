/** Of the panel of web vitals, which comes late: the first load has no room for its words. */
export const vitals = {
	title: 'Web vitals',
	text: 'Three of four page views were as good as these figures, or better.',
	names: { lcp: 'Largest paint', inp: 'Slowest answer', cls: 'Layout shift' },
	definitions: {
		lcp: 'LCP: how long it took until the largest part of the page was painted. Good up to {{good}}, poor above {{poor}}.',
		inp: 'INP: how long the page took to answer the slowest press or key. Good up to {{good}}, poor above {{poor}}.',
		cls: 'CLS: how much the page moved about by itself. Good up to {{good}}, poor above {{poor}}.',
	},
	ratings: { good: 'Good', needs_improvement: 'Needs improvement', poor: 'Poor' },
	rating: 'Rating',
	p75: '75th percentile',
	samples: 'Page views',
	caption: 'Web vitals: the 75th percentile, and how the page views are spread',
	pages: '{{name}} by page',
	refused:
		'Web vitals belong to single page views. They can be filtered by page, hostname, country, device, browser and operating system; take the other filters away to see them.',
	from: 'Earlier measurements were deleted; these begin on {{date}}.',
} as const;

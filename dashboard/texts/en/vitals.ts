export const vitals = {
	title: 'Web Vitals',
	text: '75% of page views were at least as good as these values.',
	names: {
		lcp: 'Largest Contentful Paint',
		inp: 'Interaction to Next Paint',
		cls: 'Cumulative Layout Shift',
	},
	definitions: {
		lcp: 'LCP: time until the largest element of the page is rendered. Good up to {{good}}, poor above {{poor}}.',
		inp: 'INP: time the page takes to respond to the slowest interaction. Good up to {{good}}, poor above {{poor}}.',
		cls: 'CLS: how much the layout shifts unexpectedly. Good up to {{good}}, poor above {{poor}}.',
	},
	ratings: {
		good: 'Good',
		needs_improvement: 'Needs improvement',
		poor: 'Poor',
	},
	rating: 'Rating',
	p75: '75th percentile',
	samples: 'Page views',
	caption: 'Web Vitals: 75th percentile and distribution of page views',
	pages: '{{name}} by page',
	refused:
		'Web Vitals can only be filtered by page, hostname, country, device, browser and operating system. Remove other filters to see them.',
	from: 'Earlier measurements were deleted. Data starts on {{date}}.',
} as const;

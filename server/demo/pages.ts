/** The pages of the demo: the website of a small company with an app for walks on the shore. */
export type Page = {
	path: string;
	title: string;
	section: 'home' | 'product' | 'blog' | 'docs' | 'company' | 'gone';
	/** How often visits from search engines and links begin here. */
	entry: { search: number; link: number };
	/** How often visitors continue to this page from another. */
	next: number;
	/** The share of views that end the visit. */
	leave: number;
	/** Median reading time. */
	seconds: number;
	/** Median largest contentful paint. Pages with large images are slow. */
	paintMs: number;
};

const page = (
	path: string,
	title: string,
	section: Page['section'],
	[search, link, next, leave, seconds, paintMs]: [number, number, number, number, number, number],
): Page => ({ path, title, section, entry: { search, link }, next, leave, seconds, paintMs });

export const pages: readonly Page[] = [
	//                                                                     search link next leave seconds paint
	page('/', 'Wrack Line: walk the shore at the right hour', 'home', [90, 300, 100, 0.42, 22, 1_450]),
	page('/features', 'Features', 'product', [14, 12, 70, 0.35, 35, 1_300]),
	page('/features/tides', 'Tides for 9,000 harbours', 'product', [30, 8, 30, 0.4, 40, 1_700]),
	page('/features/maps', 'Maps that work without a network', 'product', [16, 5, 24, 0.4, 38, 2_300]),
	page('/features/finds', 'Name what you found', 'product', [12, 6, 18, 0.4, 36, 2_100]),
	page('/pricing', 'Pricing', 'product', [10, 14, 90, 0.38, 45, 1_050]),
	page('/download', 'Download', 'product', [20, 16, 60, 0.5, 18, 1_000]),
	page('/signup', 'Create an account', 'product', [2, 4, 52, 0.45, 40, 900]),
	page('/signup/welcome', 'Welcome', 'product', [0, 0, 0, 0.55, 25, 950]),
	page('/blog', 'Blog', 'blog', [6, 14, 40, 0.4, 20, 1_250]),
	page('/blog/reading-a-tide-table', 'How to read a tide table', 'blog', [120, 20, 26, 0.66, 150, 1_500]),
	page('/blog/spring-and-neap', 'Spring tides, neap tides', 'blog', [85, 10, 22, 0.68, 130, 1_450]),
	page('/blog/amber-after-a-storm', 'Amber after a storm', 'blog', [60, 26, 24, 0.64, 110, 2_200]),
	page('/blog/wadden-sea-on-foot', 'The Wadden Sea on foot', 'blog', [52, 22, 20, 0.66, 170, 2_600]),
	page('/blog/fossils-for-beginners', 'Fossils for beginners', 'blog', [44, 18, 18, 0.66, 120, 2_000]),
	page('/blog/we-deleted-our-backend', 'We deleted our backend', 'blog', [6, 14, 12, 0.72, 210, 1_200]),
	page('/blog/shells-of-the-north-sea', 'Shells of the North Sea', 'blog', [40, 12, 15, 0.66, 100, 2_500]),
	page('/blog/dogs-on-the-beach', 'Dogs on the beach: where and when', 'blog', [33, 9, 10, 0.7, 75, 1_800]),
	page('/blog/photographing-low-light', 'Photographing in low light', 'blog', [18, 8, 9, 0.68, 115, 2_900]),
	page('/docs', 'Help', 'docs', [8, 3, 26, 0.35, 18, 900]),
	page('/docs/getting-started', 'Getting started', 'docs', [12, 2, 22, 0.4, 80, 950]),
	page('/docs/offline-maps', 'Offline maps', 'docs', [14, 1, 14, 0.5, 70, 1_000]),
	page('/docs/import-gpx', 'Import GPX tracks', 'docs', [17, 2, 9, 0.55, 65, 950]),
	page('/docs/api', 'API', 'docs', [9, 3, 8, 0.5, 90, 900]),
	page('/changelog', 'What is new', 'company', [3, 6, 12, 0.5, 45, 950]),
	page('/about', 'About us', 'company', [8, 5, 14, 0.5, 35, 1_300]),
	page('/press', 'Press', 'company', [2, 4, 4, 0.6, 30, 1_500]),
	page('/jobs', 'Jobs', 'company', [9, 5, 7, 0.6, 55, 1_050]),
	page('/contact', 'Contact', 'company', [6, 3, 16, 0.55, 40, 900]),
	page('/legal/imprint', 'Imprint', 'company', [2, 1, 4, 0.7, 12, 850]),
	page('/legal/privacy', 'Privacy', 'company', [1, 1, 6, 0.6, 25, 850]),
	page('/blog/tide-tables-2019', 'Page not found', 'gone', [9, 3, 0, 0.75, 6, 800]),
	page('/app/android', 'Page not found', 'gone', [2, 4, 1, 0.6, 6, 800]),
];

/** Pages that the story refers to. */
export const landmarks = {
	frontPage: '/blog/we-deleted-our-backend',
	campaign: '/features/tides',
	newsletter: '/blog/amber-after-a-storm',
	pricing: '/pricing',
	signup: '/signup',
	welcome: '/signup/welcome',
	download: '/download',
	contact: '/contact',
} as const;

export function pageAt(path: string): Page {
	const match = pages.find((page) => page.path === path);
	if (!match) throw new Error(`The demo has no page ${path}.`);
	return match;
}

/** Targets of links, for the event `outbound`. */
export const outboundLinks = [
	'https://tidesandcurrents.noaa.gov/',
	'https://www.bsh.de/DE/DATEN/Wasserstand_Nordsee/wasserstand_nordsee_node.html',
	'https://www.openstreetmap.org/',
	'https://www.waddensea-worldheritage.org/',
	'https://github.com/',
] as const;

/** Files, for the event `download`. */
export const files = [
	'wrack-line.dmg',
	'wrack-line.exe',
	'wrack-line.apk',
	'tide-calendar.pdf',
	'press-kit.zip',
] as const;

/** Query strings of some page views. */
export const queries = [
	'harbour=cuxhaven',
	'harbour=den-helder',
	'harbour=esbjerg',
	'harbour=seattle',
	'harbour=boston&units=feet',
	'lang=de',
	'plan=yearly',
] as const;

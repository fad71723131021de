import type { Report } from './report.ts';

export const reportForTerminal = (
	{ website, from, to, totals, pages }: Report,
	_how: { locale: string; width: number; isColored: boolean },
): string =>
	[
		`${website.name}, ${from} – ${to}`,
		`${totals.visitors.now} visitors, ${totals.pageviews.now} page views`,
		...pages.map(({ value, visitors }) => `${visitors}\t${value}`),
	].join('\n');

import type { Report } from './report.ts';

export function reportMail(
	reports: readonly Report[],
	{ baseUrl }: { locale: string; baseUrl: string; unsubscribeUrl: string },
): { subject: string; text: string; html?: string; headers?: Record<string, string> } {
	const [first] = reports;
	const lines = reports.map(
		({ website, from, to, totals }) =>
			`${website.name}, ${from} – ${to}: ${totals.visitors.now} visitors\n${baseUrl}/websites/${website.id}\n`,
	);
	return {
		subject: `${first?.website.name}: ${first?.kind} ${first?.from}`,
		text: lines.join('\n'),
	};
}

export const reportForTerminal = (
	{ website, from, to, totals, pages }: Report,
	_how: { locale: string; width: number; isColored: boolean },
): string =>
	[
		`${website.name}, ${from} – ${to}`,
		`${totals.visitors.now} visitors, ${totals.pageviews.now} page views`,
		...pages.map(({ value, visitors }) => `${visitors}\t${value}`),
	].join('\n');

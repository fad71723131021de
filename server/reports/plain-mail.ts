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

import type { Report } from '../../report.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { it } from './it.ts';
import { ja } from './ja.ts';
import { pl } from './pl.ts';
import { pt } from './pt.ts';
import { zh } from './zh.ts';

type Kind = Report['kind'];
/** What a number is compared with: the previous week or month, or a year ago. */
export type Against = Kind | 'year';

/** Texts of reports. Arguments are already formatted; `count` only selects the plural form. */
export type ReportTexts = {
	metrics: Record<keyof Report['totals'] | 'revenue', string>;
	/** `1,204 visitors` */
	visitors(count: number, shown: string): string;
	/** `month`: `October 2026`, localized. */
	subject: {
		week(values: { name: string; visitors: string; change: string }): string;
		month(values: { name: string; visitors: string; change: string; month: string }): string;
	};
	/** Replaces the name in the subject of a digest. */
	websites(count: number, shown: string): string;
	title: Record<Kind, string>;
	before: Record<Against, string>;
	change: {
		more(by: string, against: Against): string;
		fewer(by: string, against: Against): string;
		same(against: Against): string;
		points(count: number, shown: string): string;
		/** Follows a change: `previously 1,075`. */
		before(before: string): string;
		unchanged: string;
		new: string;
	};
	chart: {
		title: string;
		legend: Record<Kind, { now: string; before: string }>;
		summary(values: { most: string; mostVisitors: string; least: string; leastVisitors: string }): string;
	};
	lists: { pages: string; sources: string; countries: string; goals: string; changed: string };
	columns: { website: string; conversions: string; rate: string };
	changed: {
		page(values: { value: string; visitors: string; before: string }): string;
		source(values: { value: string; visitors: string; before: string }): string;
		newPage(values: { value: string; visitors: string }): string;
		newSource(values: { value: string; visitors: string }): string;
		goal(values: { value: string; count: string; before: string }): string;
	};
	values: { direct: string; unknown: string };
	nobody: Record<Kind, string>;
	provisional: string;
	open: Record<Kind, string>;
	openAll: string;
	/** Websites that a digest omits. */
	others(count: number, shown: string): string;
	why: Record<Kind, (values: { name: string }) => string>;
	whyDigest: Record<Kind, string>;
	unsubscribe: string;
	foot: { zone(zone: string): string; visitor: string };
	poweredBy: string;
	feed: { title(name: string): string };
};

const languages = { en, de, fr, es, zh, ja, pl, pt, it } satisfies Record<string, ReportTexts>;
export type ReportLanguage = keyof typeof languages;
export const reportLanguages = Object.keys(languages);

const isLanguage = (name: string): name is ReportLanguage => Object.hasOwn(languages, name);

/** `de-AT` gets `de`; unsupported languages get English. */
export function findTexts(locale: string): { language: ReportLanguage; texts: ReportTexts } {
	const name = locale.toLowerCase().split(/[-_]/)[0] ?? '';
	const language = isLanguage(name) ? name : 'en';
	return { language, texts: languages[language] };
}

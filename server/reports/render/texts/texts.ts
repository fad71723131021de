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
/** What a number is compared with: the week or month before, or the same time a year ago. */
export type Against = Kind | 'year';

/** What reports say. All arguments are texts as they are shown; `count` only chooses the form of a plural. */
export type ReportTexts = {
	metrics: Record<keyof Report['totals'], string>;
	/** `1,204 visitors` */
	visitors(count: number, shown: string): string;
	/** `month`: `October 2026`, in words of the language. */
	subject: {
		week(of: { name: string; visitors: string; change: string }): string;
		month(of: { name: string; visitors: string; change: string; month: string }): string;
	};
	/** In place of a name, in the subject of a digest. */
	websites(count: number, shown: string): string;
	title: Record<Kind, string>;
	before: Record<Against, string>;
	change: {
		more(by: string, against: Against): string;
		fewer(by: string, against: Against): string;
		same(against: Against): string;
		points(count: number, shown: string): string;
		/** The meaning of a change, behind its sign: `better than 1,075`. */
		better(before: string): string;
		worse(before: string): string;
		unchanged: string;
		new: string;
	};
	chart: {
		title: string;
		legend: Record<Kind, { now: string; before: string }>;
		summary(of: { most: string; mostVisitors: string; least: string; leastVisitors: string }): string;
	};
	lists: { pages: string; sources: string; countries: string; goals: string; risen: string };
	columns: { website: string; conversions: string; rate: string };
	risen: {
		page(of: { value: string; visitors: string; before: string }): string;
		source(of: { value: string; visitors: string; before: string }): string;
		newPage(of: { value: string; visitors: string }): string;
		newSource(of: { value: string; visitors: string }): string;
	};
	values: { direct: string; unknown: string };
	nobody: Record<Kind, string>;
	provisional: string;
	open: Record<Kind, string>;
	openAll: string;
	/** Websites of a digest that are not shown. */
	others(count: number, shown: string): string;
	why: Record<Kind, (of: { name: string }) => string>;
	whyDigest: Record<Kind, string>;
	unsubscribe: string;
	foot: { zone(zone: string): string; visitor: string };
	feed: { title(name: string): string };
};

const languages = { en, de, fr, es, zh, ja, pl, pt, it } satisfies Record<string, ReportTexts>;
export type ReportLanguage = keyof typeof languages;
export const reportLanguages = Object.keys(languages);

const isLanguage = (name: string): name is ReportLanguage => Object.hasOwn(languages, name);

/** `de-AT` is content with `de`, and what we do not speak with English, as the pages are. */
export function findTexts(locale: string): { language: ReportLanguage; texts: ReportTexts } {
	const name = locale.toLowerCase().split(/[-_]/)[0] ?? '';
	const language = isLanguage(name) ? name : 'en';
	return { language, texts: languages[language] };
}

import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { type Filter, splitTest } from '../../presentation/filter-chips.ts';
import { formatCountry, formatLanguage, formatWeekday } from '../../presentation/format.ts';
import type { en } from '../texts/en/en.ts';
import { useRegionNames } from './names/use-region-names.ts';

type Words = (typeof en)['statistics'];

/** Texts of missing values. */
const wordsForNothing: Record<string, 'direct' | 'unknown'> = {
	source: 'direct',
	referrer: 'direct',
	country: 'unknown',
	region: 'unknown',
	city: 'unknown',
	browser: 'unknown',
	os: 'unknown',
	device: 'unknown',
	language: 'unknown',
};

/** Whether a value stands for visits that have none, as most have no UTM parameters. */
export const isNotSet = (dimension: string, value: string): boolean =>
	value === '' && wordsForNothing[dimension] === undefined;

export type Names = {
	/** Name of a dimension: `Entry page`, `Property plan`. */
	dimension(name: string): string;
	/** Display name of a value: `DE` is Germany. */
	value(dimension: string, value: string): string;
	/** Display name of a row: a city has its country. */
	row(dimension: string, row: NamedRow): string;
	filter(filter: Filter): string;
	/** The parts of that sentence: `Page contains`, `/blog or /news`, `(ignoring case)`. */
	filterParts(filter: Filter): { test: string; values: string; note: string };
};

/** Names of dimensions and values in the current language. Goals use the given names. */
export function useNames(goals: ReadonlyMap<string, string> = noGoals): Names {
	const { t, i18n } = useTranslation();
	const { language } = i18n;
	const regionName = useRegionNames();
	return useMemo(() => {
		const dimension = (name: string) => {
			const property = /^property:(.*)$/s.exec(name)?.[1];
			if (property !== undefined) return t('statistics.dimensions.propertyOf', { name: property });
			const [isRevenue, currency] = /^revenue(?::(.*))?$/.exec(name) ?? [];
			if (isRevenue)
				return [t('statistics.metrics.revenue.label'), ...(currency ? [`(${currency})`] : [])].join(' ');
			// Unknown dimensions keep their own name.
			return t(`statistics.dimensions.${name as keyof Words['dimensions']}`, { defaultValue: name });
		};
		const value = (dimensionName: string, text: string) => {
			if (text === '') return t(`statistics.values.${wordsForNothing[dimensionName] ?? 'notSet'}`);
			switch (dimensionName) {
				case 'country':
					return formatCountry(text, language);
				case 'region':
					return regionName(text, language);
				case 'language':
					return formatLanguage(text, language);
				case 'weekday':
					return formatWeekday(Number(text), language);
				case 'hour':
					return `${text.padStart(2, '0')}:00`;
				case 'goal':
					return goals.get(text) ?? text;
				case 'event':
					return t(`statistics.values.events.${text as keyof Words['values']['events']}`, {
						defaultValue: text,
					});
				case 'channel':
					return t(`statistics.values.channels.${text as keyof Words['values']['channels']}`, {
						defaultValue: text,
					});
				case 'device':
					return t(`statistics.values.devices.${text as keyof Words['values']['devices']}`, {
						defaultValue: text,
					});
				case 'screen':
					return t(`statistics.values.screens.${text as keyof Words['values']['screens']}`, {
						defaultValue: text,
					});
				default:
					return text;
			}
		};
		const filterParts = ({ dimension: dimensionName, test, values }: Filter) => {
			const { name, ignoresCase } = splitTest(test);
			return {
				test: `${dimension(dimensionName)} ${t(`statistics.filter.tests.${name}`)}`,
				values: values
					.map((text) => value(dimensionName, text))
					.join(t(name === 'between' ? 'statistics.filter.and' : 'statistics.filter.or')),
				note: ignoresCase ? t('statistics.filter.ignoringCase') : '',
			};
		};
		const filter = (chip: Filter) => {
			const { test, values, note } = filterParts(chip);
			return [test, values, note].filter(Boolean).join(' ');
		};
		const row = (dimensionName: string, { value: text, name, country }: NamedRow) => {
			const own = name ?? value(dimensionName, text);
			return country === undefined ? own : `${own}, ${formatCountry(country, language)}`;
		};
		return { dimension, value, row, filter, filterParts };
	}, [t, language, goals, regionName]);
}

type NamedRow = { value: string; name?: string | undefined; country?: string | undefined };

const noGoals: ReadonlyMap<string, string> = new Map();

import type { z } from 'zod';
import type { vitalsAnswer } from '../../api/vitals.ts';
import type { Filter } from '../../presentation/filter-chips.ts';
import { noValue } from '../../presentation/format.ts';

type Vital = z.output<typeof vitalsAnswer>['data'][number];

/** Best to worst. */
export const ratings = ['good', 'needs_improvement', 'poor'] as const;

export type Rating = (typeof ratings)[number];

export function ratingOf({ thresholds }: Pick<Vital, 'thresholds'>, value: number): Rating {
	if (value <= thresholds.good) return 'good';
	return value > thresholds.poor ? 'poor' : 'needs_improvement';
}

/** LCP in seconds, INP in milliseconds, CLS as a score, with as many decimals as the thresholds need. */
export function formatVital(name: Vital['name'], value: number | null, language: string): string {
	if (value === null) return noValue;
	const places = (digits: number) => ({ minimumFractionDigits: digits, maximumFractionDigits: digits });
	const unit = (name: string) => ({ style: 'unit', unit: name, unitDisplay: 'narrow' }) as const;
	switch (name) {
		case 'lcp':
			return new Intl.NumberFormat(language, { ...unit('second'), ...places(2) }).format(value / 1000);
		case 'inp':
			return new Intl.NumberFormat(language, { ...unit('millisecond'), ...places(0) }).format(value);
		case 'cls':
			return new Intl.NumberFormat(language, places(3)).format(value);
	}
}

/** Filters that apply to single page views. Others need a whole visit. */
const tested: readonly string[] = ['page', 'hostname', 'country', 'device', 'browser', 'os'];

export const fitsVitals = ({ dimension }: Filter): boolean => tested.includes(dimension);

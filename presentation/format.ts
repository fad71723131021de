/** Formats numbers, times and names for a language. Pure; the language is an argument. */

/** Creating a format takes a hundred times as long as using it. There are few, so all are kept. */
function cacheFormats<Options, Format>(make: (language: string, options: Options) => Format) {
	const formats = new Map<string, Format>();
	return (language: string, options: Options): Format => {
		const key = `${language} ${JSON.stringify(options)}`;
		let format = formats.get(key);
		if (!format) {
			format = make(language, options);
			formats.set(key, format);
		}
		return format;
	};
}

const numberFormat = cacheFormats(
	(language, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(language, options),
);
const dateFormat = cacheFormats(
	(language, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(language, options),
);
const displayNames = cacheFormats(
	(language, type: 'region' | 'language') => new Intl.DisplayNames(language, { type, fallback: 'code' }),
);

/** Shown for null. */
export const noValue = '–';

export const formatCount = (value: number | null | undefined, language: string): string =>
	value === null || value === undefined ? noValue : numberFormat(language, {}).format(value);

/** 28412 becomes 28.4k, for small spaces. */
export const formatShort = (value: number, language: string): string =>
	numberFormat(language, { notation: 'compact', maximumFractionDigits: 1 }).format(value);

export const formatNumber = (value: number | null | undefined, language: string, digits = 1): string =>
	value === null || value === undefined
		? noValue
		: numberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);

/** 08:13:37, in every language. */
export const formatTimeOfDay = (moment: string, language: string, timeZone?: string): string =>
	formatMoment(moment, language, {
		...(timeZone && { timeZone }),
		hour: '2-digit',
		minute: '2-digit',
		second: '2-digit',
		hourCycle: 'h23',
	});

/** 0.413 becomes 41 %; below 10 % with one decimal. */
export function formatRate(value: number | null | undefined, language: string): string {
	if (value === null || value === undefined) return noValue;
	const digits = value > 0 && value < 0.0995 ? 1 : 0;
	// Few are not none.
	if (value > 0 && value < 0.0005) return `<${formatRate(0.001, language)}`;
	return numberFormat(language, { style: 'percent', maximumFractionDigits: digits }).format(value);
}

/** The German abbreviations, 2 Min. 18 Sek., are too wide for a mail on a phone. */
const unitSymbols = { hour: 'h', minute: 'm', second: 's' } as const;

/** 138 becomes 2m 18s, in French 2min 18s. */
export function formatSeconds(value: number | null | undefined, language: string): string {
	if (value === null || value === undefined) return noValue;
	const rounded = Math.round(value);
	const [hours, minutes, seconds] = [
		Math.floor(rounded / 3600),
		Math.floor((rounded % 3600) / 60),
		rounded % 60,
	];
	const part = (count: number, unit: keyof typeof unitSymbols, digits = 1) =>
		language.startsWith('de')
			? `${String(count).padStart(digits, '0')}${unitSymbols[unit]}`
			: numberFormat(language, {
					style: 'unit',
					unit,
					// The narrow units of Japanese are English ones.
					unitDisplay: language.startsWith('ja') ? 'short' : 'narrow',
					minimumIntegerDigits: digits,
				}).format(count);
	if (hours > 0) return `${part(hours, 'hour')} ${part(minutes, 'minute', 2)}`;
	return minutes > 0 ? `${part(minutes, 'minute')} ${part(seconds, 'second', 2)}` : part(seconds, 'second');
}

/** Sums by currency, largest first; different currencies are never added. */
export function formatMoney(sums: Readonly<Record<string, number>>, language: string): string {
	const shown = Object.entries(sums)
		.sort(([, a], [, b]) => b - a)
		.map(([currency, amount]) =>
			numberFormat(language, {
				style: 'currency',
				currency,
				maximumFractionDigits: Math.abs(amount) < 1000 ? 2 : 0,
			}).format(amount),
		);
	return shown.length === 0 ? noValue : shown.join(' + ');
}

/** Formats a date such as `2026-11-03`. A date has no time zone, so none is applied. */
export function formatDate(
	date: string,
	language: string,
	options: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short', year: 'numeric' },
): string {
	return dateFormat(language, { ...options, timeZone: 'UTC' }).format(
		new Date(`${date.slice(0, 10)}T00:00:00Z`),
	);
}

/** Formats an instant, by default in the reader's time zone. */
export function formatMoment(
	iso: string,
	language: string,
	options: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'short' },
): string {
	return dateFormat(language, options).format(new Date(iso));
}

const relativeFormat = cacheFormats(
	(language, options: Intl.RelativeTimeFormatOptions) => new Intl.RelativeTimeFormat(language, options),
);

const relativeUnits = [
	['minute', 60, 60],
	['hour', 3_600, 24],
	['day', 86_400, 30],
	['month', 2_629_800, 12],
	['year', 31_557_600, Number.POSITIVE_INFINITY],
] as const;

/** now, 5 min ago, yesterday. */
export function formatRelative(iso: string, now: Date, language: string): string {
	const format = relativeFormat(language, { numeric: 'auto', style: 'short' });
	const seconds = (new Date(iso).getTime() - now.getTime()) / 1_000;
	for (const [unit, length, most] of relativeUnits) {
		const count = Math.trunc(seconds / length);
		if (unit === 'minute' && count === 0) return format.format(0, 'second');
		if (Math.abs(count) < most) return format.format(count, unit);
	}
	return formatMoment(iso, language);
}

/** With seconds and the time zone, which is the reader's. */
export const formatExact = (iso: string, language: string): string =>
	formatMoment(iso, language, {
		year: 'numeric',
		month: 'short',
		day: 'numeric',
		hour: '2-digit',
		minute: '2-digit',
		second: '2-digit',
		timeZoneName: 'short',
	});

/** 02:39, in the reader's time zone. */
export const formatClock = (iso: string, language: string): string =>
	formatMoment(iso, language, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

/** `DE` becomes Germany. Unknown codes stay as they are. */
export function formatCountry(code: string, language: string): string {
	try {
		return displayNames(language, 'region').of(code) ?? code;
	} catch {
		return code;
	}
}

/** `pt-BR` becomes Brazilian Portuguese. */
export function formatLanguage(code: string, language: string): string {
	try {
		return displayNames(language, 'language').of(code) ?? code;
	} catch {
		return code;
	}
}

/** 1 is Monday. */
export function formatWeekday(
	weekday: number,
	language: string,
	style: 'long' | 'short' | 'narrow' = 'long',
): string {
	// 5 January 1970 was a Monday.
	return dateFormat(language, { weekday: style, timeZone: 'UTC' }).format(
		new Date(Date.UTC(1970, 0, 4 + weekday)),
	);
}

/** `16 Oct – 14 Nov 2026`, without repeating what both dates share. */
export function formatDates(
	from: string,
	to: string,
	language: string,
	options: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short', year: 'numeric' },
): string {
	const toDate = (date: string) => new Date(`${date.slice(0, 10)}T00:00:00Z`);
	return dateFormat(language, { ...options, timeZone: 'UTC' }).formatRange(toDate(from), toDate(to));
}

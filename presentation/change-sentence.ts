/** What changed, in one sentence. It claims nothing that its numbers do not support. */
import { type ChangeTexts, changeTexts } from './change-texts.ts';
import { formatCount, formatCountry, formatLanguage, formatMoney, formatRate } from './format.ts';
import { formatMetric, isRatio } from './metrics.ts';
import type { MetricName } from './view-query.ts';

type CausedBy = { dimension: string; value: string; difference: number };

/** A difference, as the API returns it. */
export type ChangeFacts = {
	metric: MetricName;
	/** Of revenue. */
	currency: string | null;
	current: number | null;
	/** Null without a comparison, and for a ratio of nothing. */
	compared: number | null;
	difference: number | null;
	/** The value that stands for most of the difference, and the one within it. */
	cause: (CausedBy & { within: CausedBy | null }) | null;
	/** Whether its parts are known: without them, a missing cause means nothing. */
	isDivided: boolean;
};

/** `Visits rose by 412 (+18%), mostly from ChatGPT (+389), especially on /pricing (+301).` */
export function changeSentence(facts: ChangeFacts, locale: string): string {
	const { language, texts } = findTexts(locale);
	const { metric, current, compared, difference } = facts;
	const label = texts.metrics[metric];
	const show = (value: number) => amountOf(facts, value, language);
	if (current === null || compared === null || difference === null)
		return texts.nothing({ metric: label }) + texts.end;
	// Ratios that look the same did not change.
	if (difference === 0 || (isRatio(metric) && show(current) === show(compared)))
		return texts.unchanged({ metric: label, value: show(current) }) + texts.end;
	const isUp = difference > 0;
	if (isRatio(metric)) {
		const values = { metric: label, from: show(compared), to: show(current) };
		return (isUp ? texts.roseTo : texts.fellTo)(values) + texts.end;
	}
	const share =
		compared > 0
			? texts.share(signed(difference, formatRate(Math.abs(difference) / compared, language)))
			: '';
	const values = { metric: label, by: show(Math.abs(difference)), share };
	return (isUp ? texts.rose : texts.fell)(values) + causeOf(facts, { language, texts }) + texts.end;
}

/** `de-AT` gets `de`; unsupported languages get English. */
function findTexts(locale: string): { language: string; texts: ChangeTexts } {
	const language = locale.toLowerCase().split(/[-_]/)[0] ?? '';
	const texts = changeTexts[language] ?? changeTexts.en;
	if (!texts) throw new Error('There is no English text.');
	return { language: changeTexts[language] ? language : 'en', texts };
}

type Language = { language: string; texts: ChangeTexts };

function causeOf(facts: ChangeFacts, { language, texts }: Language): string {
	const { cause, isDivided } = facts;
	if (!cause) return isDivided ? texts.spread : '';
	const valuesOf = (caused: CausedBy) => ({
		what: whatOf(caused, { language, texts }),
		by: signed(caused.difference, amountOf(facts, Math.abs(caused.difference), language)),
	});
	return texts.mostly(valuesOf(cause)) + (cause.within ? texts.within(valuesOf(cause.within)) : '');
}

const signed = (difference: number, text: string): string => `${difference < 0 ? '−' : '+'}${text}`;

function amountOf({ metric, currency }: ChangeFacts, value: number, language: string): string {
	if (metric !== 'revenue')
		return isRatio(metric) ? formatMetric(metric, value, language) : formatCount(value, language);
	return currency === null ? formatCount(value, language) : formatMoney({ [currency]: value }, language);
}

function whatOf({ dimension, value }: CausedBy, { language, texts }: Language): string {
	const name = shorten(value);
	switch (dimension) {
		case 'source':
			return name === '' ? texts.other(texts.direct) : texts.from(name);
		case 'channel':
		case 'referrer':
			return texts.from(name);
		case 'page':
		case 'entry_page':
			return texts.on(name);
		case 'country':
			return texts.other(formatCountry(name, language));
		case 'language':
			return texts.other(formatLanguage(name, language));
		default:
			return texts.other(name);
	}
}

const maxLength = 80;

/** Values were sent by browsers: one short line, without control characters and such that change the direction of the text. */
function shorten(value: string): string {
	const letters = [
		...value
			.toWellFormed()
			.replace(/[\p{C}\s]+/gu, ' ')
			.trim(),
	];
	return letters.length > maxLength ? `${letters.slice(0, maxLength - 1).join('')}…` : letters.join('');
}

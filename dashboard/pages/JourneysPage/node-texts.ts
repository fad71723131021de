import { useTranslation } from 'react-i18next';
import { formatCount, formatRate } from '../../../presentation/format.ts';
import type { JourneyNode } from '../../api-client.ts';
import { useNames } from '../../stats/use-names.ts';

type Counts = { visits: number; share: number | null };

/** Whether a node is a page, a page group or an event: it can be selected, and filtered by. */
export const hasValue = (kind: JourneyNode['kind']): kind is 'page' | 'page_group' | 'event' =>
	kind === 'page' || kind === 'page_group' || kind === 'event';

/** How nodes and their numbers are written. */
export function useNodeTexts() {
	const { t, i18n } = useTranslation();
	const { language } = i18n;
	const names = useNames();
	const visits = (count: number) =>
		t('journeys.visits', { count, replace: { count: formatCount(count, language) } });
	const name = ({ kind, value }: JourneyNode) =>
		hasValue(kind) ? names.value(kind, value ?? '') : t(`journeys.${kind}`);
	return {
		name,
		visits,
		/** `/pricing, step 1, 412 visits, 33%` */
		label: (node: JourneyNode, step: number, counts: Counts) =>
			t('journeys.node', {
				name: name(node),
				step,
				visits: visits(counts.visits),
				share: formatRate(counts.share, language),
			}),
		/** `+12%`, for columns; undefined without a comparison. */
		change(now: number, before: number | null): string | undefined {
			if (before === null) return undefined;
			if (before === 0) return now === 0 ? '' : t('lazyPanels.large.new');
			const by = formatRate(Math.abs(now - before) / before, language);
			return now === before ? by : `${now > before ? '+' : '−'}${by}`;
		},
	};
}

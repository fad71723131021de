import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import { goalOf, tilesOf, type ViewQuery } from '../../../presentation/view-query.ts';
import { isEmbedded } from '../../embed.ts';
import { KeyboardShortcuts, type KeyGroup } from '../../layout/KeyboardShortcuts.tsx';
import type { PanelProps } from '../../stats/panel.ts';

const periods = [
	{ key: 't', says: 'today', period: 'today' },
	{ key: 'w', says: 'week', period: '7d' },
	{ key: 'm', says: 'month', period: '30d' },
	{ key: 'y', says: 'year', period: 'year' },
	{ key: 'a', says: 'all', period: 'all' },
] as const satisfies readonly { key: string; says: string; period: ViewQuery['period'] }[];

/** Keyboard shortcuts of the statistics page. */
export function StatisticsKeys({
	website,
	query,
	updateQuery,
}: Pick<PanelProps, 'website' | 'query' | 'updateQuery'>) {
	const { t } = useTranslation();
	const [, navigate] = useLocation();
	const goal = goalOf(query);
	const groups = useMemo((): KeyGroup[] => {
		const go = [
			{ key: 'l', says: t('panels.keys.live'), run: () => navigate(`/websites/${website.id}/live`) },
		];
		return [
			{
				title: t('panels.keys.groups.periods'),
				keys: [
					...periods.map(({ key, says, period }) => ({
						key,
						says: t(`panels.keys.${says}`),
						run: () => updateQuery({ period, from: undefined, to: undefined, interval: undefined }),
					})),
					{ key: 'ArrowLeft', shown: '←', says: t('panels.keys.earlier') },
					{ key: 'ArrowRight', shown: '→', says: t('panels.keys.later') },
				],
			},
			{
				title: t('panels.keys.groups.page'),
				keys: [
					{ key: 'f', says: t('panels.keys.filter') },
					{ key: '/', says: t('panels.keys.search'), run: () => updateQuery({ large: 'page' }) },
					...tilesOf({ goal, filters: [] }).map((metric, index) => ({
						key: String(index + 1),
						says: t('panels.keys.tile', { metric: t(`statistics.metrics.${metric}.label`) }),
						run: () => updateQuery({ metric }),
					})),
				],
			},
			...(isEmbedded || website.link ? [] : [{ title: t('panels.keys.groups.go'), keys: go }]),
		];
	}, [t, updateQuery, navigate, website.id, website.link, goal]);
	return <KeyboardShortcuts groups={groups} />;
}

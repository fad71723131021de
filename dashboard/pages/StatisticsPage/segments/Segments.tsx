import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../../../../presentation/format.ts';
import { parametersOf } from '../../../../presentation/view-query.ts';
import { statistics } from '../../../api-client.ts';
import { canFilterBy, type PanelProps } from '../../../stats/panel.ts';
import { useNames } from '../../../stats/use-names.ts';
import { MenuCount, MenuItem, MenuLine, MenuNote, MenuTitle } from '../../../ui/Menu.tsx';
import { segments as segmentsApi } from '../../../website-client.ts';

type Props = Pick<PanelProps, 'website' | 'query' | 'updateQuery'>;

/** The saved segments, and how to create one. Requested when the menu opens. */
export function Segments({ website, query, updateQuery, onSave }: Props & { onSave(): void }) {
	const { t } = useTranslation();
	const cache = useQueryClient();
	const { data: segments } = useQuery({
		queryKey: ['segments', website.id],
		queryFn: () => statistics.segments(website.id),
	});
	const chosen = segments?.find(({ id }) => id === query.segment);
	const remove = async (id: number) => {
		await segmentsApi.delete(website.id, id);
		await cache.invalidateQueries({ queryKey: ['segments', website.id] });
		updateQuery({ segment: undefined });
	};
	return (
		<>
			<MenuTitle>{t('statistics.segments.title')}</MenuTitle>
			<MenuItem isChosen={query.segment === undefined} onSelect={() => updateQuery({ segment: undefined })}>
				{t('lazyPanels.segments.none')}
			</MenuItem>
			{segments?.map(({ id, name }) => (
				<MenuItem key={id} isChosen={query.segment === id} onSelect={() => updateQuery({ segment: id })}>
					{name}
				</MenuItem>
			))}
			{website.canEdit && (
				<>
					<MenuLine />
					{query.filters.length > 0 ? (
						<MenuItem onSelect={onSave}>{t('lazyPanels.segments.save')}</MenuItem>
					) : (
						<MenuNote>{t('lazyPanels.segments.how')}</MenuNote>
					)}
					{chosen && (
						<MenuItem onSelect={() => void remove(chosen.id)}>
							{t('lazyPanels.segments.delete', { name: chosen.name })}
						</MenuItem>
					)}
					{segments?.length === 0 && query.filters.length === 0 && (
						<FirstFilters website={website} query={query} updateQuery={updateQuery} />
					)}
				</>
			)}
		</>
	);
}

const dimensions = ['channel', 'source', 'country', 'device'] as const;

/** The most frequent value of some dimensions, each with its visitors. */
function FirstFilters({ website, query, updateQuery }: Props) {
	const { t, i18n } = useTranslation();
	const names = useNames();
	const parameters = { ...parametersOf(query), metrics: 'visitors', per_page: 10 };
	const found = useQueries({
		queries: dimensions
			.filter((dimension) => canFilterBy(website, dimension))
			.map((dimension) => ({
				queryKey: ['stats', website.id, dimension, parameters, 'first'],
				queryFn: async () => ({
					dimension,
					row: (await statistics.breakdown(website.id, dimension, parameters)).data.find(
						({ value, other }) => !other && value !== '',
					),
				}),
			})),
		combine: (results) => results.flatMap(({ data }) => (data?.row ? [{ ...data, row: data.row }] : [])),
	});
	if (found.length === 0) return null;
	return (
		<>
			<MenuTitle>{t('lazyPanels.segments.suggestions')}</MenuTitle>
			{found.map(({ dimension, row }) => (
				<MenuItem
					key={dimension}
					onSelect={() => updateQuery({ filters: [{ test: 'is', dimension, values: [row.value] }] })}
				>
					{`${t(`statistics.dimensions.${dimension}`)}: ${names.row(dimension, row)}`}
					<MenuCount>{formatCount(row.visitors, i18n.language)}</MenuCount>
				</MenuItem>
			))}
		</>
	);
}

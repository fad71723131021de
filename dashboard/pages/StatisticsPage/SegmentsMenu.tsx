import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { statistics } from '../../api-client.ts';
import { lazyPage } from '../../lazy-page.ts';
import type { PanelProps } from '../../stats/panel.ts';
import { Menu, MenuItem, MenuLine, MenuTitle } from '../../ui/Menu.tsx';
import picker from './Picker.module.css';

const SegmentDialog = lazyPage(async () => (await import('./SegmentDialog.tsx')).SegmentDialog);

type Props = Pick<PanelProps, 'website' | 'query' | 'updateQuery'>;

/** Menu of saved segments. */
export function SegmentsMenu(props: Props) {
	const { t } = useTranslation();
	const [isSaving, setSaving] = useState(false);
	return (
		<>
			<Menu
				className={picker.menu}
				button={
					<>
						{t('statistics.segments.title')}
						<ChevronDown />
					</>
				}
			>
				<Segments {...props} onSave={() => setSaving(true)} />
			</Menu>
			{isSaving && (
				<Suspense fallback={null}>
					<SegmentDialog {...props} onClose={() => setSaving(false)} />
				</Suspense>
			)}
		</>
	);
}

/** Requested when the menu opens. */
function Segments({ website, query, updateQuery, onSave }: Props & { onSave(): void }) {
	const { t } = useTranslation();
	const cache = useQueryClient();
	const { data: segments } = useQuery({
		queryKey: ['segments', website.id],
		queryFn: () => statistics.segments(website.id),
	});
	const chosen = segments?.find(({ id }) => id === query.segment);
	const remove = async (id: number) => {
		await statistics.deleteSegment(website.id, id);
		await cache.invalidateQueries({ queryKey: ['segments', website.id] });
		updateQuery({ segment: undefined });
	};
	return (
		<>
			<MenuTitle>{t('statistics.segments.title')}</MenuTitle>
			<MenuItem isChosen={query.segment === undefined} onSelect={() => updateQuery({ segment: undefined })}>
				{t('statistics.segments.none')}
			</MenuItem>
			{segments?.map(({ id, name }) => (
				<MenuItem key={id} isChosen={query.segment === id} onSelect={() => updateQuery({ segment: id })}>
					{name}
				</MenuItem>
			))}
			{website.canEdit && (query.filters.length > 0 || chosen) && <MenuLine />}
			{website.canEdit && query.filters.length > 0 && (
				<MenuItem onSelect={onSave}>{t('statistics.segments.save')}</MenuItem>
			)}
			{website.canEdit && chosen && (
				<MenuItem onSelect={() => void remove(chosen.id)}>
					{t('statistics.segments.delete', { name: chosen.name })}
				</MenuItem>
			)}
		</>
	);
}

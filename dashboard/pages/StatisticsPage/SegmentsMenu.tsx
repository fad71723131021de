import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { statistics } from '../../api-client.ts';
import type { PanelProps } from '../../panels/panel.ts';
import { filterOf } from '../../question-state.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Menu, MenuItem, MenuLine, MenuTitle } from '../../ui/Menu.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { useForm } from '../../ui/use-form.ts';
import styles from './Dialogs.module.css';
import picker from './Picker.module.css';

type Props = Pick<PanelProps, 'website' | 'asked' | 'ask'>;

/** Filters that somebody saved under a name, to choose one of them or to save these. */
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
			<Dialog
				title={t('statistics.segments.saveTitle')}
				text={t('statistics.segments.saveText')}
				isOpen={isSaving}
				onClose={() => setSaving(false)}
				closeLabel={t('common.close')}
			>
				<SaveForm {...props} onDone={() => setSaving(false)} />
			</Dialog>
		</>
	);
}

/** Asked for when the menu is opened. */
function Segments({ website, asked, ask, onSave }: Props & { onSave(): void }) {
	const { t } = useTranslation();
	const cache = useQueryClient();
	const { data: segments } = useQuery({
		queryKey: ['segments', website.id],
		queryFn: () => statistics.segments(website.id),
	});
	const chosen = segments?.find(({ id }) => id === asked.segment);
	const remove = async (id: number) => {
		await statistics.deleteSegment(website.id, id);
		await cache.invalidateQueries({ queryKey: ['segments', website.id] });
		ask({ segment: undefined });
	};
	return (
		<>
			<MenuTitle>{t('statistics.segments.title')}</MenuTitle>
			<MenuItem isChosen={asked.segment === undefined} onSelect={() => ask({ segment: undefined })}>
				{t('statistics.segments.none')}
			</MenuItem>
			{segments?.map(({ id, name }) => (
				<MenuItem key={id} isChosen={asked.segment === id} onSelect={() => ask({ segment: id })}>
					{name}
				</MenuItem>
			))}
			{website.canEdit && (asked.filters.length > 0 || chosen) && <MenuLine />}
			{website.canEdit && asked.filters.length > 0 && (
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

function SaveForm({ website, asked, ask, onDone }: Props & { onDone(): void }) {
	const { t } = useTranslation();
	const cache = useQueryClient();
	const form = useForm({ name: '' }, async ({ name }) => {
		const saved = await statistics.createSegment(website.id, {
			name,
			filters: filterOf(asked.filters) ?? [],
		});
		await cache.invalidateQueries({ queryKey: ['segments', website.id] });
		onDone();
		// What the chips say is now said by the segment.
		ask({ segment: saved.id, filters: [] });
	});
	return (
		<form className={styles.form} onSubmit={(event) => void form.submit(event)}>
			<TextField
				label={t('statistics.segments.name')}
				value={form.values.name}
				maxLength={100}
				required
				fault={form.faultOf('name')}
				onChange={(event) => form.set({ name: event.target.value })}
			/>
			{form.fault && <Notice kind="fault">{form.fault}</Notice>}
			<div className={styles.buttons}>
				<Button kind="primary" type="submit" busy={form.isBusy}>
					{t('common.save')}
				</Button>
			</div>
		</form>
	);
}

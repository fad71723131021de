import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { filterOf } from '../../../../presentation/filter-chips.ts';
import type { PanelProps } from '../../../stats/panel.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { TextField } from '../../../ui/Field.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { useForm } from '../../../ui/use-form.ts';
import { segments as segmentsApi } from '../../../website-client.ts';
import styles from '../Dialogs.module.css';

/** Saves the filters as a segment. */
export function SegmentDialog({
	website,
	query,
	updateQuery,
	onClose,
}: Pick<PanelProps, 'website' | 'query' | 'updateQuery'> & { onClose(): void }) {
	const { t } = useTranslation();
	const cache = useQueryClient();
	const form = useForm({ name: '' }, async ({ name }) => {
		const saved = await segmentsApi.create(website.id, {
			name,
			filters: filterOf(query.filters) ?? [],
		});
		await cache.invalidateQueries({ queryKey: ['segments', website.id] });
		onClose();
		// The segment replaces its filters.
		updateQuery({ segment: saved.id, filters: [] });
	});
	return (
		<Dialog
			title={t('lazyPanels.segments.saveTitle')}
			text={t('lazyPanels.segments.saveText')}
			isOpen
			onClose={onClose}
			closeLabel={t('common.close')}
		>
			<form className={styles.form} onSubmit={(event) => void form.submit(event)}>
				<TextField
					label={t('lazyPanels.segments.name')}
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
		</Dialog>
	);
}

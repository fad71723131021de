import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { formatDate } from '../../../presentation/format.ts';
import type { Note } from '../../api-client.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { useForm } from '../../ui/use-form.ts';
import { notes as notesApi } from '../../website-client.ts';
import styles from './Dialogs.module.css';

/** An existing note, or the day of a new one. */
export type NoteToWrite = { note?: Note; date: string };

export function NoteDialog({
	website,
	writing,
	onClose,
}: {
	website: number;
	writing: NoteToWrite;
	onClose(): void;
}) {
	const { t, i18n } = useTranslation();
	const date = formatDate(writing.date, i18n.language, { dateStyle: 'full' });
	return (
		<Dialog
			title={t(writing.note ? 'lazyPanels.note.edit' : 'lazyPanels.note.add', { date })}
			isOpen
			onClose={onClose}
			closeLabel={t('common.close')}
		>
			<NoteForm website={website} writing={writing} onDone={onClose} />
		</Dialog>
	);
}

function NoteForm({
	website,
	writing: { note, date },
	onDone,
}: {
	website: number;
	writing: NoteToWrite;
	onDone(): void;
}) {
	const { t } = useTranslation();
	const cache = useQueryClient();
	const finish = async () => {
		await cache.invalidateQueries({ queryKey: ['notes', website] });
		onDone();
	};
	const form = useForm({ text: note?.text ?? '' }, async ({ text }) => {
		await (note ? notesApi.change(website, note.id, { text }) : notesApi.create(website, { date, text }));
		await finish();
	});
	const removal = useForm({}, async () => {
		if (note) await notesApi.delete(website, note.id);
		await finish();
	});
	return (
		<form className={styles.form} onSubmit={(event) => void form.submit(event)}>
			<TextField
				label={t('lazyPanels.note.text')}
				hint={t('lazyPanels.note.hint')}
				value={form.values.text}
				maxLength={500}
				required
				fault={form.faultOf('text')}
				onChange={(event) => form.set({ text: event.target.value })}
			/>
			{(form.fault ?? removal.fault) && <Notice kind="fault">{form.fault ?? removal.fault}</Notice>}
			<div className={styles.buttons}>
				{note && (
					<Button kind="danger" busy={removal.isBusy} onClick={() => void removal.submit()}>
						{t('lazyPanels.note.delete')}
					</Button>
				)}
				<Button kind="primary" type="submit" busy={form.isBusy}>
					{t('common.save')}
				</Button>
			</div>
		</form>
	);
}

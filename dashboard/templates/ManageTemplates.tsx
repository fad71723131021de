import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { queries } from '../queries.ts';
import { type Template, templates, templatesKey } from '../templates-client.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { TextField } from '../ui/Field.tsx';
import { Notice } from '../ui/Notice.tsx';
import { Row, Rows } from '../ui/Rows.tsx';
import { useForm } from '../ui/use-form.ts';
import styles from './templates.module.css';

/** The templates of the account, to rename and delete. */
export function ManageTemplates({ list, onClose }: { list: readonly Template[]; onClose(): void }) {
	const { t } = useTranslation();
	const [chosen, setChosen] = useState<{ id: number; act: 'rename' | 'delete' }>();
	return (
		<Dialog
			isOpen
			title={t('templates.manage')}
			text={t('templates.manageText')}
			closeLabel={t('common.close')}
			onClose={onClose}
		>
			<Rows label={t('templates.manage')}>
				{list.map((template) => {
					const { id, name } = template;
					if (chosen?.id === id)
						return (
							<li key={id}>
								<EditTemplate template={template} act={chosen.act} onClose={() => setChosen(undefined)} />
							</li>
						);
					return (
						<Row key={id} title={name}>
							<Button
								kind="quiet"
								aria-label={t('templates.renameOne', { name })}
								onClick={() => setChosen({ id, act: 'rename' })}
							>
								{t('templates.rename')}
							</Button>
							<Button
								kind="quiet"
								aria-label={t('settings.goals.deleteOne', { name })}
								onClick={() => setChosen({ id, act: 'delete' })}
							>
								{t('common.delete')}
							</Button>
						</Row>
					);
				})}
			</Rows>
			{list.length === 0 && <p>{t('templates.empty')}</p>}
		</Dialog>
	);
}

function EditTemplate({
	template: { id, name: stored },
	act,
	onClose,
}: {
	template: Template;
	act: 'rename' | 'delete';
	onClose(): void;
}) {
	const { t } = useTranslation();
	const isDeletion = act === 'delete';
	const form = useForm(
		{ name: stored },
		async ({ name }) => {
			await (isDeletion ? templates.delete(id) : templates.rename(id, name));
			await queries.invalidateQueries({ queryKey: templatesKey });
			onClose();
		},
		({ name }) => ({ name: name.trim() === '' ? t('settings.goals.nameNeeded') : undefined }),
	);
	return (
		<form className={styles.form} onSubmit={(event) => void form.submit(event)} noValidate>
			{isDeletion ? (
				<p>{t('settings.goals.deleteTitle', { name: stored })}</p>
			) : (
				<TextField
					label={t('templates.name')}
					value={form.values.name}
					fault={form.faultOf('name')}
					maxLength={100}
					autoFocus
					onChange={({ target }) => form.set({ name: target.value })}
				/>
			)}
			{form.fault && <Notice kind="fault">{form.fault}</Notice>}
			<div className={styles.actions}>
				<Button kind={isDeletion ? 'danger' : 'primary'} type="submit" busy={form.isBusy}>
					{isDeletion ? t('common.delete') : t('common.save')}
				</Button>
				<Button kind="quiet" onClick={onClose}>
					{t('common.cancel')}
				</Button>
			</div>
		</form>
	);
}

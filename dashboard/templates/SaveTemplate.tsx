import { useTranslation } from 'react-i18next';
import { queries } from '../queries.ts';
import { templates, templatesKey } from '../templates-client.ts';
import { Button } from '../ui/Button.tsx';
import { Section } from '../ui/Card.tsx';
import { TextField } from '../ui/Field.tsx';
import { Notice } from '../ui/Notice.tsx';
import { useForm } from '../ui/use-form.ts';
import styles from './templates.module.css';

/** Copies a website to a new template. */
export function SaveTemplate({ website }: { website: number }) {
	const { t } = useTranslation();
	const form = useForm(
		{ name: '' },
		async ({ name }) => {
			await templates.create({ name, from_website_id: website });
			await queries.invalidateQueries({ queryKey: templatesKey });
		},
		({ name }) => ({ name: name.trim() === '' ? t('settings.goals.nameNeeded') : undefined }),
	);
	return (
		<Section title={t('templates.save.title')} text={t('templates.save.text')}>
			<form className={styles.form} onSubmit={(event) => void form.submit(event)} noValidate>
				<TextField
					label={t('templates.name')}
					value={form.values.name}
					fault={form.faultOf('name')}
					maxLength={100}
					onChange={({ target }) => form.set({ name: target.value })}
				/>
				{form.fault && <Notice kind="fault">{form.fault}</Notice>}
				{form.isSaved && <Notice kind="good">{t('templates.save.done')}</Notice>}
				<div className={styles.actions}>
					<Button type="submit" busy={form.isBusy}>
						{t('templates.save.title')}
					</Button>
				</div>
			</form>
		</Section>
	);
}

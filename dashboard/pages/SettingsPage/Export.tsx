import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addressOf } from '../../api-client.ts';
import { Button } from '../../ui/Button.tsx';
import { Section } from '../../ui/Card.tsx';
import { SelectField, TextField } from '../../ui/Field.tsx';
import styles from './SettingsPage.module.css';
import type { TabProps } from './tab.ts';

const kinds = ['events', 'visits', 'totals'] as const;
const formats = ['csv', 'parquet', 'ndjson'] as const;

/** Data export. The browser downloads the file itself, because it can be of any size. */
export function Export({ website }: TabProps) {
	const { t } = useTranslation();
	const [chosen, setChosen] = useState({ what: 'events', format: 'csv', from: '', to: '' });
	const [isBegun, setBegun] = useState(false);
	const set = (change: Partial<typeof chosen>) => {
		setChosen({ ...chosen, ...change });
		setBegun(false);
	};
	const { what, format, from, to } = chosen;
	const isBackwards = from !== '' && to !== '' && to < from;
	const download = () => {
		const link = document.createElement('a');
		link.href = addressOf(`/websites/${website.id}/export`, {
			...{ what, format, from: from || undefined, to: to || undefined },
		});
		link.download = '';
		link.click();
		setBegun(true);
	};
	return (
		<Section title={t('exports.title')} text={t('exports.text')}>
			<form
				onSubmit={(event) => {
					event.preventDefault();
					download();
				}}
			>
				<SelectField
					label={t('exports.what.label')}
					value={what}
					options={kinds.map((kind) => ({ value: kind, label: t(`exports.what.${kind}`) }))}
					onChange={(event) => set({ what: event.target.value })}
				/>
				<SelectField
					label={t('exports.format.label')}
					value={format}
					options={formats.map((format) => ({ value: format, label: t(`exports.format.${format}`) }))}
					onChange={(event) => set({ format: event.target.value })}
				/>
				<TextField
					label={t('exports.from')}
					type="date"
					value={from}
					hint={t('exports.dates')}
					onChange={(event) => set({ from: event.target.value })}
				/>
				<TextField
					label={t('exports.to')}
					type="date"
					value={to}
					hint={t('exports.dates')}
					fault={isBackwards ? t('exports.order') : undefined}
					onChange={(event) => set({ to: event.target.value })}
				/>
				<div className={styles.done}>
					<Button type="submit" disabled={isBackwards}>
						{t('exports.button')}
					</Button>
					<span className={styles.saved} role="status">
						{isBegun && t('exports.begun')}
					</span>
				</div>
			</form>
		</Section>
	);
}

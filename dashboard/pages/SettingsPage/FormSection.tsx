import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/Button.tsx';
import { Section } from '../../ui/Card.tsx';
import { Switch } from '../../ui/Field.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { useFaultText } from '../../ui/use-fault-text.ts';
import styles from './SettingsPage.module.css';

type SentForm = {
	isBusy: boolean;
	isSaved: boolean;
	fault: string | undefined;
	submit(event: FormEvent): Promise<void>;
};

/** A section with its own save button. Read-only without permission. */
export function FormSection({
	title,
	text,
	form,
	isOpen,
	saveLabel,
	saveKind = 'plain',
	more,
	children,
}: {
	title: ReactNode;
	text?: ReactNode;
	form: SentForm;
	isOpen: boolean;
	saveLabel?: string | undefined;
	saveKind?: 'plain' | 'danger';
	/** Shown beside the button. */
	more?: ReactNode;
	children: ReactNode;
}) {
	const { t } = useTranslation();
	return (
		<Section title={title} text={text}>
			<form onSubmit={(event) => void form.submit(event)}>
				<fieldset className={styles.part} disabled={!isOpen}>
					{children}
				</fieldset>
				{form.fault && <Notice kind="fault">{form.fault}</Notice>}
				{isOpen && (
					<div className={styles.done}>
						<Button type="submit" kind={saveKind} busy={form.isBusy}>
							{saveLabel ?? t('common.save')}
						</Button>
						{more}
						<span className={styles.saved} role="status">
							{form.isSaved && t('common.saved')}
						</span>
					</div>
				)}
			</form>
		</Section>
	);
}

/** A switch that saves immediately and reverts on failure. */
export function StoredSwitch({
	label,
	hint,
	isOn,
	isOpen,
	store,
}: {
	label: string;
	hint?: ReactNode;
	isOn: boolean;
	isOpen: boolean;
	store(isOn: boolean): Promise<unknown>;
}) {
	const [moving, setMoving] = useState<boolean>();
	const [error, setError] = useState<unknown>();
	const textOf = useFaultText();
	const move = async (wanted: boolean) => {
		setMoving(wanted);
		setError(undefined);
		try {
			await store(wanted);
		} catch (refusal) {
			setError(refusal);
		} finally {
			setMoving(undefined);
		}
	};
	return (
		<Switch
			label={label}
			hint={hint}
			fault={error === undefined ? undefined : textOf(error)}
			checked={moving ?? isOn}
			disabled={!isOpen}
			onChange={(wanted) => void move(wanted)}
		/>
	);
}

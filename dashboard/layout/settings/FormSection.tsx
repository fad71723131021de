import type { ReactNode } from 'react';
import { Section } from '../../ui/Card.tsx';
import { Switch } from '../../ui/Field.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { useForm } from '../../ui/use-form.ts';
import styles from './SettingsLayout.module.css';
import { useUnsavedForm } from './UnsavedChanges.tsx';

/** A section that is saved with the others of the page. Read-only without permission. */
export function FormSection({
	title,
	isTitleHidden = false,
	text,
	form,
	isOpen = true,
	dangerLabel,
	children,
}: {
	title: string;
	/** Where the page has the same title. The bar names it. */
	isTitleHidden?: boolean;
	text?: ReactNode;
	form: { isChanged: boolean; fault: string | undefined; submit(): Promise<boolean>; reset(): void };
	isOpen?: boolean;
	/** The label of the save button where saving deletes data. */
	dangerLabel?: string | undefined;
	children: ReactNode;
}) {
	const attributes = useUnsavedForm(form, title, dangerLabel);
	return (
		<Section title={isTitleHidden ? undefined : title} text={text}>
			<form {...attributes}>
				<fieldset className={styles.part} disabled={!isOpen}>
					{children}
				</fieldset>
				{form.fault && <Notice kind="fault">{form.fault}</Notice>}
				{/* Without it, Enter would submit only a form with one field. */}
				<button type="submit" hidden />
			</form>
		</Section>
	);
}

/** A section with one switch. */
export function SwitchSection({
	title,
	label,
	hint,
	isOn,
	isOpen,
	store,
	before,
	children,
}: {
	title: string;
	label: string;
	hint?: ReactNode;
	isOn: boolean;
	isOpen: boolean;
	store(isOn: boolean): Promise<unknown>;
	/** Shown above the switch. */
	before?: ReactNode;
	children?: ReactNode;
}) {
	const form = useForm({ isOn }, (values) => store(values.isOn));
	return (
		<FormSection title={title} form={form} isOpen={isOpen}>
			{before}
			<Switch
				label={label}
				hint={hint}
				checked={form.values.isOn}
				disabled={!isOpen}
				onChange={(wanted) => form.set({ isOn: wanted })}
			/>
			{children}
		</FormSection>
	);
}

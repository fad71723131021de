import { type ComponentProps, type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './Field.module.css';

type About = {
	label: ReactNode;
	/** Help below the label. */
	hint?: ReactNode;
	/** Error from a check here or from the server. */
	fault?: string | undefined;
};

/** Label, help and error, the same for every kind of field. */
function Labelled({
	label,
	hint,
	fault,
	children,
}: About & {
	children: (attributes: { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }) => ReactNode;
}) {
	const id = useId();
	const describedBy = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ');
	return (
		<div className={styles.field}>
			<label htmlFor={id}>{label}</label>
			{children({
				id,
				...(describedBy !== '' && { 'aria-describedby': describedBy }),
				...(fault && { 'aria-invalid': true as const }),
			})}
			{fault && (
				<p className={styles.fault} id={`${id}-fault`} role="alert">
					{fault}
				</p>
			)}
			{hint && (
				<p className={styles.hint} id={`${id}-hint`}>
					{hint}
				</p>
			)}
		</div>
	);
}

export function TextField({ label, hint, fault, ...input }: About & ComponentProps<'input'>) {
	return (
		<Labelled label={label} hint={hint} fault={fault}>
			{(attributes) => <input className={styles.input} {...input} {...attributes} />}
		</Labelled>
	);
}

/** A password field whose value can be shown. */
export function PasswordField({
	label,
	hint,
	fault,
	...input
}: About & Omit<ComponentProps<'input'>, 'type'>) {
	const { t } = useTranslation();
	const [isShown, setShown] = useState(false);
	return (
		<Labelled label={label} hint={hint} fault={fault}>
			{(attributes) => (
				<div className={styles.secret}>
					<input
						className={styles.input}
						type={isShown ? 'text' : 'password'}
						spellCheck={false}
						autoCapitalize="none"
						{...input}
						{...attributes}
					/>
					<button
						type="button"
						aria-pressed={isShown}
						aria-controls={attributes.id}
						onClick={() => setShown(!isShown)}
					>
						{isShown ? t('common.hide') : t('common.show')}
					</button>
				</div>
			)}
		</Labelled>
	);
}

export function TextArea({ label, hint, fault, ...area }: About & ComponentProps<'textarea'>) {
	return (
		<Labelled label={label} hint={hint} fault={fault}>
			{(attributes) => <textarea className={styles.input} rows={4} {...area} {...attributes} />}
		</Labelled>
	);
}

export function SelectField({
	label,
	hint,
	fault,
	options,
	...select
}: About & ComponentProps<'select'> & { options: readonly (SelectOption | SelectGroup)[] }) {
	return (
		<Labelled label={label} hint={hint} fault={fault}>
			{(attributes) => (
				<select className={styles.input} {...select} {...attributes}>
					{options.map((option) =>
						'options' in option ? (
							<optgroup key={option.label} label={option.label}>
								{option.options.map(toOption)}
							</optgroup>
						) : (
							toOption(option)
						),
					)}
				</select>
			)}
		</Labelled>
	);
}

type SelectOption = { value: string; label: string };
type SelectGroup = { label: string; options: readonly SelectOption[] };

const toOption = ({ value, label }: SelectOption) => (
	<option key={value} value={value}>
		{label}
	</option>
);

/** A switch with its label. */
export function Switch({
	label,
	hint,
	fault,
	checked,
	onChange,
	disabled,
}: About & { checked: boolean; onChange(checked: boolean): void; disabled?: boolean }) {
	const id = useId();
	return (
		<div className={styles.switch}>
			<button
				type="button"
				role="switch"
				id={id}
				aria-checked={checked}
				aria-labelledby={`${id}-label`}
				aria-describedby={hint ? `${id}-hint` : undefined}
				disabled={disabled}
				onClick={() => onChange(!checked)}
			/>
			<div>
				<label id={`${id}-label`} htmlFor={id}>
					{label}
				</label>
				{hint && (
					<p className={styles.hint} id={`${id}-hint`}>
						{hint}
					</p>
				)}
				{fault && (
					<p className={styles.fault} role="alert">
						{fault}
					</p>
				)}
			</div>
		</div>
	);
}

/** A radio group with a description for each option. */
export function Choices<V extends string | number>({
	label,
	hint,
	fault,
	value,
	options,
	onChange,
}: About & {
	value: V;
	options: readonly { value: V; label: ReactNode; hint?: ReactNode }[];
	onChange(value: V): void;
}) {
	const name = useId();
	return (
		<fieldset className={styles.choices} aria-describedby={fault ? `${name}-fault` : undefined}>
			<legend>{label}</legend>
			{hint && <p className={styles.hint}>{hint}</p>}
			{options.map((option) => (
				<label key={option.value}>
					<input
						type="radio"
						name={name}
						value={option.value}
						checked={option.value === value}
						onChange={() => onChange(option.value)}
					/>
					<span>
						<b>{option.label}</b>
						{option.hint && <small>{option.hint}</small>}
					</span>
				</label>
			))}
			{fault && (
				<p className={styles.fault} id={`${name}-fault`} role="alert">
					{fault}
				</p>
			)}
		</fieldset>
	);
}

/** A group of checkboxes with a description for each option. */
export function CheckList<V extends string>({
	label,
	fault,
	values,
	options,
	onChange,
}: Omit<About, 'hint'> & {
	values: readonly V[];
	options: readonly { value: V; label: ReactNode; hint?: ReactNode }[];
	onChange(values: readonly V[]): void;
}) {
	const id = useId();
	return (
		<fieldset className={styles.choices} aria-describedby={fault ? `${id}-fault` : undefined}>
			<legend>{label}</legend>
			{options.map(({ value, label: name, hint }) => (
				<label key={value}>
					<input
						type="checkbox"
						checked={values.includes(value)}
						onChange={({ target }) =>
							onChange(target.checked ? [...values, value] : values.filter((other) => other !== value))
						}
					/>
					<span>
						<b>{name}</b>
						{hint && <small>{hint}</small>}
					</span>
				</label>
			))}
			{fault && (
				<p className={styles.fault} id={`${id}-fault`} role="alert">
					{fault}
				</p>
			)}
		</fieldset>
	);
}

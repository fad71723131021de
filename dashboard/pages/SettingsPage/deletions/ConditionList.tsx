import { Plus, X } from 'lucide-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/Button.tsx';
import { TextArea, TextField } from '../../../ui/Field.tsx';
import { valuesOf } from '../lines.ts';
import { ConditionSelects } from '../rules/ConditionSelects.tsx';
import { comparisons, deletionFields } from '../rules/kinds.ts';
import styles from './Deletions.module.css';
import { type ConditionDraft, maxConditions, newCondition } from './selection.ts';

/** Conditions that an event must all meet. */
export function ConditionList({
	conditions,
	set,
	showsFaults,
	refused,
}: {
	conditions: readonly ConditionDraft[];
	set(conditions: readonly ConditionDraft[]): void;
	/** Marks what is missing. */
	showsFaults: boolean;
	/** The numbers of a condition and a value that the API refused. */
	refused: { condition: number; value: string } | undefined;
}) {
	const { t } = useTranslation();
	const list = useRef<HTMLDivElement>(null);
	const setAndFocusLast = (changed: readonly ConditionDraft[]) => {
		set(changed);
		// Once it is rendered.
		setTimeout(() => list.current?.querySelector<HTMLElement>('fieldset:last-of-type select')?.focus());
	};
	return (
		<div className={styles.conditions} ref={list}>
			<p>{t('deletions.filter.conditions')}</p>
			{conditions.map((condition, index) => (
				<fieldset key={condition.id} className={styles.condition}>
					<legend>{t('deletions.filter.condition', { number: index + 1 })}</legend>
					<ConditionFields
						condition={condition}
						showsFaults={showsFaults}
						badValue={refused?.condition === index + 1 ? refused.value : undefined}
						change={(changed) =>
							set(conditions.map((other) => (other.id === condition.id ? { ...other, ...changed } : other)))
						}
					/>
					{conditions.length > 1 && (
						<Button
							kind="quiet"
							className={styles.remove}
							aria-label={t('deletions.filter.remove', { number: index + 1 })}
							onClick={() => setAndFocusLast(conditions.filter(({ id }) => id !== condition.id))}
						>
							<X size={15} />
						</Button>
					)}
				</fieldset>
			))}
			{conditions.length < maxConditions && (
				<div>
					<Button onClick={() => setAndFocusLast([...conditions, newCondition(conditions)])}>
						<Plus size={15} /> {t('deletions.filter.add')}
					</Button>
				</div>
			)}
		</div>
	);
}

function ConditionFields({
	condition,
	showsFaults,
	badValue,
	change,
}: {
	condition: ConditionDraft;
	showsFaults: boolean;
	/** The number of a value that the API refused. */
	badValue: string | undefined;
	change(changed: Partial<ConditionDraft>): void;
}) {
	const { t } = useTranslation();
	const { field, property, test, values } = condition;
	const isMissing = (text: string) => showsFaults && valuesOf(text).length === 0;
	const refusal = badValue && t('deletions.filter.badValue', { number: badValue });
	return (
		<>
			<ConditionSelects
				label={t('deletions.filter.field')}
				fields={deletionFields}
				field={field}
				test={test}
				onChange={change}
			/>
			{field === 'property' && (
				<TextField
					label={t('filterDialog.property')}
					value={property}
					fault={isMissing(property) ? t('deletions.filter.propertyNeeded') : undefined}
					maxLength={300}
					autoComplete="off"
					autoCapitalize="none"
					spellCheck={false}
					onChange={({ target }) => change({ property: target.value })}
				/>
			)}
			<TextArea
				label={t('trafficRules.values')}
				hint={t(field === 'country' ? 'trafficRules.country' : 'deletions.filter.perLine')}
				value={values}
				fault={isMissing(values) ? t('trafficRules.valuesNeeded') : refusal}
				placeholder={comparisons[field].example}
				rows={2}
				autoCapitalize="none"
				spellCheck={false}
				onChange={({ target }) => change({ values: target.value })}
			/>
		</>
	);
}

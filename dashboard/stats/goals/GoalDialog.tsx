import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { numberTests } from '../../../presentation/filter-chips.ts';
import { oneOf } from '../../../presentation/one-of.ts';
import { readNumber, writeNumber } from '../../../presentation/read-number.ts';
import type { Goal } from '../../api-client.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Choices, SelectField, TextField } from '../../ui/Field.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { useForm } from '../../ui/use-form.ts';
import { goals } from '../../website-client.ts';
import styles from './GoalDialog.module.css';
import { GoalNameField } from './GoalNameField.tsx';
import { refreshGoals } from './goals-key.ts';
import { ReceivedValues } from './ReceivedValues.tsx';

type PropertyTest = NonNullable<NonNullable<Goal['property']>['test']> | 'is';
const propertyTests: readonly PropertyTest[] = [
	'is',
	'contains',
	'starts_with',
	'ends_with',
	'wildcard',
	'greater_than',
	'at_least',
	'less_than',
	'at_most',
];
const isOfNumbers = (test: PropertyTest): boolean => oneOf(numberTests, test) !== undefined;

/** Creates or edits a goal. */
export function GoalDialog({
	website,
	goal,
	onClose,
}: {
	website: number;
	goal: Goal | undefined;
	onClose(): void;
}) {
	const { t, i18n } = useTranslation();
	const { language } = i18n;
	const stored = goal?.property;
	const isStoredNumber = stored?.test !== undefined && isOfNumbers(stored.test);
	const sentValueOf = ({ test, value }: { test: PropertyTest; value: string }) =>
		isOfNumbers(test) ? readNumber(value, language) : value;
	const faultOf = ({ test, value }: { test: PropertyTest; value: string }) => {
		if (value === '') return t('settings.goals.valueNeeded');
		const isNumber = /^-?\d+(\.\d+)?$/.test(readNumber(value, language));
		return isOfNumbers(test) && !isNumber ? t('settings.goals.numberNeeded') : undefined;
	};
	const form = useForm(
		{
			name: goal?.name ?? '',
			kind: goal?.kind ?? ('page' as const),
			pattern: goal?.pattern ?? '',
			property: stored?.name ?? '',
			test: stored?.test ?? ('is' as PropertyTest),
			value: isStoredNumber ? writeNumber(stored.value, language) : (stored?.value ?? ''),
		},
		async ({ property, test, value, ...fields }) => {
			const sent = { name: property, test, value: sentValueOf({ test, value }) };
			const body = { ...fields, property: property === '' ? null : sent };
			await (goal ? goals.update(website, goal.id, body) : goals.create(website, body));
			await refreshGoals(website);
			onClose();
		},
		({ name, property, test, value }) => ({
			name: name.trim() === '' ? t('settings.goals.nameNeeded') : undefined,
			value: property === '' ? undefined : faultOf({ test, value }),
		}),
	);
	const { kind } = form.values;
	/** The name that came with a suggestion, which the next one replaces. */
	const [suggested, setSuggested] = useState('');
	return (
		<Dialog
			isOpen
			title={goal ? t('settings.goals.edit') : t('settings.goals.add')}
			closeLabel={t('common.close')}
			onClose={onClose}
		>
			<form className={styles.form} onSubmit={(event) => void form.submit(event)}>
				<GoalNameField form={form} />
				<Choices<'page' | 'event'>
					label={t('settings.goals.kind')}
					value={kind}
					options={(['page', 'event'] as const).map((kind) => ({
						value: kind,
						label: t(`settings.goals.kinds.${kind}.title`),
						hint: t(`settings.goals.kinds.${kind}.text`),
					}))}
					onChange={(kind) => form.set({ kind })}
				/>
				<TextField
					label={t(`settings.goals.kinds.${kind}.pattern`)}
					hint={t('settings.goals.wildcard')}
					value={form.values.pattern}
					fault={form.faultOf('pattern') && t(`settings.goals.kinds.${kind}.bad`)}
					placeholder={kind === 'page' ? '/thanks*' : 'signup'}
					autoCapitalize="none"
					spellCheck={false}
					maxLength={500}
					required
					onChange={(event) => form.set({ pattern: event.target.value })}
				/>
				<ReceivedValues
					website={website}
					dimension={kind}
					search={form.values.pattern}
					onChoose={(pattern, name) => {
						const suggestion = name.slice(0, 100);
						const isOwn = form.values.name !== '' && form.values.name !== suggested;
						form.set({ pattern, ...(!isOwn && { name: suggestion }) });
						setSuggested(suggestion);
					}}
				/>
				<div className={styles.pair}>
					<TextField
						label={t('settings.goals.property')}
						hint={t('settings.goals.propertyHint')}
						value={form.values.property}
						fault={form.faultOf('property')}
						autoCapitalize="none"
						maxLength={100}
						onChange={(event) => form.set({ property: event.target.value })}
					/>
					<SelectField
						label={t('filterDialog.test')}
						value={form.values.test}
						options={propertyTests.map((test) => ({
							value: test,
							label: t(`statistics.filter.tests.${test}`),
						}))}
						onChange={(event) =>
							form.set({ test: propertyTests.find((test) => test === event.target.value) ?? 'is' })
						}
					/>
					<TextField
						label={t('settings.goals.value')}
						value={form.values.value}
						fault={form.faultOf('value')}
						autoCapitalize="none"
						maxLength={500}
						onChange={(event) => form.set({ value: event.target.value })}
					/>
				</div>
				{form.fault && <Notice kind="fault">{form.fault}</Notice>}
				<div className={styles.tools}>
					<Button kind="primary" type="submit" busy={form.isBusy}>
						{t('common.save')}
					</Button>
					<Button kind="quiet" onClick={onClose}>
						{t('common.cancel')}
					</Button>
				</div>
			</form>
		</Dialog>
	);
}

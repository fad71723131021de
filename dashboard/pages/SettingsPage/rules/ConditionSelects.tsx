import { useTranslation } from 'react-i18next';
import { oneOf } from '../../../../presentation/one-of.ts';
import type { DeletionField } from '../../../deletions-client.ts';
import pairStyles from '../../../stats/goals/GoalDialog.module.css';
import { SelectField } from '../../../ui/Field.tsx';
import { comparisons, type Kind, type Test } from './kinds.ts';
import { useFieldName } from './use-field-name.ts';
import { useTestName } from './use-test-name.ts';

/** Field and operator of a condition. Each field has its own operators. */
export function ConditionSelects<F extends Kind | DeletionField>(props: {
	label: string;
	fields: readonly F[];
	field: F;
	test: Test;
	onChange(chosen: { field: F; test: Test }): void;
}) {
	const { t } = useTranslation();
	const fieldName = useFieldName();
	const testName = useTestName();
	const { label, fields, field, test, onChange } = props;
	const { tests } = comparisons[field];
	return (
		<div className={pairStyles.pair}>
			<SelectField
				label={label}
				value={field}
				options={fields.map((value) => ({ value, label: fieldName(value) }))}
				onChange={({ target }) => {
					const chosen = oneOf(fields, target.value) ?? field;
					onChange({ field: chosen, test: comparisons[chosen].tests[0] });
				}}
			/>
			<SelectField
				label={t('filterDialog.test')}
				value={test}
				options={tests.map((value) => ({ value, label: testName(value) }))}
				onChange={({ target }) => onChange({ field, test: oneOf(tests, target.value) ?? tests[0] })}
			/>
		</div>
	);
}

import { useTranslation } from 'react-i18next';
import { formatCount } from '../../../../presentation/format.ts';
import type { DeletionField } from '../../../deletions-client.ts';
import styles from './ConditionText.module.css';
import type { Kind, Test } from './kinds.ts';
import { useFieldName } from './use-field-name.ts';
import { useTestName } from './use-test-name.ts';

const shownValues = 3;

/** A condition in words, with its first values. */
export function ConditionText(props: {
	field: Kind | DeletionField;
	property?: string | null;
	test: Test;
	/** Empty: they were deleted. */
	values: readonly string[];
}) {
	const { t, i18n } = useTranslation();
	const fieldName = useFieldName();
	const testName = useTestName();
	const { field, property, test, values } = props;
	const hidden = values.length - shownValues;
	return (
		<>
			{fieldName(field)} {property && <code className={styles.value}>{property}</code>} {testName(test)}{' '}
			{values.slice(0, shownValues).map((value, index) => (
				<span key={value}>
					{index > 0 && ', '}
					<code className={styles.value}>{value}</code>
				</span>
			))}
			{hidden > 0 && ` +${formatCount(hidden, i18n.language)}`}
			{values.length === 0 && t('deletions.valuesDeleted')}
		</>
	);
}

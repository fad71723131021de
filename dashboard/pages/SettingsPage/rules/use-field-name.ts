import { useTranslation } from 'react-i18next';
import type { DeletionField } from '../../../deletions-client.ts';
import type { Kind } from './kinds.ts';

/** The name of a field that conditions compare, in the language of the page. */
export function useFieldName(): (field: Kind | DeletionField) => string {
	const { t } = useTranslation();
	return (field) => {
		switch (field) {
			case 'query':
				return t('deletions.filter.query');
			case 'title':
			case 'event':
			case 'property':
				return t(`statistics.dimensions.${field}`);
			default:
				return t(`trafficRules.kinds.${field}`);
		}
	};
}

import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../api-client.ts';
import { useFaultText } from '../../../ui/use-fault-text.ts';

/** Why the events of a selection cannot be found or deleted. */
export function useSelectionFault(): (error: unknown) => string {
	const { t } = useTranslation();
	const textOf = useFaultText();
	return (error) => {
		const [fault = ''] = error instanceof ApiError ? Object.values(error.fields).flat() : [];
		if (fault.startsWith('At most 1,000 values')) return t('deletions.tooLarge');
		if (fault === 'No events match.') return t('deletions.none');
		if (error instanceof ApiError && error.code === 'limit_reached') return t('deletions.limit');
		return textOf(error);
	};
}

/** The condition and the value that the API refused. Both are counted from 1. */
export function refusedValue(fault: string | undefined): { condition: number; value: string } | undefined {
	const [, condition, value] = /^Condition (\d+): Value (\d+) /.exec(fault ?? '') ?? [];
	return condition === undefined || value === undefined ? undefined : { condition: Number(condition), value };
}

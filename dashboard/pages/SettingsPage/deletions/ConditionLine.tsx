import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import { ConditionText } from '../rules/ConditionText.tsx';

/** A condition in words. All but the first begin with “and”. */
export function ConditionLine(props: { condition: ComponentProps<typeof ConditionText>; isFirst: boolean }) {
	const { t } = useTranslation();
	return (
		<>
			{!props.isFirst && `${t('deletions.list.and')} `}
			<ConditionText {...props.condition} />
		</>
	);
}

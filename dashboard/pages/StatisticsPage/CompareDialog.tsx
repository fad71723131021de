import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../ui/Dialog.tsx';
import { Calendar } from './Calendar.tsx';

/** Chooses a custom comparison range. */
export function CompareDialog({
	onClose,
	...calendar
}: ComponentProps<typeof Calendar> & { onClose(): void }) {
	const { t } = useTranslation();
	return (
		<Dialog
			title={t('statistics.compare.customTitle')}
			isOpen
			onClose={onClose}
			closeLabel={t('common.close')}
		>
			<Calendar {...calendar} />
		</Dialog>
	);
}

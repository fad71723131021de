import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { saveTable } from '../../api-client.ts';
import { Button } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { useFaultText } from '../../ui/use-fault-text.ts';
import { type ListState, queryOf } from './list-state.ts';

/** All websites that match, not only those on this page. */
export function ExportCsv({ state }: { state: ListState }) {
	const { t } = useTranslation();
	const textOf = useFaultText();
	const save = useMutation({ mutationFn: () => saveTable('/stats', queryOf(state), 'websites.csv') });
	return (
		<>
			<Button
				kind="quiet"
				title={t('lazyPanels.large.csvTitle')}
				busy={save.isPending}
				onClick={() => save.mutate()}
			>
				{t('lazyPanels.large.csv')}
			</Button>
			{save.error && <Notice kind="fault">{textOf(save.error)}</Notice>}
		</>
	);
}

import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatCount, formatDate } from '../../../presentation/format.ts';
import { type Parameters, type Row, statistics } from '../../api-client.ts';
import { Mark } from '../../marks/Mark.tsx';
import { Button } from '../../ui/Button.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { useFaultText } from '../../ui/use-fault-text.ts';
import styles from '../LargePanel.module.css';
import { useNames } from '../use-names.ts';

const rowsShown = 10;

type Props = {
	websiteId: number;
	dimension: string;
	second: string;
	/** With a filter by the row that is opened. */
	question: Parameters;
	cells(row: Row): ReactNode;
};

/** The rows of the second dimension below an opened row. */
export function InnerRows({ websiteId, dimension, second, question, cells }: Props) {
	const { t, i18n } = useTranslation();
	const names = useNames();
	const textOf = useFaultText();
	const parameters = { ...question, by: second, per_page: rowsShown };
	const { data, error, refetch } = useQuery({
		queryKey: ['large', websiteId, dimension, parameters],
		queryFn: ({ signal }) => statistics.breakdown(websiteId, dimension, parameters, signal),
	});
	const wide = (content: ReactNode) => (
		<tr className={styles.inner}>
			<td colSpan={99}>{content}</td>
		</tr>
	);
	if (error)
		return wide(
			<span role="alert">
				{textOf(error)}{' '}
				<Button kind="quiet" onClick={() => void refetch()}>
					{t('common.tryAgain')}
				</Button>
			</span>,
		);
	if (!data) return wide(<Skeleton height={20} />);
	const { total, available_from: from } = data.meta;
	if (data.data.length === 0)
		return wide(
			from === null
				? t('lazyPanels.large.empty')
				: t('panels.availableFrom', { date: formatDate(from, i18n.language) }),
		);
	const more = total - data.data.length;
	return (
		<>
			{data.data.map((row) => {
				const value = row.by ?? '';
				return (
					<tr key={value} className={styles.inner}>
						<th scope="row">
							<Mark dimension={second} value={value} country={undefined} />
							{names.value(second, value)}
						</th>
						{cells(row)}
					</tr>
				);
			})}
			{more > 0 &&
				wide(t('lazyPanels.large.more', { count: more, number: formatCount(more, i18n.language) }))}
		</>
	);
}

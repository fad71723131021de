import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { type Parameters, type Row, statistics } from '../../api-client.ts';
import { Mark } from '../../marks/Mark.tsx';
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
	const { t } = useTranslation();
	const names = useNames();
	const textOf = useFaultText();
	const asked = { ...question, by: second, per_page: rowsShown };
	const { data, error } = useQuery({
		queryKey: ['large', websiteId, dimension, asked],
		queryFn: ({ signal }) => statistics.breakdown(websiteId, dimension, asked, signal),
	});
	const wide = (content: ReactNode) => (
		<tr className={styles.inner}>
			<td colSpan={99}>{content}</td>
		</tr>
	);
	if (error) return wide(textOf(error));
	if (!data) return wide(<Skeleton height={20} />);
	if (data.data.length === 0) return wide(t('lazyPanels.large.empty'));
	const more = data.meta.total - data.data.length;
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
			{more > 0 && wide(t('lazyPanels.large.more', { count: more }))}
		</>
	);
}

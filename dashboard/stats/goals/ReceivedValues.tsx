import { useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../../../presentation/format.ts';
import { statistics } from '../../api-client.ts';
import { useNames } from '../use-names.ts';
import styles from './ReceivedValues.module.css';

/** Pages or events of the last 30 days that fit what is typed, most frequent first, each with its visitors. */
export function ReceivedValues(props: {
	website: number;
	dimension: 'page' | 'event';
	search: string;
	onChoose(value: string, name: string): void;
}) {
	const { t, i18n } = useTranslation();
	const names = useNames();
	const { website, dimension, onChoose } = props;
	// A pattern finds what begins like it.
	const search = useDeferredValue(props.search.trim().split('*')[0] ?? '');
	const parameters = { period: '30d', metrics: 'visitors', per_page: 10, ...(search !== '' && { search }) };
	const { data } = useQuery({
		queryKey: ['stats', website, dimension, parameters],
		queryFn: ({ signal }) => statistics.breakdown(website, dimension, parameters, signal),
		placeholderData: (before, query) => (query?.queryKey[2] === dimension ? before : undefined),
	});
	const rows =
		data?.data.filter(({ other, value }) => !other && value !== '' && value !== props.search) ?? [];
	if (rows.length === 0) return null;
	return (
		<fieldset className={styles.received}>
			<legend>{t('lazyPanels.received')}</legend>
			{rows.map(({ value, visitors }) => {
				const name = names.value(dimension, value);
				return (
					<button key={value} type="button" title={name} onClick={() => onChoose(value, name)}>
						<span>{name}</span> <small>{formatCount(visitors, i18n.language)}</small>
					</button>
				);
			})}
		</fieldset>
	);
}

import { ChevronDown } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Menu, MenuItem } from '../../ui/Menu.tsx';
import styles from '../LargePanel.module.css';
import { useNames } from '../use-names.ts';

export const secondDimensions: readonly string[] = [
	'page',
	'page_group',
	'entry_page',
	'exit_page',
	'source',
	'channel',
	'utm_campaign',
	'country',
	'language',
	'device',
	'browser',
	'os',
	'event',
	'hour',
	'weekday',
];

/** Selects the second dimension; '' is none. */
export function SecondMenu(props: { dimension: string; second: string; onChange(second: string): void }) {
	const { dimension, second, onChange } = props;
	const { t } = useTranslation();
	const names = useNames();
	return (
		<Menu
			className={styles.button}
			button={
				<>
					{second === ''
						? t('lazyPanels.large.split')
						: t('lazyPanels.large.splitBy', { dimension: names.dimension(second) })}{' '}
					<ChevronDown size={15} />
				</>
			}
		>
			<MenuItem isChosen={second === ''} onSelect={() => onChange('')}>
				{t('lazyPanels.large.splitNone')}
			</MenuItem>
			{secondDimensions
				.filter((name) => name !== dimension)
				.map((name) => (
					<MenuItem key={name} isChosen={name === second} onSelect={() => onChange(name)}>
						{names.dimension(name)}
					</MenuItem>
				))}
		</Menu>
	);
}

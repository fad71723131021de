import { useTranslation } from 'react-i18next';
import { formatCount } from '../../../../presentation/format.ts';
import type { PathPreview } from '../../../rules-client.ts';
import styles from './PathGroups.module.css';

/** How much is grouped, and which paths. */
export function Examples({ matched }: { matched: PathPreview['data']['unmatched'] }) {
	const { t, i18n } = useTranslation();
	const count = (value: number) => formatCount(value, i18n.language);
	const counts = t('pathGroups.rules.count', {
		paths: count(matched.paths),
		views: count(matched.pageviews),
	});
	if (matched.examples.length === 0) return <p className={styles.counts}>{counts}</p>;
	return (
		<details className={styles.counts}>
			<summary>{counts}</summary>
			<ul aria-label={t('pathGroups.rules.examples')}>
				{matched.examples.map(({ path, pageviews }) => (
					<li key={path}>
						<code>{path}</code> <span>{count(pageviews)}</span>
					</li>
				))}
			</ul>
		</details>
	);
}

import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { formatCount, formatRate } from '../../../presentation/format.ts';
import type { Journey, JourneyPath } from '../../api-client.ts';
import { pathKeyOf } from './journey-layout.ts';
import { useNodeTexts } from './node-texts.ts';
import styles from './Paths.module.css';
import type { JourneyView } from './use-journey.ts';

const mostShown = 10;

/** The most frequent whole paths. Selecting one draws it in the flow. */
export function TopPaths({ journey, view }: { journey: Journey; view: JourneyView }) {
	const { t, i18n } = useTranslation();
	const texts = useNodeTexts();
	const paths = (journey.paths ?? []).filter(({ visits }) => visits > 0).slice(0, mostShown);
	const most = Math.max(1, ...paths.map(({ visits }) => visits));
	const arrow = view.direction === 'after' ? '→' : '←';
	return (
		<aside className={styles.side} aria-label={t('journeys.paths')}>
			<header>
				<h2>{t('journeys.paths')}</h2>
				<span className={styles.about}>{t('statistics.metrics.visits.label')}, %</span>
			</header>
			<ol>
				{paths.map(({ nodes, visits, share }) => {
					const key = pathKeyOf(nodes);
					const isOn = key === view.path;
					return (
						<li key={key} style={{ '--share': visits / most }}>
							<Link
								className={styles.path}
								href={view.hrefOf({ path: isOn ? '' : key })}
								aria-current={isOn || undefined}
							>
								<span className={styles.nodes}>
									{nodes.map((node, index) => (
										// biome-ignore lint/suspicious/noArrayIndexKey: a step has its place
										<Fragment key={index}>
											{index > 0 && (
												<>
													<wbr />
													<span className={styles.arrow}> {arrow} </span>
												</>
											)}
											<span className={node.value === null ? styles.end : undefined}>{texts.name(node)}</span>
										</Fragment>
									))}
								</span>
								<span className={styles.numbers}>
									<b>{formatCount(visits, i18n.language)}</b>{' '}
									<span className={styles.share}>{formatRate(share, i18n.language)}</span>
								</span>
							</Link>
						</li>
					);
				})}
			</ol>
		</aside>
	);
}

/** What is known of the selected path. */
export function SelectedPath({ path, view }: { path: JourneyPath; view: JourneyView }) {
	const { t, i18n } = useTranslation();
	const texts = useNodeTexts();
	const changed = texts.change(path.visits, path.compared_visits);
	return (
		<p className={styles.selected} role="status">
			<span>{t('journeys.selected')}</span>
			<b>{texts.visits(path.visits)}</b>
			<span>{formatRate(path.share, i18n.language)}</span>
			{changed && (
				<span className={styles.change}>
					{changed} {t('statistics.change.vs', { before: formatCount(path.compared_visits, i18n.language) })}
				</span>
			)}
			<Link href={view.hrefOf({ path: '' })} aria-label={t('journeys.clear')} title={t('journeys.clear')}>
				×
			</Link>
		</p>
	);
}

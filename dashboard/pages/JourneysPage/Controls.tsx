import { Table, Waypoints } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { ViewQuery } from '../../../presentation/view-query.ts';
import type { ShownWebsite } from '../../stats/panel.ts';
import { Button } from '../../ui/Button.tsx';
import { Switch } from '../../ui/Field.tsx';
import styles from './Controls.module.css';
import { StartPicker } from './StartPicker.tsx';
import { type JourneyView, mostSteps, stepsParameter } from './use-journey.ts';

/** What is asked, and how it is shown. Every choice is in the URL. */
export function Controls({
	website,
	query,
	view,
	onSave,
}: {
	website: ShownWebsite;
	query: ViewQuery;
	view: JourneyView;
	onSave(): void;
}) {
	const { t } = useTranslation();
	const { direction, steps, isFolded, hasEvents, isGrouped, isTable, hrefOf, set } = view;
	const setSteps = (wanted: number) => set({ steps: stepsParameter(wanted), path: '' });
	return (
		<div className={styles.bar}>
			<nav className={styles.choice} aria-label={t('journeys.direction')}>
				{(['after', 'before'] as const).map((name) => (
					<Link
						key={name}
						href={hrefOf({ direction: name === 'after' ? '' : name, path: '' })}
						aria-current={name === direction || undefined}
					>
						{t(`journeys.${name}`)}
					</Link>
				))}
			</nav>
			<StartPicker website={website} query={query} view={view} />
			<fieldset className={styles.steps}>
				<legend className="unseen">{t('journeys.stepsLabel')}</legend>
				<button
					type="button"
					aria-label={t('journeys.fewer')}
					disabled={steps === 1}
					onClick={() => setSteps(steps - 1)}
				>
					−
				</button>
				<output>{t('journeys.steps', { count: steps })}</output>
				<button
					type="button"
					aria-label={t('journeys.more')}
					disabled={steps === mostSteps}
					onClick={() => setSteps(steps + 1)}
				>
					+
				</button>
			</fieldset>
			<div className={styles.switches}>
				<Switch
					label={t('journeys.fold')}
					checked={isFolded}
					onChange={(on) => set({ repeats: on ? '' : '1', path: '' })}
				/>
				<Switch
					label={t('statistics.tabs.page_group')}
					checked={isGrouped}
					onChange={(on) => set({ groups: on ? '1' : '', path: '' })}
				/>
				<Switch
					label={t('journeys.events')}
					checked={hasEvents}
					onChange={(on) => set({ events: on ? '1' : '', path: '' })}
				/>
			</div>
			<div className={styles.end}>
				<nav className={`${styles.choice} ${styles.views}`} aria-label={t('journeys.view')}>
					<Link href={hrefOf({ view: '' })} aria-current={!isTable || undefined}>
						<Waypoints />
						{t('journeys.flow')}
					</Link>
					<Link href={hrefOf({ view: 'table' })} aria-current={isTable || undefined}>
						<Table />
						{t('journeys.table')}
					</Link>
				</nav>
				<Button kind="quiet" title={t('lazyPanels.large.csvTitle')} onClick={onSave}>
					CSV
				</Button>
			</div>
		</div>
	);
}

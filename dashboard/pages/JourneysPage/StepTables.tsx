import { useTranslation } from 'react-i18next';
import { formatCount, formatRate } from '../../../presentation/format.ts';
import type { Journey, JourneyNode } from '../../api-client.ts';
import { keyOf } from './journey-layout.ts';
import { NodeMenu } from './NodeMenu.tsx';
import { hasValue, useNodeTexts } from './node-texts.ts';
import styles from './StepTables.module.css';
import type { JourneyView } from './use-journey.ts';

type Step = Pick<NonNullable<Journey['steps']>[number], 'links'>;

const shownNeighbors = 3;

/** The journey as a table per step, with the links of the flow: on phones, for screen readers, and as a view of its own. */
export function StepTables({
	journey,
	view,
	websiteId,
}: {
	journey: Journey;
	view: JourneyView;
	websiteId: number;
}) {
	const { t, i18n } = useTranslation();
	const { language } = i18n;
	const texts = useNodeTexts();
	const isCompared = journey.compared_visits !== null;
	const filled = (journey.steps ?? []).filter(({ nodes }) => nodes.length > 0);
	/** The most frequent nodes on the other side of the links. Those of the first step are the start alone. */
	const neighborsOf = ({ links }: Step, node: JourneyNode): string | undefined => {
		const list = links
			.flatMap(({ from, to, visits }) => (from && keyOf(to) === keyOf(node) ? [{ from, visits }] : []))
			.toSorted((a, b) => b.visits - a.visits)
			.slice(0, shownNeighbors)
			.map(({ from, visits }) => `${texts.name(from)} (${formatCount(visits, language)})`)
			.join(', ');
		return list === ''
			? undefined
			: t(journey.direction === 'after' ? 'journeys.from' : 'journeys.to', { list });
	};
	return filled.map(({ step, nodes, links }) => (
		<table key={step} className={styles.table}>
			<caption>{t('journeys.step', { step })}</caption>
			<thead>
				<tr>
					<th scope="col" className="unseen">
						{t('statistics.dimensions.page')}
					</th>
					<th scope="col">{t('statistics.metrics.visits.label')}</th>
					<th scope="col">%</th>
					{isCompared && <th scope="col">{t('lazyPanels.large.change')}</th>}
				</tr>
			</thead>
			<tbody>
				{nodes.map(({ kind, value, visits, share, compared_visits }) => {
					const node = { kind, value };
					const neighbors = neighborsOf({ links }, node);
					return (
						<tr key={keyOf(node)} style={{ '--share': share ?? 0 }} data-kind={kind}>
							<th scope="row">
								{hasValue(kind) ? (
									<NodeMenu
										node={node}
										websiteId={websiteId}
										view={view}
										label={texts.label(node, step, { visits, share })}
										className={styles.name}
									>
										{texts.name(node)}
									</NodeMenu>
								) : (
									<span className={styles.name}>{texts.name(node)}</span>
								)}
								{neighbors && <small className={styles.neighbors}>{neighbors}</small>}
							</th>
							<td>{formatCount(visits, language)}</td>
							<td>{formatRate(share, language)}</td>
							{isCompared && <td>{texts.change(visits, compared_visits)}</td>}
						</tr>
					);
				})}
			</tbody>
		</table>
	));
}

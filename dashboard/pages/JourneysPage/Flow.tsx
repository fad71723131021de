import { LogIn, LogOut } from 'lucide-react';
import { useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { formatCount, formatRate } from '../../../presentation/format.ts';
import type { Journey, JourneyPath } from '../../api-client.ts';
import { useWidth } from '../../ui/use-width.ts';
import styles from './Flow.module.css';
import { type Band, columnWidth, layOut, type PlacedNode } from './journey-layout.ts';
import { NodeMenu } from './NodeMenu.tsx';
import { hasValue, useNodeTexts } from './node-texts.ts';
import type { JourneyView } from './use-journey.ts';

/** Below this height, name and number share a line. */
const twoLines = 44;
/** Narrower nodes have no room for a change. */
const wide = 136;

type Props = {
	journey: Journey;
	view: JourneyView;
	websiteId: number;
	startName: string;
	selected: JourneyPath | undefined;
};

/** Nodes are as tall as their visits, bands as wide. With steps before the start, it is on the right. */
export function Flow(props: Props) {
	const { journey, view, startName, selected } = props;
	const { t } = useTranslation();
	const frame = useRef<HTMLDivElement>(null);
	const width = useWidth(frame);
	const flow = useMemo(() => layOut(journey, selected, width), [journey, selected, width]);
	const isMirrored = view.direction === 'before';
	const leftOf = (x: number, ownWidth: number) => (isMirrored ? width - x - ownWidth : x);
	return (
		<div ref={frame} className={styles.flow}>
			{width > 0 && (
				<>
					<Heads journey={journey} columns={flow.columns} width={width} leftOf={leftOf} />
					<div className={styles.canvas} style={{ height: flow.height }}>
						<svg width={width} height={flow.height} aria-hidden="true">
							<g transform={isMirrored ? `translate(${width} 0) scale(-1 1)` : undefined}>
								<Bands bands={flow.bands} />
								<Bands bands={flow.selectedBands} isSelected />
							</g>
						</svg>
						<ul aria-label={t('statistics.journeys')}>
							{flow.nodes.map((node) => (
								<li
									key={node.key}
									className={styles.place}
									style={{
										left: leftOf(node.x, node.width),
										top: node.y,
										width: node.width,
										height: node.height,
									}}
								>
									<Node {...props} placed={node} name={startName} isOn={flow.selectedKeys.has(node.key)} />
								</li>
							))}
						</ul>
					</div>
				</>
			)}
		</div>
	);
}

function Heads({
	journey,
	columns,
	width,
	leftOf,
}: {
	journey: Journey;
	columns: number;
	width: number;
	leftOf(x: number, ownWidth: number): number;
}) {
	const { t, i18n } = useTranslation();
	const texts = useNodeTexts();
	const own = columnWidth(width, columns);
	const between = columns > 1 ? (width - own) / (columns - 1) : 0;
	const visitsAt = (step: number) =>
		journey.steps?.[step - 1]?.nodes
			.filter(({ kind }) => kind !== 'exit' && kind !== 'entry')
			.reduce((sum, { visits }) => sum + visits, 0) ?? 0;
	const numberOf = (visits: number) =>
		own < wide ? formatCount(visits, i18n.language) : texts.visits(visits);
	return (
		<div className={styles.heads}>
			{Array.from({ length: columns }, (_, step) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: a column is its step
				<p key={step} style={{ left: leftOf(step * between, own), width: own }}>
					<b>
						{step > 0
							? t('journeys.step', { step })
							: t(journey.direction === 'after' ? 'journeys.start' : 'journeys.end')}
					</b>
					<span>{numberOf(step === 0 ? (journey.visits ?? 0) : visitsAt(step))}</span>
				</p>
			))}
		</div>
	);
}

const Bands = ({ bands, isSelected = false }: { bands: readonly Band[]; isSelected?: boolean }) =>
	bands.map(({ key, path, isExit }) => (
		<path
			key={key}
			d={path}
			className={isSelected ? styles.selectedBand : isExit ? styles.exitBand : styles.band}
		/>
	));

function Node({
	placed,
	name,
	isOn,
	view,
	websiteId,
}: Props & { placed: PlacedNode; name: string; isOn: boolean }) {
	const { t, i18n } = useTranslation();
	const texts = useNodeTexts();
	const { node, step, visits, share, compared, width, height } = placed;
	const isTall = height >= twoLines;
	const changed = texts.change(visits, compared);
	const content = (
		<>
			<span className={styles.name}>
				{node?.kind === 'exit' && <LogOut />}
				{node?.kind === 'entry' && <LogIn />}
				<span>{node ? texts.name(node) : name}</span>
			</span>
			<span className={styles.count}>
				<b>{formatCount(visits, i18n.language)}</b> {node && isTall && formatRate(share, i18n.language)}
				{node && changed && isTall && width >= wide && <em> {changed}</em>}
			</span>
			{!node && changed && (
				<small>
					{changed} {t('statistics.change.vs', { before: formatCount(compared, i18n.language) })}
				</small>
			)}
		</>
	);
	const className = [
		styles.node,
		isTall && styles.tall,
		isOn && styles.on,
		node === null ? styles.start : styles[node.kind],
	]
		.filter(Boolean)
		.join(' ');
	if (!node || !hasValue(node.kind)) return <div className={className}>{content}</div>;
	return (
		<NodeMenu
			node={node}
			websiteId={websiteId}
			view={view}
			label={texts.label(node, step, { visits, share })}
			className={className}
		>
			{content}
		</NodeMenu>
	);
}

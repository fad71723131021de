import {
	type KeyboardEvent,
	type PointerEvent,
	type ReactNode,
	useEffect,
	useId,
	useRef,
	useState,
} from 'react';
import styles from './LineChart.module.css';
import { useWidth } from './use-width.ts';

export type LineValues = readonly (number | null)[];

/** A pointer that moves fewer pixels than this clicks instead of selecting. */
const leastDrag = 8;
/** A tooltip takes this many pixels. */
const leastTipSide = 300;
const top = 10;
const foot = 32;

export type SecondLine = {
	values: LineValues;
	/** As many as those of the first line. */
	ticks: readonly number[];
	tickText(value: number): string;
};

type LineChartProps = {
	/** Accessible name of the chart. */
	label: string;
	help: string;
	values: LineValues;
	compared?: LineValues | undefined;
	/** Index of the point whose interval has not ended yet. Later points are in the future. */
	unfinished?: number | undefined;
	/** A thin line with its own axis on the right. */
	second?: SecondLine | undefined;
	/** From 0 up; the last is the upper edge. */
	ticks: readonly number[];
	tickText(value: number): string;
	/** Label below the axis. */
	pointText(index: number): string;
	/** Text of a point for screen readers. */
	describe(index: number): string;
	/** Indexes of points with a note. */
	marks: ReadonlySet<number>;
	/** Content of the tooltip of a point. */
	tip(index: number, isPinned: boolean): ReactNode;
	/** Actions in the tooltip of a pinned point; `close` unpins it. */
	actions(index: number, close: () => void): ReactNode;
	/** A range was selected by dragging. */
	onSelect(first: number, last: number): void;
	height?: number;
};

type Drag = { from: number; to: number };

/**
 * A line chart over evenly spaced points, with an optional comparison line. It is drawn at the measured width and never
 * stretched. Pointer, touch and arrow keys move along the points.
 */
export function LineChart(props: LineChartProps) {
	const { values, height = 264 } = props;
	const frame = useRef<HTMLDivElement>(null);
	const slider = useRef<HTMLDivElement>(null);
	const card = useRef<HTMLDivElement>(null);
	const width = useWidth(frame);
	const helpId = useId();
	const [shown, setShown] = useState<number>();
	const [pinned, setPinned] = useState<number>();
	const [drag, setDrag] = useState<Drag>();
	const last = values.length - 1;
	/** The point that keys start from. */
	const latest = props.unfinished ?? lastWithValue(values);
	const active = pinned ?? shown;

	// A series of another length has other points, so indexes of the previous one are dropped.
	const [length, setLength] = useState(values.length);
	if (length !== values.length) {
		setLength(values.length);
		setShown(undefined);
		setPinned(undefined);
		setDrag(undefined);
	}

	const close = () => setPinned(undefined);
	useEffect(() => {
		if (pinned === undefined) return;
		const onPress = (event: Event) => {
			if (event.target instanceof Node && frame.current?.contains(event.target)) return;
			setPinned(undefined);
			setShown(undefined);
		};
		const onKey = (event: globalThis.KeyboardEvent) => {
			if (event.key !== 'Escape' || !frame.current?.contains(document.activeElement)) return;
			setPinned(undefined);
			slider.current?.focus();
		};
		document.addEventListener('pointerdown', onPress);
		document.addEventListener('keydown', onKey);
		return () => {
			document.removeEventListener('pointerdown', onPress);
			document.removeEventListener('keydown', onKey);
		};
	}, [pinned]);

	const scale = scaleOf(width, height, last, props);
	const { x, nearest } = scale;
	const pointerX = (event: PointerEvent) =>
		event.clientX - (frame.current?.getBoundingClientRect().left ?? 0);

	const onKeyDown = (event: KeyboardEvent) => {
		const from = active ?? latest;
		const to = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: last }[event.key];
		if (to !== undefined) {
			event.preventDefault();
			setPinned(undefined);
			setShown(active === undefined && event.key.startsWith('Arrow') ? latest : clamp(to, last));
		} else if (event.key === 'Enter' || event.key === ' ') {
			event.preventDefault();
			setPinned(from);
			requestAnimationFrame(() => card.current?.querySelector<HTMLElement>('button, a')?.focus());
		} else if (event.key === 'Escape' && active !== undefined) {
			event.preventDefault();
			setPinned(undefined);
			setShown(undefined);
		}
	};

	const onPointerUp = (event: PointerEvent) => {
		const position = pointerX(event);
		const started = drag;
		setDrag(undefined);
		if (started && isDragged({ from: started.from, to: position })) {
			const [first, end] = rangeOf({ from: started.from, to: position }, nearest);
			if (end > first) {
				setShown(undefined);
				props.onSelect(first, end);
			}
			return;
		}
		if (event.button !== 0) return;
		const index = nearest(position);
		setShown(index);
		setPinned(pinned === index ? undefined : index);
	};

	return (
		<div ref={frame} className={styles.chart} style={{ height }}>
			<div
				ref={slider}
				className={styles.plot}
				role="slider"
				tabIndex={0}
				aria-label={props.label}
				aria-describedby={helpId}
				aria-valuemin={0}
				aria-valuemax={Math.max(last, 0)}
				aria-valuenow={active ?? Math.max(latest, 0)}
				aria-valuetext={last < 0 ? '' : props.describe(Math.min(active ?? latest, last))}
				onKeyDown={onKeyDown}
				onFocus={() => slider.current?.matches(':focus-visible') && setShown((index) => index ?? latest)}
				onBlur={() => pinned === undefined && setShown(undefined)}
				onPointerDown={(event) => {
					if (event.button !== 0) return;
					// Touch scrolls the page and moves along the line; only mouse and pen select a range.
					if (event.pointerType !== 'touch') {
						event.currentTarget.setPointerCapture(event.pointerId);
						setDrag({ from: pointerX(event), to: pointerX(event) });
					}
				}}
				onPointerMove={(event) => {
					const position = pointerX(event);
					if (drag) setDrag({ ...drag, to: position });
					if (pinned === undefined || event.pointerType === 'touch') setShown(nearest(position));
				}}
				onPointerUp={onPointerUp}
				onPointerCancel={() => setDrag(undefined)}
				onPointerLeave={() => !drag && pinned === undefined && setShown(undefined)}
			>
				{width > 0 && <Plot {...props} scale={scale} active={active} drag={drag} />}
			</div>
			<p id={helpId} className="unseen">
				{props.help}
			</p>
			{width > 0 && active !== undefined && active <= last && !isDragged(drag) && (
				<div
					ref={card}
					className={`${styles.tip} ${pinned === undefined ? styles.floating : ''}`}
					style={tipPlace(x(active), scale)}
				>
					{props.tip(active, pinned !== undefined)}
					{pinned !== undefined && props.actions(pinned, close)}
				</div>
			)}
		</div>
	);
}

/** Next to the point, on the side with more room; below the chart where neither side has enough. */
function tipPlace(position: number, { width, height, left, inner }: Scale) {
	if (width < leastTipSide * 2) return { left: 0, right: 0, top: height };
	return position > left + inner / 2
		? { right: width - position + 14, maxWidth: position - 20 }
		: { left: position + 14, maxWidth: width - position - 20 };
}

/** Where points and values are in pixels. */
function scaleOf(
	width: number,
	height: number,
	last: number,
	{ ticks, tickText, second }: Pick<LineChartProps, 'ticks' | 'tickText' | 'second'>,
) {
	const roomFor = (texts: readonly string[]) => 14 + Math.max(...texts.map((text) => text.length)) * 6.6;
	const left = roomFor(ticks.map(tickText));
	const right = second ? roomFor(second.ticks.map(second.tickText)) : 12;
	const base = height - foot;
	const inner = Math.max(width - left - right, 1);
	const yOf =
		(most = 1) =>
		(value: number) =>
			base - (value / (most || 1)) * (base - top);
	return {
		width,
		height,
		last,
		left,
		right,
		base,
		inner,
		x: (index: number) => left + (last < 1 ? inner / 2 : (index * inner) / last),
		y: yOf(ticks.at(-1)),
		ySecond: yOf(second?.ticks.at(-1)),
		nearest: (position: number) =>
			last < 1 ? 0 : clamp(Math.round(((position - left) / inner) * last), last),
	};
}

type Scale = ReturnType<typeof scaleOf>;
type PlotProps = LineChartProps & {
	scale: Scale;
	active: number | undefined;
	drag: Drag | undefined;
};

function Plot({ values, compared = [], unfinished, ticks, marks, scale, active, drag, ...props }: PlotProps) {
	const { width, height, last, left, right, base, inner, x, y } = scale;
	const finished = values.slice(0, unfinished);
	const every = Math.max(1, Math.ceil(values.length / Math.max(2, Math.floor(inner / 76))));
	const labeled = values.flatMap((_, index) => (index % every === 0 ? [index] : []));
	return (
		<svg width={width} height={height} aria-hidden="true">
			{ticks.map((tick) => (
				<g key={tick}>
					<line className={styles.rule} x1={left} x2={width - right} y1={y(tick)} y2={y(tick)} />
					<text x={left - 9} y={y(tick) + 4} textAnchor="end">
						{props.tickText(tick)}
					</text>
				</g>
			))}
			{labeled.map((index) => (
				<text key={index} x={x(index)} y={height - 6} textAnchor={anchorOf(x(index), left, width - right)}>
					{props.pointText(index)}
				</text>
			))}
			<path className={styles.area} d={areaPath(finished, scale)} />
			<path className={styles.compared} d={linePath(compared.slice(0, values.length), scale)} />
			{props.second && <Second {...props.second} unfinished={unfinished} scale={scale} active={active} />}
			<path className={styles.line} d={linePath(finished, scale)} />
			<path className={styles.open} d={openPath(values, unfinished, scale)} />
			{isolatedPoints(values).map((index) => (
				<circle key={index} className={styles.alone} cx={x(index)} cy={y(values[index] ?? 0)} r={3} />
			))}
			{drag && isDragged(drag) && <Selection drag={drag} scale={scale} />}
			{active !== undefined && active <= last && (
				<>
					<line className={styles.guide} x1={x(active)} x2={x(active)} y1={top} y2={base} />
					{typeof compared[active] === 'number' && (
						<circle className={styles.dotCompared} cx={x(active)} cy={y(compared[active] ?? 0)} r={3.5} />
					)}
					{typeof values[active] === 'number' && (
						<circle className={styles.dot} cx={x(active)} cy={y(values[active] ?? 0)} r={4.5} />
					)}
				</>
			)}
			{[...marks]
				.filter((index) => index <= last)
				.map((index) => (
					<path key={index} className={styles.mark} d={`M${x(index)} ${base - 5}l5 5-5 5-5-5z`} />
				))}
		</svg>
	);
}

function Second({
	values,
	ticks,
	tickText,
	unfinished,
	scale,
	active,
}: SecondLine & Pick<PlotProps, 'unfinished' | 'scale' | 'active'>) {
	const { width, right, x, ySecond: y } = scale;
	const own = { ...scale, y };
	const value = active === undefined ? undefined : values[active];
	return (
		<>
			{ticks.map((tick) => (
				<text key={tick} x={width - right + 9} y={y(tick) + 4}>
					{tickText(tick)}
				</text>
			))}
			<path className={styles.second} d={linePath(values.slice(0, unfinished), own)} />
			<path className={`${styles.second} ${styles.dotted}`} d={openPath(values, unfinished, own)} />
			{active !== undefined && typeof value === 'number' && (
				<circle className={styles.dotSecond} cx={x(active)} cy={y(value)} r={3.2} />
			)}
		</>
	);
}

function Selection({ drag, scale: { x, base, nearest } }: { drag: Drag; scale: Scale }) {
	const [first, end] = rangeOf(drag, nearest);
	return (
		<rect className={styles.selection} x={x(first)} width={x(end) - x(first)} y={top} height={base - top} />
	);
}

const lastWithValue = (values: LineValues): number => {
	const index = values.findLastIndex((value) => value !== null);
	return index === -1 ? values.length - 1 : index;
};

const clamp = (index: number, last: number): number => Math.min(last, Math.max(0, index));
const isDragged = (drag: Drag | undefined): boolean =>
	drag !== undefined && Math.abs(drag.to - drag.from) >= leastDrag;
const rangeOf = ({ from, to }: Drag, nearest: Scale['nearest']): [number, number] => [
	nearest(Math.min(from, to)),
	nearest(Math.max(from, to)),
];

type LinePoint = { index: number; value: number };

/** Stretches without a gap. A missing value is not zero. */
function segmentsOf(values: LineValues): LinePoint[][] {
	const segments: LinePoint[][] = [[]];
	for (const [index, value] of values.entries()) {
		if (value === null) segments.push([]);
		else segments.at(-1)?.push({ index, value });
	}
	return segments.filter((segment) => segment.length > 0);
}

const segmentPath = (segment: readonly LinePoint[], { x, y }: Scale) =>
	`M${segment.map(({ index, value }) => `${x(index).toFixed(1)} ${y(value).toFixed(1)}`).join('L')}`;

const linePath = (values: LineValues, scale: Scale) =>
	segmentsOf(values)
		.map((segment) => segmentPath(segment, scale))
		.join('');

const areaPath = (values: LineValues, scale: Scale) =>
	segmentsOf(values)
		.map((segment) => `${segmentPath(segment, scale)}V${scale.base}H${scale.x(segment[0]?.index ?? 0)}Z`)
		.join('');

/** From the last finished point to the unfinished one. */
function openPath(values: LineValues, unfinished: number | undefined, { x, y }: Scale): string {
	if (unfinished === undefined) return '';
	const [before, open] = [values[unfinished - 1], values[unfinished]];
	if (typeof before !== 'number' || typeof open !== 'number') return '';
	return `M${x(unfinished - 1)} ${y(before)}L${x(unfinished)} ${y(open)}`;
}

/** Keeps labels at the edges inside the chart. */
function anchorOf(position: number, left: number, end: number): 'start' | 'middle' | 'end' {
	if (position - left < 16) return 'start';
	return end - position < 16 ? 'end' : 'middle';
}

/** Points without neighbors, which a line would not show. */
function isolatedPoints(values: LineValues): number[] {
	return values.flatMap((value, index) =>
		value !== null && typeof values[index - 1] !== 'number' && typeof values[index + 1] !== 'number'
			? [index]
			: [],
	);
}

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

/** So far a pointer is moved before it is a selection and no press. */
const leastDrag = 8;
const top = 10;
const foot = 32;
const right = 12;

/**
 * A line over evenly spaced points, with another one behind it to compare. It is drawn in the pixels that there are, never
 * stretched. Pointer, finger and arrow keys walk along it; what is said of a point stands beside it.
 */
export function LineChart(props: {
	/** What it shows, for who listens. */
	label: string;
	help: string;
	values: LineValues;
	compared?: LineValues | undefined;
	/** The point of which more is to come. */
	unfinished?: number | undefined;
	/** From 0 up; the last is the upper edge. */
	ticks: readonly number[];
	tickText(value: number): string;
	/** Below the axis. */
	pointText(index: number): string;
	/** A point in a sentence, for who listens. */
	describe(index: number): string;
	/** Points with something pinned to them. */
	marks: ReadonlySet<number>;
	/** What is said of a point. */
	tip(index: number): ReactNode;
	/** What can be done with a point once it was pressed; `close` puts it away. */
	actions(index: number, close: () => void): ReactNode;
	/** A stretch was drawn with the pointer. */
	onSelect(first: number, last: number): void;
	height?: number;
}) {
	const { values, compared = [], unfinished, ticks, marks, height = 264 } = props;
	const frame = useRef<HTMLDivElement>(null);
	const slider = useRef<HTMLDivElement>(null);
	const card = useRef<HTMLDivElement>(null);
	const width = useWidth(frame);
	const helpId = useId();
	const [shown, setShown] = useState<number>();
	const [pinned, setPinned] = useState<number>();
	const [drag, setDrag] = useState<{ from: number; to: number }>();
	const last = values.length - 1;
	const active = pinned ?? shown;

	// A series of another length has other points: what was shown of the one before is gone.
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

	const left = 14 + Math.max(...ticks.map((tick) => props.tickText(tick).length)) * 6.6;
	const base = height - foot;
	const inner = Math.max(width - left - right, 1);
	const x = (index: number) => left + (last < 1 ? inner / 2 : (index * inner) / last);
	const most = ticks.at(-1) || 1;
	const y = (value: number) => base - (value / most) * (base - top);
	const nearest = (at: number) =>
		last < 1 ? 0 : Math.min(last, Math.max(0, Math.round(((at - left) / inner) * last)));
	const atPointer = (event: PointerEvent) =>
		event.clientX - (frame.current?.getBoundingClientRect().left ?? 0);

	const lineOf = (drawn: LineValues) =>
		runsOf(drawn)
			.map((run) => pathOf(run, x, y))
			.join('');
	const areaOf = (drawn: LineValues) =>
		runsOf(drawn)
			.map((run) => `${pathOf(run, x, y)}V${base}H${x(run[0]?.index ?? 0)}Z`)
			.join('');
	const finished = unfinished === undefined ? values : values.slice(0, unfinished);
	const [before, open] = unfinished === undefined ? [] : [values[unfinished - 1], values[unfinished]];
	const every = Math.max(1, Math.ceil(values.length / Math.max(2, Math.floor(inner / 76))));
	const labelled = values.flatMap((_, index) => (index % every === 0 ? [index] : []));

	const onKeyDown = (event: KeyboardEvent) => {
		const from = active ?? last;
		const to = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: last }[event.key];
		if (to !== undefined) {
			event.preventDefault();
			setPinned(undefined);
			setShown(active === undefined && event.key.startsWith('Arrow') ? last : clamp(to, last));
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
		const at = atPointer(event);
		const started = drag;
		setDrag(undefined);
		if (started && Math.abs(at - started.from) >= leastDrag) {
			const [first, end] = [nearest(Math.min(at, started.from)), nearest(Math.max(at, started.from))];
			if (end > first) {
				setShown(undefined);
				props.onSelect(first, end);
			}
			return;
		}
		if (event.button !== 0) return;
		const index = nearest(at);
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
				aria-valuenow={active ?? Math.max(last, 0)}
				aria-valuetext={last < 0 ? '' : props.describe(Math.min(active ?? last, last))}
				onKeyDown={onKeyDown}
				onFocus={() => slider.current?.matches(':focus-visible') && setShown((one) => one ?? last)}
				onBlur={() => pinned === undefined && setShown(undefined)}
				onPointerDown={(event) => {
					if (event.button !== 0) return;
					// A finger scrolls and walks along the line; only what is held like a pen selects.
					if (event.pointerType !== 'touch') {
						event.currentTarget.setPointerCapture(event.pointerId);
						setDrag({ from: atPointer(event), to: atPointer(event) });
					}
				}}
				onPointerMove={(event) => {
					const at = atPointer(event);
					if (drag) setDrag({ ...drag, to: at });
					if (pinned === undefined || event.pointerType === 'touch') setShown(nearest(at));
				}}
				onPointerUp={onPointerUp}
				onPointerCancel={() => setDrag(undefined)}
				onPointerLeave={() => !drag && pinned === undefined && setShown(undefined)}
			>
				{width > 0 && (
					<svg width={width} height={height} aria-hidden="true">
						{ticks.map((tick) => (
							<g key={tick}>
								<line className={styles.rule} x1={left} x2={width - right} y1={y(tick)} y2={y(tick)} />
								<text x={left - 9} y={y(tick) + 4} textAnchor="end">
									{props.tickText(tick)}
								</text>
							</g>
						))}
						{labelled.map((index) => (
							<text key={index} x={x(index)} y={height - 6} textAnchor={anchorOf(x(index), left, width)}>
								{props.pointText(index)}
							</text>
						))}
						<path className={styles.area} d={areaOf(finished)} />
						<path className={styles.compared} d={lineOf(compared.slice(0, values.length))} />
						<path className={styles.line} d={lineOf(finished)} />
						{unfinished !== undefined && typeof before === 'number' && typeof open === 'number' && (
							<path
								className={styles.open}
								d={`M${x(unfinished - 1)} ${y(before)}L${x(unfinished)} ${y(open)}`}
							/>
						)}
						{alone(values).map((index) => (
							<circle key={index} className={styles.alone} cx={x(index)} cy={y(values[index] ?? 0)} r={3} />
						))}
						{drag && Math.abs(drag.to - drag.from) >= leastDrag && (
							<rect
								className={styles.selection}
								x={x(nearest(Math.min(drag.from, drag.to)))}
								width={x(nearest(Math.max(drag.from, drag.to))) - x(nearest(Math.min(drag.from, drag.to)))}
								y={top}
								height={base - top}
							/>
						)}
						{active !== undefined && active <= last && (
							<>
								<line className={styles.guide} x1={x(active)} x2={x(active)} y1={top} y2={base} />
								{typeof compared[active] === 'number' && (
									<circle
										className={styles.dotCompared}
										cx={x(active)}
										cy={y(compared[active] ?? 0)}
										r={3.5}
									/>
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
				)}
			</div>
			<p id={helpId} className="unseen">
				{props.help}
			</p>
			{width > 0 && active !== undefined && active <= last && !isDragged(drag) && (
				<div
					ref={card}
					className={`${styles.tip} ${pinned === undefined ? styles.floating : ''}`}
					style={
						x(active) > left + inner / 2
							? { right: width - x(active) + 14, maxWidth: x(active) - 20 }
							: { left: x(active) + 14, maxWidth: width - x(active) - 20 }
					}
				>
					{props.tip(active)}
					{pinned !== undefined && props.actions(pinned, close)}
				</div>
			)}
		</div>
	);
}

const clamp = (index: number, last: number): number => Math.min(last, Math.max(0, index));
const isDragged = (drag: { from: number; to: number } | undefined): boolean =>
	drag !== undefined && Math.abs(drag.to - drag.from) >= leastDrag;

type LinePoint = { index: number; value: number };

/** The stretches without a gap: what has no value is no zero. */
function runsOf(values: LineValues): LinePoint[][] {
	const runs: LinePoint[][] = [[]];
	for (const [index, value] of values.entries()) {
		if (value === null) runs.push([]);
		else runs.at(-1)?.push({ index, value });
	}
	return runs.filter((run) => run.length > 0);
}

const pathOf = (run: readonly LinePoint[], x: (index: number) => number, y: (value: number) => number) =>
	`M${run.map(({ index, value }) => `${x(index).toFixed(1)} ${y(value).toFixed(1)}`).join('L')}`;

/** Letters at the edges stay inside. */
function anchorOf(at: number, left: number, width: number): 'start' | 'middle' | 'end' {
	if (at - left < 16) return 'start';
	return width - right - at < 16 ? 'end' : 'middle';
}

/** Points without neighbours, which a line would not show. */
function alone(values: LineValues): number[] {
	return values.flatMap((value, index) =>
		value !== null && typeof values[index - 1] !== 'number' && typeof values[index + 1] !== 'number'
			? [index]
			: [],
	);
}

import type { ReactNode } from 'react';
import styles from './ChartTooltip.module.css';

/** Tooltip of a chart. Its numbers are also in the table, so it is hidden from screen readers. */
export function ChartTooltip({
	side,
	distance,
	top = '0px',
	children,
}: {
	/** Side of the point. */
	side: 'left' | 'right';
	/** CSS distance from the opposite edge. */
	distance: string;
	top?: string;
	/** `small` is the title; a `span` is a line with its number in a `b`. */
	children: ReactNode;
}) {
	const edge = side === 'right' ? 'left' : 'right';
	return (
		<p className={styles.tip} style={{ [edge]: `calc(${distance} + 12px)`, top }} aria-hidden="true">
			{children}
		</p>
	);
}

/**
 * The side with more space for a tooltip at a position between 0 and 1. `before` is the width of content before the chart,
 * such as row names.
 */
export function tooltipSide(place: number, before = '0px'): { side: 'left' | 'right'; distance: string } {
	const drawn = `(100% - ${before})`;
	return place < 0.5
		? { side: 'right', distance: `(${before} + ${drawn} * ${place})` }
		: { side: 'left', distance: `(${drawn} * ${1 - place})` };
}

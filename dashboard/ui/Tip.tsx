import type { ReactNode } from 'react';
import styles from './Tip.module.css';

/** Beside what is pointed at in a drawing: numbers that its table has too, so nobody who listens needs it. */
export function Tip({
	side,
	distance,
	top = '0px',
	children,
}: {
	/** On which side of what is pointed at. */
	side: 'left' | 'right';
	/** How far that is from the drawing's other edge, as CSS has it. */
	distance: string;
	top?: string;
	/** `small` is what it is about; a `span` is a line with its number in a `b`. */
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
 * On the side with more room, of a place between 0 and 1 along the drawing. `before` is how wide what stands before the
 * drawing is, such as the names of its rows.
 */
export function besideOf(place: number, before = '0px'): { side: 'left' | 'right'; distance: string } {
	const drawn = `(100% - ${before})`;
	return place < 0.5
		? { side: 'right', distance: `(${before} + ${drawn} * ${place})` }
		: { side: 'left', distance: `(${drawn} * ${1 - place})` };
}

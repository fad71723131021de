import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import styles from './Tooltip.module.css';

const restMs = 350;

/** Tooltip on hover and focus; Escape closes it. */
export function Tooltip({
	text,
	children,
}: {
	text: ReactNode;
	/** A focusable element, given the attributes that connect it to the tooltip. */
	children: (attributes: { 'aria-describedby': string | undefined }) => ReactNode;
}) {
	const id = useId();
	const frame = useRef<HTMLDivElement>(null);
	const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
	const [side, setSide] = useState<'left' | 'right'>();
	const open = () => {
		const { left = 0 } = frame.current?.getBoundingClientRect() ?? {};
		// On the right half of the window it extends to the left.
		setSide(left > window.innerWidth / 2 ? 'right' : 'left');
	};
	const close = () => {
		clearTimeout(timer.current);
		setSide(undefined);
	};
	useEffect(() => {
		if (!side) return;
		const onKey = ({ key }: KeyboardEvent) => key === 'Escape' && setSide(undefined);
		document.addEventListener('keydown', onKey);
		return () => document.removeEventListener('keydown', onKey);
	}, [side]);
	useEffect(() => () => clearTimeout(timer.current), []);
	return (
		// biome-ignore lint/a11y/noStaticElementInteractions: what it holds is pressed; this only watches over it
		<div
			ref={frame}
			className={styles.frame}
			onPointerEnter={(event) => {
				if (event.pointerType !== 'touch') timer.current = setTimeout(open, restMs);
			}}
			onPointerLeave={close}
			onPointerDown={close}
			onFocus={(event) => event.target.matches(':focus-visible') && open()}
			onBlur={close}
		>
			{children({ 'aria-describedby': side && id })}
			{side && (
				<div id={id} role="tooltip" className={`${styles.hint} ${styles[side]}`}>
					{text}
				</div>
			)}
		</div>
	);
}

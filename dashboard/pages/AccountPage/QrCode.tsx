import { create } from 'qrcode';
import { useMemo } from 'react';
import styles from './AccountPage.module.css';

/** Free room around the code, in modules, without which cameras miss it. */
const margin = 2;

/** Dark on light in every theme: cameras know it no other way. */
export function QrCode({ text, label }: { text: string; label: string }) {
	const { size, path } = useMemo(() => draw(text), [text]);
	return (
		<div className={styles.qr}>
			<svg
				viewBox={`${-margin} ${-margin} ${size + 2 * margin} ${size + 2 * margin}`}
				shapeRendering="crispEdges"
				role="img"
				aria-label={label}
			>
				<path d={path} />
			</svg>
		</div>
	);
}

/** One square for each dark module. */
function draw(text: string): { size: number; path: string } {
	const { modules } = create(text, { errorCorrectionLevel: 'M' });
	const { size } = modules;
	const squares = Array.from(modules.data, (isDark, index) =>
		isDark ? `M${index % size} ${Math.floor(index / size)}h1v1h-1z` : '',
	);
	return { size, path: squares.join('') };
}

/** Color strength of a value. Grows with the square root, so that small values differ visibly from zero. */
export const heatColor = (count: number, most: number): string =>
	count === 0
		? 'var(--line-2)'
		: `color-mix(in oklab, var(--sea) ${Math.round(14 + 86 * Math.sqrt(count / most))}%, var(--surface))`;

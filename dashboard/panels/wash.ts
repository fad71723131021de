/** How strongly a number is washed in the colour of the sea. Small ones must be told from none, so it grows with the root. */
export const washOf = (count: number, most: number): string =>
	count === 0
		? 'var(--line-2)'
		: `color-mix(in oklab, var(--sea) ${Math.round(14 + 86 * Math.sqrt(count / most))}%, var(--surface))`;

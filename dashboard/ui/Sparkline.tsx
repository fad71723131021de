/** A line without axes. Its numbers are shown beside it. */
export function Sparkline({
	values,
	isLastUnfinished = false,
	height = 34,
	className,
}: {
	values: readonly number[];
	/** The last interval is not over yet: the line to it is dotted, as in the chart. */
	isLastUnfinished?: boolean;
	height?: number;
	className?: string | undefined;
}) {
	const width = 300;
	const top = Math.max(...values, 1) * 1.08;
	const x = (index: number) => (values.length < 2 ? width : (index * width) / (values.length - 1));
	const y = (value: number) => height - 2 - (value / top) * (height - 6);
	const points = values.map((value, index) => `${x(index).toFixed(1)} ${y(value).toFixed(1)}`);
	const finished = isLastUnfinished ? points.slice(0, -1) : points;
	const end = x(finished.length - 1).toFixed(1);
	const stroke = {
		fill: 'none',
		stroke: 'var(--sea)',
		strokeWidth: '1.8',
		strokeLinejoin: 'round',
		vectorEffect: 'non-scaling-stroke',
	} as const;
	return (
		<svg
			viewBox={`0 0 ${width} ${height}`}
			preserveAspectRatio="none"
			className={className}
			height={height}
			aria-hidden="true"
		>
			{points.length > 1 && (
				<>
					<path d={`M${finished.join('L')}L${end} ${height}L0 ${height}Z`} fill="var(--sea-wash)" />
					<path d={`M${finished.join('L')}`} {...stroke} />
					{isLastUnfinished && (
						<path d={`M${points.slice(-2).join('L')}`} {...stroke} strokeDasharray="2 4" data-unfinished />
					)}
				</>
			)}
		</svg>
	);
}

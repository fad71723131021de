/** A line without axes. Its numbers are shown beside it. */
export function Sparkline({
	values,
	height = 34,
	className,
}: {
	values: readonly number[];
	height?: number;
	className?: string | undefined;
}) {
	const width = 300;
	const top = Math.max(...values, 1) * 1.08;
	const x = (index: number) => (values.length < 2 ? width : (index * width) / (values.length - 1));
	const y = (value: number) => height - 2 - (value / top) * (height - 6);
	const line = values
		.map((value, index) => `${index ? 'L' : 'M'}${x(index).toFixed(1)} ${y(value).toFixed(1)}`)
		.join('');
	return (
		<svg
			viewBox={`0 0 ${width} ${height}`}
			preserveAspectRatio="none"
			className={className}
			height={height}
			aria-hidden="true"
		>
			{values.length > 1 && (
				<>
					<path d={`${line}L${width} ${height}L0 ${height}Z`} fill="var(--sea-wash)" />
					<path
						d={line}
						fill="none"
						stroke="var(--sea)"
						strokeWidth="1.8"
						strokeLinejoin="round"
						vectorEffect="non-scaling-stroke"
					/>
				</>
			)}
		</svg>
	);
}

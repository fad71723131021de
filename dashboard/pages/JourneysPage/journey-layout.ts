/** The geometry of a flow: nodes as tall as their visits, in a column per step. Pure. */
import { type SankeyLink, type SankeyNode, sankey } from 'd3-sankey';
import type { Journey, JourneyNode } from '../../api-client.ts';

export type FlowNode = {
	/** Of the node within the flow. */
	key: string;
	/** 0: the start. */
	step: number;
	node: JourneyNode | null;
	visits: number;
	share: number | null;
	change: number | null;
	compared: number | null;
};

export type PlacedNode = FlowNode & { x: number; y: number; width: number; height: number };
export type Band = { key: string; path: string; isExit: boolean };
export type Flow = { nodes: PlacedNode[]; bands: Band[]; height: number; columns: number };

/** Names a node, such as `page:/pricing`, also in the URL. */
export const keyOf = ({ kind, value }: Pick<JourneyNode, 'kind' | 'value'>): string =>
	`${kind}:${value ?? ''}`;
export const pathKeyOf = (nodes: readonly Pick<JourneyNode, 'kind' | 'value'>[]): string =>
	nodes.map(keyOf).join(' → ');

const isEnd = (node: Pick<JourneyNode, 'kind'> | null): boolean =>
	node?.kind === 'exit' || node?.kind === 'entry';

const fullHeight = 460;
/** Small nodes are taller than their visits, so that they can be read and selected. */
const leastHeight = 24;
const gap = 8;
const startKey = 'start';
const keyAt = (step: number, node: Pick<JourneyNode, 'kind' | 'value'> | null): string =>
	node === null ? startKey : `${step} ${keyOf(node)}`;

type Node = SankeyNode<FlowNode, FlowLink>;
type FlowLink = { isExit: boolean };

/** `selected`: the nodes of a path, which are drawn as one band. */
export function layOut(
	{ visits, compared_visits, change, steps }: Journey,
	selected: { nodes: readonly JourneyNode[]; visits: number } | undefined,
	width: number,
): Flow & { selectedBands: Band[]; selectedKeys: ReadonlySet<string> } {
	const shown = (steps ?? []).map(({ nodes, links, ...step }) => ({
		...step,
		nodes: nodes.filter((node) => node.visits > 0),
		links: links.filter((link) => link.visits > 0),
	}));
	const columns = 1 + shown.filter(({ nodes }) => nodes.length > 0).length;
	const all: FlowNode[] = [
		{
			...{ key: startKey, step: 0, node: null, visits: visits ?? 0, share: 1 },
			...{ change, compared: compared_visits },
		},
		...shown.flatMap(({ step, nodes }) =>
			nodes.map(({ kind, value, compared_visits: compared, ...counts }) => ({
				...{ key: keyAt(step, { kind, value }), step, node: { kind, value }, compared },
				...{ visits: counts.visits, share: counts.share, change: counts.change },
			})),
		),
	];
	const order = new Map(all.map(({ key }, index) => [key, index]));
	const place = (key: string) => order.get(key) ?? 0;
	const graph = sankey<FlowNode, FlowLink>()
		.nodeId(({ key }) => key)
		.nodeAlign(({ step }) => step)
		.nodeSort((a, b) => place(a.key) - place(b.key))
		// Bands leave and arrive in the order of the nodes at their other ends.
		.linkSort(
			(a, b) =>
				place(keyIn(a.target)) - place(keyIn(b.target)) || place(keyIn(a.source)) - place(keyIn(b.source)),
		)
		.nodeWidth(columnWidth(width, columns))
		.nodePadding(gap)
		.iterations(0)
		.extent([
			[0, 0],
			[width, fullHeight],
		]);
	const placed = graph({
		nodes: all.map((node) => ({ ...node })),
		links: shown.flatMap(({ step, links }) =>
			links.map((link) => ({
				source: keyAt(step - 1, link.from),
				target: keyAt(step, link.to),
				value: link.visits,
				isExit: isEnd(link.to),
			})),
		),
	});
	for (const column of Map.groupBy(placed.nodes, ({ step }) => step).values()) stack(column);
	graph.update(placed);
	const drawn = placed.nodes.map(toPlaced);
	const scale = heightOf(placed.nodes[0]) / Math.max(visits ?? 0, 1);
	const selectedKeys = selectedKeysOf(selected?.nodes ?? [], order);
	return {
		columns,
		nodes: drawn,
		height: Math.max(...drawn.map(({ y, height }) => y + height)),
		bands: placed.links.map((link) => toBand(link, link.width ?? 0)),
		selectedKeys: new Set(selectedKeys),
		selectedBands: selectedKeys.slice(1).flatMap((key, index) => {
			const link = placed.links.find(
				({ source, target }) => keyIn(source) === selectedKeys[index] && keyIn(target) === key,
			);
			return link ? [toBand(link, Math.max(3, (selected?.visits ?? 0) * scale))] : [];
		}),
	};
}

/** Columns are as wide as their names need, and leave room for bands. */
export const columnWidth = (width: number, columns: number): number =>
	Math.min(180, Math.max(96, (width / columns) * 0.72));

/** From the top, each with at least the height of a line. */
function stack(column: readonly Node[]): void {
	let top = 0;
	for (const node of column) {
		const height = Math.max(leastHeight, heightOf(node));
		node.y0 = top;
		node.y1 = top + height;
		top += height + gap;
	}
}

const heightOf = (node: Node | undefined): number => (node?.y1 ?? 0) - (node?.y0 ?? 0);

const toPlaced = ({ key, step, node, visits, share, change, compared, ...at }: Node): PlacedNode => ({
	...{ key, step, node, visits, share, change, compared },
	x: at.x0 ?? 0,
	y: at.y0 ?? 0,
	width: (at.x1 ?? 0) - (at.x0 ?? 0),
	height: (at.y1 ?? 0) - (at.y0 ?? 0),
});

const keyIn = (end: SankeyLink<FlowNode, FlowLink>['source']): string =>
	typeof end === 'object' ? end.key : String(end);

/** A ribbon of this width between the sides of two nodes. */
function toBand(link: SankeyLink<FlowNode, FlowLink>, wanted: number): Band {
	const { source, target, y0 = 0, y1 = 0, isExit } = link;
	const [x0, x1] = [edgeOf(source, 'x1'), edgeOf(target, 'x0')];
	const half = Math.max(1, wanted) / 2;
	const middle = (x0 + x1) / 2;
	const curve = (from: number, fromY: number, to: number, toY: number) =>
		`${from} ${fromY} C ${middle} ${fromY} ${middle} ${toY} ${to} ${toY}`;
	return {
		key: `${keyIn(source)} ${keyIn(target)}`,
		path: `M ${curve(x0, y0 - half, x1, y1 - half)} L ${curve(x1, y1 + half, x0, y0 + half)} Z`,
		isExit,
	};
}

const edgeOf = (end: SankeyLink<FlowNode, FlowLink>['source'], edge: 'x0' | 'x1'): number =>
	typeof end === 'object' ? (end[edge] ?? 0) : 0;

/** The nodes of the flow that a path goes through: those that are not listed separately are among the others. */
function selectedKeysOf(nodes: readonly JourneyNode[], order: ReadonlyMap<string, number>): string[] {
	if (nodes.length === 0) return [];
	const keys = nodes.map((node, index) => {
		const key = keyAt(index + 1, node);
		return order.has(key) ? key : keyAt(index + 1, { kind: 'other', value: null });
	});
	return [startKey, ...keys];
}

/**
 * The SELECT behind journeys. It reads the visits once, counts them by path, and only then works with texts: each path becomes its
 * links, one per step, and itself. Then only the nodes of each step are ranked, each with the links that lead to it, and those that
 * are not among the first are one node, `(other)`.
 *
 * In the rows a node is a text: `p` and a path, `g` and a page group, `e` and the name of an event, or `o` for all others. An empty text is the anchor, as
 * where the first step comes from, and otherwise the end of the visit.
 */
import type { CountedColumn, Expression } from '../../derive/counts.ts';
import { identifier, join, param, type Sql, sql } from '../../store/sql.ts';
import type { Goal, Question } from '../question/question.ts';
import { isWithin } from './funnel.ts';
import type { Part } from './plan.ts';
import { meetsOf, selectionOf } from './visit-filter.ts';

/** Where journeys start. A visit's anchor is its first event that meets it. */
export type Anchor = { kind: 'page' | 'page_group' | 'event'; value: string } | { kind: 'goal'; goal: Goal };

export type Journey = {
	anchor: Anchor;
	direction: 'after' | 'before';
	/** How many steps at most. */
	steps: number;
	/** Whether equal nodes one after the other are one node. */
	isFolded: boolean;
	/** What is a node: page views, or custom events too. */
	nodes: 'pages' | 'all';
	/** Whether page views are nodes by their page group. */
	isGrouped: boolean;
	/** How many nodes of a step are counted by themselves. */
	maxNodes: number;
	maxPaths: number;
};

/** `step` 0: a whole path. */
export type PathRow = {
	step: number;
	from_node: string;
	to_node: string;
	path: string[];
	visits: string;
	compared: string;
};

export function buildPaths(
	question: Question,
	journey: Journey,
	parts: readonly Part[],
	visitsWith: (part: Part, columns: readonly CountedColumn[]) => Sql,
): Sql {
	const { steps, nodes, isGrouped, maxNodes, maxPaths } = journey;
	const visits = parts.map(
		(part) => sql`
			SELECT ${param('UInt8', Number(part.isCompared))} AS is_compared, nodes
			FROM (${nodesOf(question, journey, part, (columns) => visitsWith(part, columns))})`,
	);
	// Only page views have no kind yet: their codes are faster to count than texts.
	const named =
		nodes === 'pages' ? sql`arrayMap(node -> concat(${prefixOf(isGrouped)}, node), nodes)` : sql`nodes`;
	return sql`
	SELECT
		step, if(origin.1 = '' OR has(named_before, origin.1), origin.1, 'o') AS from_node, shown AS to_node, origin.2 AS path,
		sum(origin.3) AS visits, sum(origin.4) AS compared
	FROM (
		SELECT step, shown, origins, arrayMap(node -> node.2, arrayFilter(node -> node.1 + 1 = step, all_named)) AS named_before
		FROM (
			SELECT step, shown, origins, groupArrayIf((step, shown), shown NOT IN ('', 'o')) OVER () AS all_named
			FROM (
				-- Few rows: every row gets the nodes of all steps.
				SELECT step, if(place <= ${param('UInt8', maxNodes)}, to_node, 'o') AS shown, groupArrayArray(origins) AS origins
				FROM (
					SELECT
						step, to_node, origins,
						if(to_node = '', 0, row_number() OVER (PARTITION BY step ORDER BY to_node = '', node_visits DESC, node_compared DESC, to_node)) AS place
					FROM (
						-- A node of a step, with the nodes that visits came from.
						SELECT
							step, to_node, sum(links.visits) AS node_visits, sum(links.compared) AS node_compared,
							groupArray((from_node, path, links.visits, links.compared)) AS origins
						FROM (
							SELECT
								link.1 AS step, link.2 AS from_node, link.3 AS to_node, link.4 AS path,
								sum(paths.visits) AS visits, sum(paths.compared) AS compared
							FROM (
								SELECT arrayPushFront(${named}, '') AS named, visits, compared
								FROM (
									SELECT nodes, countIf(is_compared = 0) AS visits, countIf(is_compared = 1) AS compared
									FROM (${join(visits, ' UNION ALL ')})
									GROUP BY nodes
								)
							) AS paths
							ARRAY JOIN arrayPushFront(
								arrayMap(
									k -> (toUInt8(k), named[k], named[k + 1], emptyArrayString()),
									range(1, least(length(named), ${param('UInt8', steps)}) + 1)
								),
								(toUInt8(0), '', '', arrayPopFront(named))
							) AS link
							GROUP BY step, from_node, to_node, path
							ORDER BY visits DESC, compared DESC, path
							-- Links have a row each; whole paths are cut here.
							LIMIT ${param('UInt16', maxPaths)} BY step, from_node, to_node
						) AS links
						GROUP BY step, to_node
					)
				)
				GROUP BY step, shown
			)
		)
	)
	ARRAY JOIN origins AS origin
	GROUP BY step, from_node, to_node, path
	ORDER BY step, visits DESC, compared DESC, path, from_node, to_node`;
}

const prefixOf = (isGrouped: boolean): Sql => (isGrouped ? sql`'g'` : sql`'p'`);

/** The nodes of each visit that has the anchor, from there on in the direction, without the anchor. */
function nodesOf(
	{ website, filter }: Question,
	{ anchor, direction, steps, isFolded, nodes, isGrouped }: Journey,
	{ timing }: Pick<Part, 'timing'>,
	visitsWith: (columns: readonly CountedColumn[]) => Sql,
): Sql {
	const selection = selectionOf(filter, website.goals);
	const { has, position } = findAnchor(anchor);
	const pages = isGrouped ? 'page_groups' : 'paths';
	const lists: CountedColumn[] = nodes === 'pages' ? ['kinds', pages] : ['kinds', pages, 'names'];
	const columns = [
		...new Set([
			...selection.columns,
			...position.columns,
			...lists,
			...(timing ? (['start'] as const) : []),
		]),
	];
	const isNode =
		nodes === 'all' || (anchor.kind === 'goal' ? anchor.goal.kind === 'page' : anchor.kind !== 'event');
	const others = isNode ? 0 : 1;
	const onwards = (list: CountedColumn) => {
		const name = identifier(list);
		return direction === 'after'
			? sql`arraySlice(${name}, anchor_at + ${param('UInt8', others)})`
			: sql`arrayReverse(arraySlice(${name}, 1, anchor_at - ${param('UInt8', others)}))`;
	};
	const all =
		nodes === 'pages'
			? sql`arrayFilter((path, kind) -> kind = 'pageview', ${onwards(pages)}, ${onwards('kinds')})`
			: sql`arrayMap(
				(kind, path, name) -> if(kind = 'pageview', concat(${prefixOf(isGrouped)}, toString(path)), concat('e', toString(name))),
				${onwards('kinds')}, ${onwards(pages)}, ${onwards('names')}
			)`;
	// The anchor is folded with equal nodes next to it, and left out afterwards.
	const folded = isFolded ? sql`arrayCompact(${all})` : all;
	return sql`
				SELECT arraySlice(${folded}, ${param('UInt8', isNode ? 2 : 1)}, ${param('UInt8', steps)}) AS nodes
				FROM (
					SELECT ${join(lists.map(identifier), ', ')}, ${position.sql} AS anchor_at
					FROM (${visitsWith(columns)})
					WHERE visitor_id != 0 AND ${has} AND (${selection.sql}) AND ${isWithin(timing)}
				)
				WHERE anchor_at > 0`;
}

/** Where the first event is that meets the anchor, counted from 1; and a condition that is cheap and never excludes such a visit. */
function findAnchor(anchor: Anchor): { has: Sql; position: Expression } {
	switch (anchor.kind) {
		case 'page': {
			const value = param('String', anchor.value);
			return {
				// In a list of coded texts, has() does not find the empty one.
				has: anchor.value === '' ? sql`true` : sql`has(paths, ${value})`,
				position: {
					columns: ['kinds', 'paths'],
					sql: sql`arrayFirstIndex((kind, path) -> kind = 'pageview' AND path = ${value}, kinds, paths)`,
				},
			};
		}
		case 'page_group':
			return {
				has: sql`true`,
				position: {
					columns: ['kinds', 'page_groups'],
					sql: sql`arrayFirstIndex((kind, page_group) -> kind = 'pageview' AND page_group = ${param('String', anchor.value)}, kinds, page_groups)`,
				},
			};
		case 'event': {
			const value = param('String', anchor.value);
			return {
				has: anchor.value === '' ? sql`true` : sql`has(names, ${value})`,
				position: {
					columns: ['kinds', 'names'],
					sql: sql`arrayFirstIndex((kind, name) -> kind = 'custom' AND name = ${value}, kinds, names)`,
				},
			};
		}
		case 'goal': {
			const meets = meetsOf(anchor.goal);
			return { has: sql`true`, position: { columns: meets.columns, sql: sql`indexOf(${meets.sql}, 1)` } };
		}
	}
}

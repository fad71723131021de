/** Journeys as a person would follow them, one visit after another: written from their definition, and sharing no statement with the product. */
import type { Event } from '../../server/ingest/event.ts';
import type { Anchor, Journey } from '../../server/stats/answer/journey-paths.ts';
import type { JourneyAnswer } from '../../server/stats/answer/journeys.ts';
import type { Question, StatsWebsite } from '../../server/stats/question/question.ts';
import { groupOf, meets, selectVisits } from './stats-oracle.ts';

type Rules = StatsWebsite['pathRules'];

const pageGroupOf = ({ route, path }: Event, rules: Rules): string => route || groupOf(path, rules);

/** `p/pricing`, `g/product/:id`, `eSignup`; `exit` and `other` have no kind. */
function textOf(event: Event, { isGrouped }: Journey, rules: Rules): string {
	if (event.kind !== 'pageview') return `e${event.name}`;
	return isGrouped ? `g${pageGroupOf(event, rules)}` : `p${event.path}`;
}

const kinds = { p: 'page', g: 'page_group', e: 'event' } as const;

const nodeOf = (text: string) => {
	if (text === 'exit' || text === 'other') return { kind: text } as const;
	// All texts of nodes begin with one of these.
	return { kind: kinds[text[0] as keyof typeof kinds], value: text.slice(1) } as const;
};

function isAnchor(event: Event, anchor: Anchor, rules: Rules): boolean {
	switch (anchor.kind) {
		case 'page_group':
			return event.kind === 'pageview' && pageGroupOf(event, rules) === anchor.value;
		case 'page':
			return event.kind === 'pageview' && event.path === anchor.value;
		case 'event':
			return event.kind === 'custom' && event.name === anchor.value;
		case 'goal':
			return meets(event, anchor.goal);
	}
}

/** The steps of one visit, at most as many as wanted; undefined without the anchor. */
function follow(events: readonly Event[], journey: Journey, rules: Rules) {
	const { anchor, direction, steps, isFolded, nodes } = journey;
	const first = events.findIndex((event) => isAnchor(event, anchor, rules));
	const start = events[first];
	if (!start) return undefined;
	const onwards = direction === 'after' ? events.slice(first + 1) : events.slice(0, first).reverse();
	const path: string[] = [];
	let before = nodes === 'all' || start.kind === 'pageview' ? textOf(start, journey, rules) : '';
	for (const event of onwards) {
		if (nodes === 'pages' && event.kind !== 'pageview') continue;
		const text = textOf(event, journey, rules);
		if (!(isFolded && text === before)) path.push(text);
		before = text;
	}
	return path.length < steps ? [...path, 'exit'] : path.slice(0, steps);
}

type Tally = { visits: number; compared: number };
type Counted = { path: string[] } & Tally;

const byVisits = (a: Tally, b: Tally): number => b.visits - a.visits || b.compared - a.compared;
const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

function byTexts(a: readonly string[], b: readonly string[]): number {
	for (const [index, text] of a.entries()) {
		const other = b[index];
		if (other === undefined) return 1;
		const order = byBytes(text, other);
		if (order !== 0) return order;
	}
	return a.length - b.length;
}

const withoutExit = ({ path }: Counted): string[] => path.filter((text) => text !== 'exit');

export function followJourney(
	events: readonly Event[],
	question: Question,
	journey: Journey,
): NonNullable<JourneyAnswer['journey']> {
	const pathsIn = (span: Question['span']) =>
		selectVisits(events, { ...question, span }).flatMap((visit) => {
			const path = follow(visit, journey, question.website.pathRules);
			return path ? [path] : [];
		});
	const paths = new Map<string, Counted>();
	const add = (path: string[], count: keyof Tally) => {
		const key = JSON.stringify(path);
		const counted = paths.get(key) ?? { path, visits: 0, compared: 0 };
		counted[count]++;
		paths.set(key, counted);
	};
	for (const path of pathsIn(question.span)) add(path, 'visits');
	for (const path of question.compared ? pathsIn(question.compared) : []) add(path, 'compared');
	const all = [...paths.values()];
	const shown = ({ visits, compared }: Tally) => ({ visits, compared: question.compared ? compared : null });
	const addUp = (some: readonly Counted[]): Tally => ({
		visits: some.reduce((sum, { visits }) => sum + visits, 0),
		compared: some.reduce((sum, { compared }) => sum + compared, 0),
	});
	const rows = <Key extends string>(some: readonly Counted[], keyOf: (counted: Counted) => Key) =>
		[...Map.groupBy(some, keyOf)].map(([key, group]) => ({ key, ...addUp(group) }));

	/** The nodes of a step that are counted by themselves. */
	const namedAt = (step: number) => {
		const nodes = rows(
			all.filter(({ path }) => path[step] !== undefined && path[step] !== 'exit'),
			({ path }) => path[step] ?? '',
		);
		return new Set(
			nodes
				.toSorted((a, b) => byVisits(a, b) || byBytes(a.key, b.key))
				.slice(0, journey.maxNodes)
				.map(({ key }) => key),
		);
	};
	const named = Array.from({ length: journey.steps }, (_, step) => namedAt(step));
	const labelAt = ({ path }: Counted, step: number): string => {
		const text = path[step] ?? '';
		return text === 'exit' || named[step]?.has(text) ? text : 'other';
	};
	const last = ['other', 'exit'];

	return {
		anchor: shown(addUp(all)),
		steps: named.map((_, step) => {
			const here = all.filter(({ path }) => path[step] !== undefined);
			return {
				nodes: rows(here, (counted) => labelAt(counted, step))
					.toSorted(
						(a, b) => last.indexOf(a.key) - last.indexOf(b.key) || byVisits(a, b) || byBytes(a.key, b.key),
					)
					.map(({ key, ...counts }) => ({ node: nodeOf(key), ...shown(counts) })),
				ended: shown(addUp(all.filter(({ path }) => path[step] === undefined))),
				links: rows(here, (counted) =>
					JSON.stringify([step === 0 ? null : labelAt(counted, step - 1), labelAt(counted, step)]),
				).map(({ key, ...counts }) => {
					// It was written a line above.
					const [from, to] = JSON.parse(key) as [string | null, string];
					return { from: from === null ? null : nodeOf(from), to: nodeOf(to), ...shown(counts) };
				}),
			};
		}),
		paths: all
			.toSorted((a, b) => byVisits(a, b) || byTexts(withoutExit(a), withoutExit(b)))
			.slice(0, journey.maxPaths)
			.map(({ path, ...counts }) => ({ nodes: path.map(nodeOf), ...shown(counts) })),
	};
}

/**
 * What a template contains: fields of the website record, settings, goals, funnels, segments, page groups and traffic rules.
 * Goals have no ids in a template, so funnels and segments refer to them by name.
 */
import type { z } from 'zod';
import { createSegmentBody } from '../../api/segments.ts';
import { listOf, templateParts } from '../../api/website-templates.ts';
import { AppError, invalid } from '../lib/app-error.ts';
import { type FilterJson, readFilter, writeFilter } from '../stats/question/read-filter.ts';
import { changedWebsiteFields } from '../websites/fields.ts';
import { changedSettingsFields } from '../websites/settings.ts';
import { newGoalFields } from './goals.ts';
import { newRuleFields } from './traffic-rules.ts';

/** The schemas of the API, with rules that need code of the server. */
export const contentFields = templateParts.extend({
	website: changedWebsiteFields.omit({ password: true, favorite: true }).optional(),
	settings: changedSettingsFields.omit({ hostnames: true, recipients: true }).optional(),
	goals: listOf('goals', newGoalFields).optional(),
	segments: listOf('segments', createSegmentBody).optional(),
	traffic_rules: listOf('traffic_rules', newRuleFields).optional(),
});

export type SentContent = z.output<typeof contentFields>;

/** With canonical filters, and nothing that refers to a missing goal. */
export type TemplateContent = { [K in keyof SentContent]-?: NonNullable<SentContent[K]> };

const lists = ['goals', 'funnels', 'segments', 'traffic_rules'] as const;

/** Checks what involves several parts. */
export function checkContent(sent: SentContent): TemplateContent {
	const content: TemplateContent = {
		website: sent.website ?? { timezone: undefined },
		settings: sent.settings ?? {},
		goals: sent.goals ?? [],
		funnels: sent.funnels ?? [],
		segments: sent.segments ?? [],
		path_groups: sent.path_groups ?? [],
		traffic_rules: sent.traffic_rules ?? [],
	};
	for (const list of lists) refuseRepeatedNames(list, content[list]);
	const goals = content.goals.map(({ name }) => name);
	for (const { name, steps } of content.funnels)
		for (const step of steps)
			if ('goal' in step && !goals.includes(step.goal))
				throw invalid({ funnels: [missingGoal(`The funnel "${name}"`, step.goal)] });
	return {
		...content,
		segments: content.segments.map(({ name, filters }) => ({
			name,
			filters: checkFilter(name, filters, goals),
		})),
	};
}

function refuseRepeatedNames(list: string, entries: readonly { name: string }[]): void {
	const names = new Set<string>();
	for (const { name } of entries) {
		if (names.has(name)) throw invalid({ [list]: [`The ${list} field has the name "${name}" twice.`] });
		names.add(name);
	}
}

const missingGoal = (user: string, goal: unknown) =>
	`${user} uses the goal "${String(goal)}", which the template does not have.`;

/** The canonical form of a filter with names of goals. */
function checkFilter(segment: string, filters: unknown, names: readonly string[]): FilterJson {
	const toId = (name: unknown) => {
		const index = typeof name === 'string' ? names.indexOf(name) : -1;
		if (index < 0) throw invalid({ segments: [missingGoal(`The segment "${segment}"`, name)] });
		return index + 1;
	};
	const goals = names.map((name, index) => ({
		id: index + 1,
		revision: 0,
		name,
		kind: 'page' as const,
		pattern: '/',
		property: null,
	}));
	const withIds = mapGoals(filters, toId);
	try {
		return mapGoals(writeFilter(readFilter(withIds, goals)), (id) => names[Number(id) - 1]) as FilterJson;
	} catch (error) {
		if (!(error instanceof AppError)) throw error;
		throw invalid({ segments: [`Segment "${segment}": ${error.message}`] });
	}
}

/** A filter of a template for a website with these goals, and back. Anything that is no filter stays as it is. */
export function mapGoals(filter: unknown, map: (goal: unknown) => unknown): unknown {
	if (!Array.isArray(filter)) return filter;
	const [word, second, values, ...options]: unknown[] = filter;
	if (word === 'and' || word === 'or' || word === 'not')
		return [word, ...filter.slice(1).map((part) => mapGoals(part, map))];
	if (second !== 'goal' || values === undefined) return filter;
	return [word, second, [values].flat().map(map), ...options];
}

import type { DeletionField, Selection } from '../../../deletions-client.ts';
import { valuesOf } from '../lines.ts';
import { comparisons, type Test } from '../rules/kinds.ts';

/** A condition that is being entered. */
export type ConditionDraft = {
	/** Unique in its list. */
	id: number;
	field: DeletionField;
	property: string;
	test: Test;
	/** One per line. */
	values: string;
};

export type SelectionDraft = {
	conditions: readonly ConditionDraft[];
	from: string;
	to: string;
	keepDays: number;
};

export const maxConditions = 10;

export function newCondition(others: readonly ConditionDraft[]): ConditionDraft {
	const id = Math.max(0, ...others.map((other) => other.id)) + 1;
	return { id, field: 'path', property: '', test: comparisons.path.tests[0], values: '' };
}

export const isComplete = ({ field, property, values }: ConditionDraft): boolean =>
	valuesOf(values).length > 0 && (field !== 'property' || property.trim() !== '');

/** What the API takes. */
export const selectionOf = ({ conditions, from, to }: SelectionDraft) =>
	({
		conditions: conditions.map(({ field, property, test, values }) => ({
			field,
			test,
			values: valuesOf(values),
			...(field === 'property' && { property: property.trim() }),
		})),
		...(from !== '' && { from }),
		...(to !== '' && { to }),
	}) satisfies Selection;

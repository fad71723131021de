/** The JSON Schema of filters, for OpenAPI. */
import { isNumberTest } from '../../stats/question/question.ts';
import { filterOperators } from '../../stats/question/read-filter.ts';

type Json = Record<string, unknown>;

const word = { type: 'string' };
const filterValue = { anyOf: [word, { type: 'integer' }] };
const filterValues = {
	anyOf: [{ type: 'array', items: filterValue, minItems: 1, maxItems: 100 }, word, { type: 'integer' }],
};
const amount = { anyOf: [word, { type: 'number' }] };
const amounts = { anyOf: [{ type: 'array', items: amount, minItems: 1, maxItems: 2 }, ...amount.anyOf] };
const caseOption = {
	type: 'object',
	properties: { case_sensitive: { type: 'boolean', default: true } },
	required: ['case_sensitive'],
	additionalProperties: false,
};

const isOfPresence = (operator: string): boolean => operator === 'is_set' || operator === 'is_not_set';
const textOperators = filterOperators.filter(
	(operator) => !isNumberTest(operator) && !isOfPresence(operator),
);

/** A list of exactly these elements, of which the first is one of the operators. */
const filterTuple = (operators: readonly string[], ...rest: readonly Json[]): Json => ({
	type: 'array',
	prefixItems: [{ type: 'string', enum: [...operators] }, ...rest],
	items: false,
	minItems: rest.length + 1,
	maxItems: rest.length + 1,
});

/**
 * Filters nest to any depth; here the inner ones are lists of anything, because TypeScript generators cannot express a tuple
 * that contains itself.
 */
export const filterSchemas: Record<string, Json> = {
	FilterTest: {
		description:
			'A condition: an operator, a dimension (see `GET /dimensions`), and one value or a list of values: ' +
			'`["is", "country", ["DE", "AT"]]`. `wildcard` compares the whole value, with `*` for any characters; `matches` finds a ' +
			'regular expression in RE2 syntax. `{"case_sensitive": false}` after the values ignores case. `is_set` and `is_not_set` take ' +
			'no values. Numbers are compared in `property:NAME`, and in `revenue` or `revenue:EUR`, with one number, or two for `between`.',
		anyOf: [
			filterTuple(textOperators, word, filterValues),
			filterTuple(textOperators, word, filterValues, caseOption),
			filterTuple(filterOperators.filter(isOfPresence), word),
			filterTuple(filterOperators.filter(isNumberTest), word, amounts),
		],
	},
	Filter: {
		description:
			'Selects visits: a condition, or `["and", …]`, `["or", …]` and `["not", …]` with filters, up to 8 levels deep.',
		anyOf: [
			{ $ref: '#/components/schemas/FilterTest' },
			{
				type: 'array',
				items: {
					anyOf: [
						{ type: 'string', enum: ['and', 'or', 'not'] },
						{ $ref: '#/components/schemas/FilterTest' },
						{ type: 'array', items: {} },
					],
				},
				minItems: 2,
			},
		],
	},
};

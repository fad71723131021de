import type { RuleKind } from '../../api/traffic-rules.ts';
import type { DimensionName } from '../stats/question/dimensions.ts';
import type { Filter, TextTest } from '../stats/question/question.ts';
import type { RuleCondition } from './traffic-rules.ts';

/** A filter with more values takes too long. */
const maxValues = 1_000;
/** `contains` of ClickHouse takes up to 255 values. */
const valuesPerTest = 100;

/** The dimension of each kind. User agents, addresses and their operators are not stored. */
const dimensionOf: Partial<Record<RuleKind, DimensionName>> = {
	path: 'page',
	hostname: 'hostname',
	country: 'country',
	referrer: 'referrer',
	campaign: 'utm_campaign',
};

/** The filter that selects the visits whose stored values a traffic rule matches, or why there is none. */
export function filterOfRule(
	condition: RuleCondition,
): Filter | { reason: 'not_stored' | 'too_many_values' } {
	const name = dimensionOf[condition.kind];
	if (name === undefined) return { reason: 'not_stored' };
	if (condition.values.length > maxValues) return { reason: 'too_many_values' };
	const filter = filterOf(condition, name);
	return condition.kind === 'referrer' ? { kind: 'and', parts: [filter, isNotInternal] } : filter;
}

/** A rule never matches a referrer that is the website itself. */
const isNotInternal: Filter = {
	kind: 'not',
	part: { kind: 'test', dimension: { name: 'source' }, test: 'is', values: ['internal'] },
};

function filterOf({ kind, test, values }: RuleCondition, name: DimensionName): Filter {
	const tests = (textTest: TextTest, compared: readonly string[]): Filter[] => {
		const size = textTest === 'contains' ? valuesPerTest : maxValues;
		const count = Math.ceil(compared.length / size);
		return Array.from({ length: count }, (_, index) => ({
			kind: 'test',
			dimension: { name },
			test: textTest,
			values: compared.slice(index * size, (index + 1) * size),
			...(kind === 'referrer' && { ignoresCase: true as const }),
		}));
	};
	if (test !== 'domain') return { kind: 'or', parts: tests(test, values) };
	const subdomains = values.map((domain) => `.${domain}`);
	const ofHost = [...tests('is', values), ...tests('ends_with', subdomains)];
	if (kind === 'hostname') return { kind: 'or', parts: ofHost };
	// A referrer has a path behind its host. A path that contains `.example.com/` itself passes as well.
	const withPath = (domains: readonly string[]) => domains.map((domain) => `${domain}/`);
	return {
		kind: 'or',
		parts: [...ofHost, ...tests('starts_with', withPath(values)), ...tests('contains', withPath(subdomains))],
	};
}

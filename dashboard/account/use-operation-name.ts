import { useTranslation } from 'react-i18next';
import { operator } from '../texts/en/operator.ts';
import { people } from '../texts/en/people.ts';

type OfPeople = keyof typeof people.activity.what;
type OfOperators = keyof typeof operator.what;
const isOfPeople = (what: string): what is OfPeople => Object.hasOwn(people.activity.what, what);
const isOfOperators = (what: string): what is OfOperators => Object.hasOwn(operator.what, what);

/** What an entry of an activity log says. An operation that only a newer server knows is shown by its own name. */
export function useOperationName(): (what: string) => string {
	const { t } = useTranslation();
	return (what) => {
		if (isOfPeople(what)) return t(`people.activity.what.${what}`);
		return isOfOperators(what) ? t(`operator.what.${what}`) : what;
	};
}

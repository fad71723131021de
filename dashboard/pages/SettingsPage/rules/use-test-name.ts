import { useTranslation } from 'react-i18next';
import type { TrafficRule } from '../../../rules-client.ts';

/** The name of a test, in the language of the page. */
export function useTestName(): (test: TrafficRule['test']) => string {
	const { t } = useTranslation();
	return (test) => (test === 'domain' ? t('trafficRules.domain') : t(`statistics.filter.tests.${test}`));
}

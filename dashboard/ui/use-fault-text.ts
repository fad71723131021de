import { useTranslation } from 'react-i18next';
import { ApiError } from '../api-client.ts';

/** The text of an API error: translated where possible, otherwise as the server wrote it. */
export function useFaultText(): (error: unknown) => string {
	const { t } = useTranslation();
	return (error) => {
		if (!(error instanceof ApiError)) return t('common.errors.internal_error');
		switch (error.code) {
			case 'offline':
			case 'forbidden':
			case 'account_changed':
			case 'not_found':
			case 'too_many_requests':
			case 'unavailable':
			case 'internal_error':
			case 'unauthenticated':
				return t(`common.errors.${error.code}`);
			case 'address_unconfirmed':
			case 'sign_in_failed':
			case 'link_dead':
				return t(`signIn.errors.${error.code}`);
			default:
				return Object.values(error.fields)[0]?.[0] ?? error.message;
		}
	};
}

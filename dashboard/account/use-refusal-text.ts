import { useTranslation } from 'react-i18next';
import { useSearch } from 'wouter';
import type { OidcRefusal } from '../oidc-client.ts';

const refusals: Record<OidcRefusal, true> = {
	expired: true,
	denied: true,
	unavailable: true,
	invalid: true,
	unverified: true,
	domain: true,
	unknown: true,
	disabled: true,
	taken: true,
};

const isRefusal = (text: string): text is OidcRefusal => Object.hasOwn(refusals, text);

/** Why the sign-in with a provider failed from which the browser comes back; the service names it in the URL. */
export function useRefusalText(): string | undefined {
	const { t } = useTranslation();
	const code = new URLSearchParams(useSearch()).get('oidc') ?? '';
	return isRefusal(code) ? t(`providers.refusals.${code}`) : undefined;
}

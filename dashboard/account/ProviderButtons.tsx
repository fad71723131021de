import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../api-client.ts';
import { oidc, oidcKey } from '../oidc-client.ts';
import { Button } from '../ui/Button.tsx';
import { Notice } from '../ui/Notice.tsx';
import { useFaultText } from '../ui/use-fault-text.ts';
import styles from './ProviderButtons.module.css';

/** The providers that people can sign in with, and whether they must. */
export const useProviders = () => useQuery({ queryKey: oidcKey, queryFn: oidc.get, staleTime: 60_000 });

/** A button for each provider. `to` is the page to return to. */
export function ProviderButtons({ to, onStart }: { to?: string | undefined; onStart?(): void }) {
	const { t } = useTranslation();
	const faultText = useFaultText();
	const { data } = useProviders();
	const start = useMutation({
		mutationFn: async ({ name }: { name: string; label: string }) => {
			const { url } = await oidc.start(name, to);
			onStart?.();
			location.assign(url);
		},
	});
	const isDown = start.error instanceof ApiError && start.error.code === 'unavailable';
	if (!data || data.providers.length === 0) return null;
	return (
		<div className={styles.providers}>
			{data.providers.map((provider) => (
				<Button
					key={provider.name}
					busy={start.isPending && start.variables.name === provider.name}
					onClick={() => start.mutate(provider)}
				>
					{t('providers.continue', { provider: provider.label })}
				</Button>
			))}
			{start.error && (
				<Notice kind="fault">
					{isDown ? t('providers.start', { provider: start.variables.label }) : faultText(start.error)}
				</Notice>
			)}
		</div>
	);
}

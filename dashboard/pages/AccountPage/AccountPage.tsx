import { type ComponentType, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { ActivityLog } from '../../account/ActivityLog.tsx';
import { AppLayout } from '../../layout/AppLayout.tsx';
import { NotFound } from '../../layout/NotFound.tsx';
import { SettingsLayout } from '../../layout/settings/SettingsLayout.tsx';
import { lazyPage } from '../../lazy-page.ts';
import type { PageProps } from '../../routes.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { ApiKeysTab } from './ApiKeysTab.tsx';
import { BrandingTab } from './BrandingTab.tsx';
import { EmailTab } from './EmailTab.tsx';
import { MembersTab } from './MembersTab.tsx';
import { ProfileTab } from './ProfileTab.tsx';
import { SecurityTab } from './SecurityTab.tsx';
import { UsageTab } from './UsageTab.tsx';

const WebhooksTab = lazyPage(async () => (await import('./webhooks/WebhooksTab.tsx')).WebhooksTab);
const PolicyTab = lazyPage(async () => (await import('./PolicyTab.tsx')).PolicyTab);

/** Tabs of the account, in display order. */
const tabs = [
	{ name: 'profile', Tab: ProfileTab },
	{ name: 'security', Tab: SecurityTab },
	{ name: 'people', Tab: MembersTab },
	{ name: 'policy', Tab: PolicyTab },
	{ name: 'keys', Tab: ApiKeysTab },
	{ name: 'webhooks', Tab: WebhooksTab },
	{ name: 'mail', Tab: EmailTab },
	{ name: 'branding', Tab: BrandingTab },
	{ name: 'usage', Tab: UsageTab },
	{ name: 'changes', Tab: ActivityLog },
] as const satisfies readonly { name: string; Tab: ComponentType }[];

export function AccountPage({ params }: PageProps) {
	const { t } = useTranslation();
	const current = tabs.find(({ name }) => name === (params.tab ?? 'profile'));
	if (!current) return <NotFound />;
	return (
		<AppLayout
			title={`${t(`account.tabs.${current.name}`)} · ${t('account.title')}`}
			crumbs={<span>{t('account.title')}</span>}
		>
			<SettingsLayout
				label={t('account.title')}
				tabs={tabs.map(({ name }) => ({
					href: name === 'profile' ? '/account' : `/account/${name}`,
					title: t(`account.tabs.${name}`),
					isCurrent: name === current.name,
				}))}
			>
				<Suspense fallback={<Skeleton height={200} />}>
					<current.Tab />
				</Suspense>
			</SettingsLayout>
		</AppLayout>
	);
}

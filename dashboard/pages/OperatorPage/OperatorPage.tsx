import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { AppLayout } from '../../layout/AppLayout.tsx';
import { NotFound } from '../../layout/NotFound.tsx';
import { SettingsLayout } from '../../layout/settings/SettingsLayout.tsx';
import type { PageProps } from '../../routes.tsx';
import { useAccount } from '../../session.tsx';
import { AccountsTab } from './AccountsTab.tsx';
import { LogTab } from './LogTab.tsx';
import { SignUpTab } from './SignUpTab.tsx';

/** Tabs of the operator, in display order. */
const tabs = [
	{ name: 'accounts', href: '/operator', Tab: AccountsTab },
	{ name: 'signUp', href: '/operator/sign-up', Tab: SignUpTab },
	{ name: 'activity', href: '/operator/activity', Tab: LogTab },
] as const satisfies readonly { name: string; href: string; Tab: ComponentType }[];

/** All accounts of the service, who can sign up, and what operators did. */
export function OperatorPage({ params }: PageProps) {
	const { t } = useTranslation();
	const { is_operator: isOperator } = useAccount();
	const path = params.tab === undefined ? '/operator' : `/operator/${params.tab}`;
	const current = tabs.find(({ href }) => href === path);
	if (!isOperator || !current) return <NotFound />;
	return (
		<AppLayout
			title={`${t(`operator.tabs.${current.name}`)} · ${t('operator.title')}`}
			crumbs={<span>{t('operator.title')}</span>}
		>
			<SettingsLayout
				label={t('operator.title')}
				tabs={[
					...tabs.map(({ name, href }) => ({
						href,
						title: t(`operator.tabs.${name}`),
						isCurrent: name === current.name,
					})),
					{ href: '/doctor', title: t('common.health'), isCurrent: false },
				]}
			>
				<current.Tab />
			</SettingsLayout>
		</AppLayout>
	);
}

import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { Frame } from '../../Frame.tsx';
import { NotFound } from '../../NotFound.tsx';
import { Changes } from '../../panels/Changes.tsx';
import type { PageProps } from '../../routes.tsx';
import { Tabs } from '../../ui/Tabs.tsx';
import { KeysRoom } from './KeysRoom.tsx';
import { MailRoom } from './MailRoom.tsx';
import { PeopleRoom } from './PeopleRoom.tsx';
import { ProfileRoom } from './ProfileRoom.tsx';
import { SecurityRoom } from './SecurityRoom.tsx';
import { UsageRoom } from './UsageRoom.tsx';

/** The rooms, in the order of the tabs. */
const rooms = [
	{ name: 'profile', Room: ProfileRoom },
	{ name: 'security', Room: SecurityRoom },
	{ name: 'keys', Room: KeysRoom },
	{ name: 'people', Room: PeopleRoom },
	{ name: 'mail', Room: MailRoom },
	{ name: 'usage', Room: UsageRoom },
	{ name: 'changes', Room: Changes },
] as const satisfies readonly { name: string; Room: ComponentType }[];

export function AccountPage({ params }: PageProps) {
	const { t } = useTranslation();
	const current = rooms.find(({ name }) => name === (params.room ?? 'profile'));
	if (!current) return <NotFound />;
	return (
		<Frame
			title={`${t(`account.rooms.${current.name}`)} · ${t('account.title')}`}
			crumbs={<h1>{t('account.title')}</h1>}
		>
			<Tabs
				label={t('account.title')}
				tabs={rooms.map(({ name }) => ({
					href: name === 'profile' ? '/account' : `/account/${name}`,
					label: t(`account.rooms.${name}`),
					isCurrent: name === current.name,
				}))}
			/>
			<current.Room />
		</Frame>
	);
}

import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, Redirect } from 'wouter';
import {
	ApiError,
	statistics,
	type WebsiteRecord,
	type WebsiteSettingsRecord,
	websites,
} from '../../api-client.ts';
import { AppLayout } from '../../layout/AppLayout.tsx';
import { NotFound } from '../../layout/NotFound.tsx';
import { SettingsLayout } from '../../layout/settings/SettingsLayout.tsx';
import { queries } from '../../queries.ts';
import type { PageProps } from '../../routes.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Failure } from '../../ui/States.tsx';
import { manage } from '../../website-client.ts';
import { accessKey } from '../SharePage/access-key.ts';
import { type OpenWebsite, ShareGate } from '../SharePage/ShareGate.tsx';
import styles from './SettingsPage.module.css';
import type { TabProps } from './tab.ts';
import { adminTabs, ownerTabs, type TabName, tabs } from './tabs.ts';

/** Settings of a website. */
export function SettingsPage({ params }: PageProps) {
	const name = params.tab ?? 'general';
	// The name that this tab had in earlier versions.
	if (name === 'privacy') return <Redirect to={`/websites/${params.id}/settings/sharing`} replace />;
	if (!isTab(name)) return <NotFound />;
	return (
		<ShareGate id={params.id}>
			{/* A shared view has no settings. */}
			{(open) => (mayOpen(open, name) ? <Settings open={open} name={name} /> : <NotFound />)}
		</ShareGate>
	);
}

const names = Object.keys(tabs).filter(isTab);

const isAdmin = ({ role }: OpenWebsite) => role === 'admin' || role === 'owner';
const mayOpen = (open: OpenWebsite, name: TabName) =>
	open.role !== undefined && (isAdmin(open) || !ownerTabs.has(name));

function isTab(name: string): name is TabName {
	return Object.hasOwn(tabs, name);
}

function Settings({ open, name }: { open: OpenWebsite; name: TabName }) {
	const { t } = useTranslation();
	const title = t(`settings.tabs.${name}.title`);
	return (
		<AppLayout
			title={`${title} · ${open.domain}`}
			crumbs={
				<>
					<Link className={styles.site} href={`/websites/${open.id}`}>
						{open.domain}
					</Link>
					<span className={styles.slash} aria-hidden="true">
						/
					</span>
					<span className={styles.here}>{t('settings.title')}</span>
				</>
			}
		>
			<SettingsLayout
				label={t('settings.title')}
				tabs={names
					.filter((tab) => mayOpen(open, tab))
					.map((tab) => ({
						href: `/websites/${open.id}/settings${tab === 'general' ? '' : `/${tab}`}`,
						title: t(`settings.tabs.${tab}.title`),
						isCurrent: tab === name,
					}))}
				text={t(`settings.tabs.${name}.text`)}
			>
				<OpenTab open={open} name={name} />
			</SettingsLayout>
		</AppLayout>
	);
}

function OpenTab({ open, name }: { open: OpenWebsite; name: TabName }) {
	const { t } = useTranslation();
	const { id, role } = open;
	const website = useQuery({ queryKey: websiteKey(id), queryFn: () => websites.get(id) });
	const settings = useQuery({ queryKey: settingsKey(id), queryFn: () => manage.settings(id) });
	const error = website.error ?? settings.error;
	if (!website.data || !settings.data) {
		if (!error) return <Waiting />;
		const again = () => void Promise.all([website.refetch(), settings.refetch()]);
		return <Failure error={error} onTryAgain={again} />;
	}
	const isAdministered = adminTabs.has(name);
	const canEdit = isAdministered ? isAdmin(open) : role !== 'viewer';
	const Tab = tabs[name];
	return (
		<>
			{!canEdit && (
				<div className={styles.note}>
					<Notice>{isAdministered ? t('settings.adminsOnly') : t('settings.readOnly')}</Notice>
				</div>
			)}
			<Tab
				website={website.data}
				settings={settings.data}
				canEdit={canEdit}
				isAdmin={isAdmin(open)}
				isOwner={role === 'owner'}
				arePagesPublic={open.arePagesPublic}
				{...changesOf(id)}
			/>
		</>
	);
}

const websiteKey = (id: number) => ['website', id] as const;
const settingsKey = (id: number) => ['website', id, 'settings'] as const;

function changesOf(id: number): Pick<TabProps, 'update' | 'change' | 'rename'> {
	const taken = async (website: WebsiteRecord) => {
		queries.setQueryData(websiteKey(id), website);
		// It also holds the domain and the time zone.
		queries.setQueryData(accessKey(id), await statistics.share(id));
		await queries.invalidateQueries({ queryKey: ['websites'] });
		return website;
	};
	return {
		update: (fields) => allowed(id, async () => taken(await manage.update(id, fields))),
		rename: (domain) => allowed(id, async () => taken(await manage.rename(id, domain))),
		change: (fields) =>
			allowed(id, async () => {
				const settings: WebsiteSettingsRecord = await manage.changeSettings(id, fields);
				queries.setQueryData(settingsKey(id), settings);
				return settings;
			}),
	};
}

/** Reloads the role after a refusal, because it may have changed meanwhile. */
async function allowed<T>(id: number, work: () => Promise<T>): Promise<T> {
	try {
		return await work();
	} catch (error) {
		if (error instanceof ApiError && [401, 403, 404].includes(error.status))
			await queries.invalidateQueries({ queryKey: accessKey(id) });
		throw error;
	}
}

function Waiting() {
	return (
		<div className={styles.waiting}>
			{[1, 2].map((part) => (
				<div key={part}>
					<Skeleton width={140} />
					<Skeleton height={38} />
					<Skeleton width="70%" />
				</div>
			))}
		</div>
	);
}

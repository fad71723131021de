import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import {
	ApiError,
	statistics,
	type WebsiteRecord,
	type WebsiteSettingsRecord,
	websites,
} from '../../api-client.ts';
import { Frame } from '../../Frame.tsx';
import { NotFound } from '../../NotFound.tsx';
import { queries } from '../../queries.ts';
import type { PageProps } from '../../routes.tsx';
import { Menu, MenuLink } from '../../ui/Menu.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Failure } from '../../ui/States.tsx';
import { accessKey, type OpenWebsite, ShareGate } from '../SharePage/ShareGate.tsx';
import type { RoomProps } from './room.ts';
import { type RoomName, rooms, ruledRooms } from './rooms.ts';
import styles from './SettingsPage.module.css';

/** The settings of a website: a list of rooms, one of which is open. */
export function SettingsPage({ params }: PageProps) {
	const name = params.room ?? 'general';
	if (!isRoom(name)) return <NotFound />;
	return (
		<ShareGate id={params.id}>
			{/* Whoever sees what is shared sees no settings. */}
			{(open) => (mayEnter(open, name) ? <Settings open={open} name={name} /> : <NotFound />)}
		</ShareGate>
	);
}

const names = Object.keys(rooms).filter(isRoom);

const canRule = ({ role }: OpenWebsite) => role === 'admin' || role === 'owner';
const mayEnter = (open: OpenWebsite, name: RoomName) =>
	open.role !== undefined && (canRule(open) || !ruledRooms.has(name));

function isRoom(name: string): name is RoomName {
	return Object.hasOwn(rooms, name);
}

function Settings({ open, name }: { open: OpenWebsite; name: RoomName }) {
	const { t } = useTranslation();
	const title = t(`settings.rooms.${name}.title`);
	const shown = names.filter((room) => mayEnter(open, room));
	const hrefOf = (room: RoomName) => `/websites/${open.id}/settings${room === 'general' ? '' : `/${room}`}`;
	return (
		<Frame
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
			<div className={styles.page}>
				<nav className={styles.rooms} aria-label={t('settings.title')}>
					{shown.map((room) => (
						<Link key={room} href={hrefOf(room)} aria-current={room === name ? 'page' : undefined}>
							{t(`settings.rooms.${room}.title`)}
						</Link>
					))}
				</nav>
				<div className={styles.menu}>
					<Menu
						label={t('settings.chooseRoom', { room: title })}
						button={
							<>
								{title} <span aria-hidden="true">⌄</span>
							</>
						}
					>
						{shown.map((room) => (
							<MenuLink key={room} href={hrefOf(room)}>
								{t(`settings.rooms.${room}.title`)}
							</MenuLink>
						))}
					</Menu>
				</div>
				<div className={styles.room} key={name}>
					<header>
						<h1>{title}</h1>
						<p>{t(`settings.rooms.${name}.text`)}</p>
					</header>
					<OpenRoom open={open} name={name} />
				</div>
			</div>
		</Frame>
	);
}

function OpenRoom({ open, name }: { open: OpenWebsite; name: RoomName }) {
	const { t } = useTranslation();
	const { id, role } = open;
	const website = useQuery({ queryKey: websiteKey(id), queryFn: () => websites.get(id) });
	const settings = useQuery({ queryKey: settingsKey(id), queryFn: () => websites.settings(id) });
	const error = website.error ?? settings.error;
	if (!website.data || !settings.data) {
		if (!error) return <Waiting />;
		const again = () => void Promise.all([website.refetch(), settings.refetch()]);
		return <Failure error={error} onTryAgain={again} />;
	}
	const canEdit = role !== 'viewer';
	const Room = rooms[name];
	return (
		<>
			{!canEdit && (
				<div className={styles.note}>
					<Notice>{t('settings.readOnly')}</Notice>
				</div>
			)}
			<Room
				website={website.data}
				settings={settings.data}
				canEdit={canEdit}
				canRule={canRule(open)}
				isOwner={role === 'owner'}
				arePagesPublic={open.arePagesPublic}
				{...changesOf(id)}
			/>
		</>
	);
}

const websiteKey = (id: number) => ['website', id] as const;
const settingsKey = (id: number) => ['website', id, 'settings'] as const;

function changesOf(id: number): Pick<RoomProps, 'update' | 'change' | 'rename'> {
	const taken = async (website: WebsiteRecord) => {
		queries.setQueryData(websiteKey(id), website);
		// The domain and the zone are told there, too.
		queries.setQueryData(accessKey(id), await statistics.share(id));
		await queries.invalidateQueries({ queryKey: ['websites'] });
		return website;
	};
	return {
		update: (fields) => allowed(id, async () => taken(await websites.update(id, fields))),
		rename: (domain) => allowed(id, async () => taken(await websites.rename(id, domain))),
		change: (fields) =>
			allowed(id, async () => {
				const settings: WebsiteSettingsRecord = await websites.changeSettings(id, fields);
				queries.setQueryData(settingsKey(id), settings);
				return settings;
			}),
	};
}

/** Whose role was taken away meanwhile is shown what is left of it. */
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

import type { ComponentType } from 'react';
import type { WebsiteRecord, WebsiteSettingsRecord } from '../../api-client.ts';

/** What every room of the settings is given. */
export type RoomProps = {
	website: WebsiteRecord;
	settings: WebsiteSettingsRecord;
	/** May change settings; else they are shown. */
	canEdit: boolean;
	/** May rename, empty and delete, and decide about members. */
	canRule: boolean;
	/** May give it away. */
	isOwner: boolean;
	/** Whether the operator lets anything be shared at all. */
	arePagesPublic: boolean;
	/** Each gives back what is stored then, which is shown. */
	update(fields: Partial<WebsiteChange>): Promise<WebsiteRecord>;
	change(fields: Partial<SettingsChange>): Promise<WebsiteSettingsRecord>;
	rename(domain: string): Promise<WebsiteRecord>;
};

type WebsiteChange = {
	privacy: 0 | 1 | 2;
	password: string;
	email: 0 | 1;
	exclude_bots: 0 | 1;
	exclude_params: string;
	exclude_ips: string;
	favorite: 0 | 1;
	timezone: string;
};

type SettingsChange = {
	hostnames: string;
	honour_signals: 0 | 1;
	labels: string;
	retention_months: number | '';
	indexable: 0 | 1;
	embed_origins: string;
};

export type Room = ComponentType<RoomProps>;

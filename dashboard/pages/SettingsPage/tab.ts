import type { ComponentType } from 'react';
import type { WebsiteRecord, WebsiteSettingsRecord } from '../../api-client.ts';

/** Props of every settings tab. */
export type TabProps = {
	website: WebsiteRecord;
	settings: WebsiteSettingsRecord;
	/** Otherwise the tab is read-only. */
	canEdit: boolean;
	/** May rename, reset and delete the website and manage members. */
	isAdmin: boolean;
	/** May transfer the website. */
	isOwner: boolean;
	/** Whether the server allows public statistics. */
	arePagesPublic: boolean;
	/** Each returns the stored record. */
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

export type Tab = ComponentType<TabProps>;

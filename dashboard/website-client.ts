/** The calls of api-client.ts that only settings of a website, its goals, and reports need. */
import type { FeedRecord, ShownFeed } from '../api/feeds.ts';
import type { RecipientRecord, RecipientsRecord } from '../api/recipients.ts';
import type { ReportRecord, ReportSettings, WholeReport } from '../api/reports.ts';
import {
	type Alert,
	call,
	dataOf,
	type Fields,
	type Funnel,
	type Goal,
	get,
	type Import,
	type ImportSource,
	type List,
	type LiveFeed,
	type Note,
	type One,
	type Parameters,
	type Segment,
	send,
	type WebsiteRecord,
	type WebsiteSettingsRecord,
} from './api-client.ts';

export type { ReportRecord, ReportSettings, WholeReport };

export const goals = {
	create: (website: number, body: Fields) => send<Goal>('POST', `/websites/${website}/goals`, body),
	update: (website: number, id: number, body: Fields) =>
		send<Goal>('PATCH', `/websites/${website}/goals/${id}`, body),
	delete: (website: number, id: number) => send<unknown>('DELETE', `/websites/${website}/goals/${id}`),
};

export const imports = {
	list: (website: number) => get<Import[]>(`/websites/${website}/imports`, { per_page: 100 }),
	/** Says what the file would bring. */
	look: (website: number, source: ImportSource, file: File) =>
		dataOf(
			call<One<Import>>('POST', `/websites/${website}/imports`, {
				query: { source, file_name: file.name },
				file,
			}),
		),
	start: (website: number, id: number) => send<Import>('POST', `/websites/${website}/imports/${id}/start`),
	undo: (website: number, id: number) => call<unknown>('DELETE', `/websites/${website}/imports/${id}`),
};

export const alerts = {
	list: (website: number) => get<Alert[]>(`/websites/${website}/alerts`, { per_page: 100 }),
	create: (website: number, body: Fields) => send<Alert>('POST', `/websites/${website}/alerts`, body),
	update: (website: number, id: number, body: Fields) =>
		send<Alert>('PATCH', `/websites/${website}/alerts/${id}`, body),
	delete: (website: number, id: number) => send<unknown>('DELETE', `/websites/${website}/alerts/${id}`),
	test: (website: number, id: number) => send<unknown>('POST', `/websites/${website}/alerts/${id}/test`),
};

export const reports = {
	list: (website: number, query: Parameters) =>
		call<List<ReportRecord>>('GET', `/websites/${website}/reports`, { query }),
	get: (website: number, id: number) => get<WholeReport>(`/websites/${website}/reports/${id}`),
	settings: () => get<ReportSettings>('/reports/settings'),
	changeSettings: (body: Pick<ReportSettings, 'schedule' | 'digest'>) =>
		send<ReportSettings>('PATCH', '/reports/settings', body),
	/** null: there is no feed. */
	feed: (website: number) => get<FeedRecord | null>(`/websites/${website}/feed`),
	/** Also in place of the address that there is. */
	makeFeed: (website: number) => send<ShownFeed>('POST', `/websites/${website}/feed`),
	removeFeed: (website: number) => send<unknown>('DELETE', `/websites/${website}/feed`),
};

export const recipients = {
	list: () => get<RecipientsRecord>('/reports/recipients'),
	/** Also sends the request for consent again. */
	ask: (email: string, website: number | null) =>
		send<RecipientRecord>('POST', '/reports/recipients', { email, website_id: website }),
	remove: (id: number) => send<unknown>('DELETE', `/reports/recipients/${id}`),
};

/** Changes of websites, and what only their members read. */
export const manage = {
	create: (body: Fields) => send<WebsiteRecord>('POST', '/websites', body),
	update: (id: number, body: Fields) => send<WebsiteRecord>('PATCH', `/websites/${id}`, body),
	sortFavorites: (ids: readonly number[]) => send<unknown>('PUT', '/favorites', { website_ids: ids }),
	rename: (id: number, domain: string) => send<WebsiteRecord>('PATCH', `/websites/${id}/domain`, { domain }),
	reset: (id: number) => send<unknown>('POST', `/websites/${id}/reset`),
	delete: (id: number) => send<unknown>('DELETE', `/websites/${id}`),
	settings: (id: number) => get<WebsiteSettingsRecord>(`/websites/${id}/settings`),
	changeSettings: (id: number, body: Fields) =>
		send<WebsiteSettingsRecord>('PATCH', `/websites/${id}/settings`, body),
	/** For members. */
	liveFeed: (id: number) => call<LiveFeed>('GET', `/websites/${id}/live/feed`),
};

export const funnels = {
	create: (website: number, body: Pick<Funnel, 'name' | 'steps'>) =>
		send<Funnel>('POST', `/websites/${website}/funnels`, body),
	change: (website: number, id: number, body: Pick<Funnel, 'name' | 'steps'>) =>
		send<Funnel>('PUT', `/websites/${website}/funnels/${id}`, body),
	delete: (website: number, id: number) => send<unknown>('DELETE', `/websites/${website}/funnels/${id}`),
};

export const segments = {
	create: (website: number, body: { name: string; filters: unknown[] }) =>
		send<Segment>('POST', `/websites/${website}/segments`, body),
	delete: (website: number, id: number) => send<unknown>('DELETE', `/websites/${website}/segments/${id}`),
};

export const notes = {
	create: (website: number, body: { date: string; text: string }) =>
		send<Note>('POST', `/websites/${website}/notes`, body),
	change: (website: number, id: number, body: { text: string }) =>
		send<Note>('PATCH', `/websites/${website}/notes/${id}`, body),
	delete: (website: number, id: number) => send<unknown>('DELETE', `/websites/${website}/notes/${id}`),
};

/** The calls of api-client.ts that are about templates, and about many websites at once. */
import type { z } from 'zod';
import type { bulkAnswer } from '../api/bulk.ts';
import type { TemplateRecord } from '../api/website-templates.ts';
import { call, type Fields, listAll, send } from './api-client.ts';

export type Template = TemplateRecord;
export type BulkAnswer = z.output<typeof bulkAnswer>;

export const templatesKey = ['website-templates'] as const;

export const templates = {
	list: () => listAll<Template>('/website-templates'),
	create: (body: Fields) => send<Template>('POST', '/website-templates', body),
	rename: (id: number, name: string) => send<Template>('PATCH', `/website-templates/${id}`, { name }),
	delete: (id: number) => send<unknown>('DELETE', `/website-templates/${id}`),
};

export const changeWebsites = (body: Fields) => call<BulkAnswer>('PATCH', '/bulk/websites', { body });

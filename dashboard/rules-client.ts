/** The calls of api-client.ts that are about traffic rules and page groups. */
import type { z } from 'zod';
import type { pathGroupsRecord, previewAnswer, proposalsAnswer } from '../api/path-groups.ts';
import type { trafficRulePreview, trafficRuleRecord } from '../api/traffic-rules.ts';
import { call, dataOf, type Fields, get, listAll, type One, send } from './api-client.ts';

export type PathGroups = z.output<typeof pathGroupsRecord>;
export type PathRule = PathGroups['rules'][number];
export type PathPreview = z.output<typeof previewAnswer>;
export type TrafficRule = z.output<typeof trafficRuleRecord>;
type TrafficRulePreview = z.output<typeof trafficRulePreview>;

export const trafficRules = {
	list: (website: number) => listAll<TrafficRule>(`/websites/${website}/traffic-rules`),
	create: (website: number, body: Fields) =>
		send<TrafficRule>('POST', `/websites/${website}/traffic-rules`, body),
	update: (website: number, id: number, body: Fields) =>
		send<TrafficRule>('PATCH', `/websites/${website}/traffic-rules/${id}`, body),
	delete: (website: number, id: number) =>
		send<unknown>('DELETE', `/websites/${website}/traffic-rules/${id}`),
	preview: (website: number, body: Fields, signal: AbortSignal) =>
		dataOf(
			call<One<TrafficRulePreview>>('POST', `/websites/${website}/traffic-rules/preview`, { body, signal }),
		),
};

export const pathGroups = {
	get: (website: number) => get<PathGroups>(`/websites/${website}/path-groups`),
	save: (website: number, rules: readonly PathRule[]) =>
		send<PathGroups>('PUT', `/websites/${website}/path-groups`, { rules }),
	undo: (website: number) => send<PathGroups>('POST', `/websites/${website}/path-groups/undo`),
	preview: (website: number, rules: readonly PathRule[], signal: AbortSignal) =>
		call<PathPreview>('POST', `/websites/${website}/path-groups/preview`, { body: { rules }, signal }),
	proposals: (website: number) =>
		get<z.output<typeof proposalsAnswer>['data']>(`/websites/${website}/path-groups/proposals`),
};

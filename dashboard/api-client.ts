/**
 * The calls that the statistics page or many pages need, one function each. Other clients beside this file have the rest. All have
 * the types of the contract in `api/`. Only types are taken from there: what the service answers needs no second reading, and the
 * schemas would weigh more than the pages.
 */
import type { z } from 'zod';
import type { alertRecord } from '../api/alerts.ts';
import type { changesAnswer } from '../api/changes.ts';
import type { dimensionDefinitions, metricDefinitions } from '../api/definitions.ts';
import type { DoctorRecord } from '../api/doctor.ts';
import type { dropsAnswer } from '../api/drops.ts';
import type { ErrorCode, FieldErrors } from '../api/errors.ts';
import type { funnelStatsAnswer } from '../api/funnel-stats.ts';
import type { funnelRecord } from '../api/funnels.ts';
import type { goalRecord } from '../api/goals.ts';
import type { importRecord } from '../api/imports.ts';
import type { journeysAnswer } from '../api/journeys.ts';
import type { KeyRecord, shownKey } from '../api/keys.ts';
import type { liveAnswer, liveFeedAnswer } from '../api/live.ts';
import type { noteRecord } from '../api/notes.ts';
import type { overviewAnswer } from '../api/overview.ts';
import type { segmentRecord } from '../api/segments.ts';
import type { BrowserRecord, SessionRecord, ShareRecord } from '../api/session.ts';
import type { WebsiteSettingsRecord } from '../api/settings.ts';
import type { breakdownAnswer, queryStatsAnswer, queryStatsBody, statsAnswer } from '../api/stats.ts';
import type { propertiesAnswer, vitalsAnswer } from '../api/vitals.ts';
import type { WebsiteRecord } from '../api/websites.ts';

export type SecondFactorMethod = 'app' | 'passkey' | 'recovery_code';
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type Fields = Record<string, unknown>;
/** Query string; undefined values are left out. */
export type Parameters = Record<string, string | number | undefined>;
export type Goal = z.output<typeof goalRecord>;
export type Alert = z.output<typeof alertRecord>;
export type Import = z.output<typeof importRecord>;
export type ImportSource = Import['source'];
export type Funnel = z.output<typeof funnelRecord>;
export type FunnelAnswer = z.output<typeof funnelStatsAnswer>;
export type JourneyAnswer = z.output<typeof journeysAnswer>;
export type Journey = JourneyAnswer['data'];
export type JourneyPath = NonNullable<Journey['paths']>[number];
export type JourneyNode = JourneyPath['nodes'][number];
export type VitalsAnswer = z.output<typeof vitalsAnswer>;
export type Vital = VitalsAnswer['data'][number];
export type Segment = z.output<typeof segmentRecord>;
export type Note = z.output<typeof noteRecord>;
export type PageAnswer = z.output<typeof queryStatsAnswer>;
export type StatsAnswer = z.output<typeof statsAnswer>;
export type Row = NonNullable<PageAnswer['data']['breakdowns'][number]['rows']>[number];
export type Point = PageAnswer['data']['series'][number];
export type BreakdownAnswer = z.output<typeof breakdownAnswer>;
export type ChangesAnswer = z.output<typeof changesAnswer>;
export type MetricDefinition = z.output<typeof metricDefinitions>['data'][number];
export type DimensionDefinition = z.output<typeof dimensionDefinitions>['data'][number];
/** What is public about a shared website. */
export type Share = ShareRecord;
export type Live = z.output<typeof liveAnswer>;
export type LiveFeed = z.output<typeof liveFeedAnswer>;
export type Overview = z.output<typeof overviewAnswer>;
export type OverviewLine = Overview['data'][number];
export type Drops = z.output<typeof dropsAnswer>;
export type Key = KeyRecord;
export type ShownKey = z.output<typeof shownKey>;
export type { BrowserRecord, SessionRecord, WebsiteRecord, WebsiteSettingsRecord };

export type One<T> = { data: T };
export type List<T> = { data: T[]; meta: { total: number; current_page: number; last_page: number } };

/** Window event: the session has ended, or a policy refuses it. */
export const signedOutEvent = 'signed-out';

const refusedCodes = /^(unauthenticated|second_factor_required|provider_required|network_not_allowed)$/;

/** Window event: a request got no answer, or one of a proxy whose service is away. */
export const unreachableEvent = 'unreachable';

/** A refusal of the service, or `offline` where it could not be asked. */
export class ApiError extends Error {
	readonly status: number;
	readonly code: ErrorCode | 'offline';
	/** Messages by field, on 422. */
	readonly fields: FieldErrors;
	/** On `domain_taken`: the website that has the domain. */
	readonly websiteId: number | undefined;
	/** On `code_needed`: what the account accepts in addition to the password. */
	readonly methods: readonly SecondFactorMethod[];

	constructor(
		status: number,
		problem: {
			code: ErrorCode | 'offline';
			message: string;
			errors?: FieldErrors;
			website_id?: number;
			methods?: SecondFactorMethod[];
		},
	) {
		super(problem.message);
		this.status = status;
		this.code = problem.code;
		this.fields = problem.errors ?? {};
		this.websiteId = problem.website_id;
		this.methods = problem.methods ?? [];
	}
}

/** The token of the share link that this page was opened with. Links away from it load a new page. */
export const shareToken: string | undefined = /^\/s\/([\w-]{43})\/?$/.exec(location.pathname)?.[1];

let credentials: RequestCredentials = 'same-origin';

const accountItem = 'tidemark-account';
/** A tab keeps its account when it is reloaded, whatever other tabs work in. */
let workingAccount = sessionStorage.getItem(accountItem) ?? undefined;

/** From now on, the requests of this tab are about this account. */
export function workIn(account: number | undefined): void {
	workingAccount = account === undefined ? undefined : String(account);
	if (workingAccount === undefined) sessionStorage.removeItem(accountItem);
	else sessionStorage.setItem(accountItem, workingAccount);
}

/** From now on nothing that is asked says who is signed in. */
export function askAsNobody(): void {
	credentials = 'omit';
}

export async function call<T>(
	method: Method,
	path: string,
	sent: { query?: Parameters; body?: Fields; file?: Blob; signal?: AbortSignal } = {},
): Promise<T> {
	const headers = headersOf('application/json');
	const init: RequestInit = { method, credentials, headers };
	if (sent.signal) init.signal = sent.signal;
	if (sent.file) {
		init.body = sent.file;
		headers['content-type'] = 'application/octet-stream';
	}
	if (sent.body) {
		init.body = JSON.stringify(sent.body);
		headers['content-type'] = 'application/json';
	}
	let answer: Response;
	let text: string;
	try {
		answer = await fetch(addressOf(path, sent.query), init);
		text = await answer.text();
	} catch (cause) {
		if (sent.signal?.aborted) throw cause;
		dispatchEvent(new Event(unreachableEvent));
		throw new ApiError(0, { code: 'offline', message: 'The service cannot be reached.' });
	}
	const content = text === '' ? undefined : parse(text);
	if (answer.ok) return content as T;
	const refusal = toApiError(answer.status, content);
	if (refusedCodes.test(refusal.code) && path !== '/session') dispatchEvent(new Event(signedOutEvent));
	throw refusal;
}

/** The page of a share link asks with its token; other pages name the account that they work in. */
function headersOf(accept: string): Record<string, string> {
	if (shareToken !== undefined) return { accept, 'x-share-link': shareToken };
	return { accept, ...(workingAccount !== undefined && { [accountItem]: workingAccount }) };
}

/** Also for links that a browser follows, such as a CSV file. */
export function addressOf(path: string, query: Parameters = {}): string {
	const pairs = Object.entries(query).flatMap(([name, value]) =>
		value === undefined ? [] : [[name, String(value)]],
	);
	const search = new URLSearchParams(pairs).toString();
	return `/app/api${path}${search && `?${search}`}`;
}

/** Fetches a table and gives it to the browser as a file: a link cannot say that it wants CSV. */
export async function saveTable(path: string, query: Parameters, name: string): Promise<void> {
	let answer: Response;
	try {
		answer = await fetch(addressOf(path, query), {
			headers: headersOf('text/csv'),
			credentials,
		});
	} catch {
		throw new ApiError(0, { code: 'offline', message: 'The service cannot be reached.' });
	}
	if (!answer.ok) throw toApiError(answer.status, parse(await answer.text()));
	const link = document.createElement('a');
	link.href = URL.createObjectURL(await answer.blob());
	link.download = name;
	link.click();
	// The browser has it by then; at once would be too early for some.
	setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

function toApiError(status: number, content: unknown): ApiError {
	const isProblem = typeof content === 'object' && content !== null && 'code' in content;
	// A proxy in front answers in its own words.
	if (!isProblem) {
		dispatchEvent(new Event(unreachableEvent));
		return new ApiError(status, { code: 'unavailable', message: `HTTP ${status}` });
	}
	return new ApiError(status, content as ConstructorParameters<typeof ApiError>[1]);
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

export const dataOf = async <T>(answer: Promise<One<T>>): Promise<T> => (await answer).data;
export const get = <T>(path: string, query?: Parameters) =>
	dataOf(call<One<T>>('GET', path, query ? { query } : {}));
export const send = <T>(method: Method, path: string, body?: Fields) =>
	dataOf(call<One<T>>(method, path, body ? { body } : {}));

/** All records of a list; a page has up to 100. */
export async function listAll<T>(path: string): Promise<T[]> {
	const records: T[] = [];
	for (let page = 1; ; page++) {
		const { data, meta } = await call<List<T>>('GET', path, { query: { per_page: 100, page } });
		records.push(...data);
		if (page >= meta.last_page) return records;
	}
}

/** What a passkey signed, as JSON. */
export type Passkey = Fields;

/** The code where the account has a second factor. */
export type Proof = { password: string; code?: string } | { passkey: Passkey };

export const session = {
	get: () => get<SessionRecord>('/session'),
	signOut: () => send<unknown>('DELETE', '/session'),
	switchAccount: async (id: number) => {
		await send<unknown>('PUT', '/session/working-account', { account_id: id });
		workIn(id);
	},
	mailConfirmation: () => send<{ mailed: boolean }>('POST', '/session/confirmation'),
};

export const doctor = { examine: () => get<DoctorRecord>('/doctor') };

export const websites = {
	overview: (query: Parameters) => call<Overview>('GET', '/stats', { query }),
	list: (query: Parameters) => call<List<WebsiteRecord>>('GET', '/websites', { query }),
	get: (id: number) => get<WebsiteRecord>(`/websites/${id}`),
	favorite: (id: number, favorite: 0 | 1) =>
		send<unknown>(favorite === 1 ? 'PUT' : 'DELETE', `/websites/${id}/favorite`),
	drops: (id: number, query: Parameters) => call<Drops>('GET', `/websites/${id}/drops`, { query }),
};

/** What a share may ask too; without a session only of websites that are not private. */
export const statistics = {
	share: (website: number) => get<Share>(`/websites/${website}/share`),
	unlock: (website: number, password: string) =>
		send<Share>('POST', `/websites/${website}/unlock`, { password }),
	page: (website: number, body: z.input<typeof queryStatsBody>, signal?: AbortSignal) =>
		call<PageAnswer>('POST', `/websites/${website}/stats/query`, { body, ...(signal && { signal }) }),
	summary: (website: number, query: Parameters, signal?: AbortSignal) =>
		call<StatsAnswer>('GET', `/websites/${website}/stats`, { query, ...(signal && { signal }) }),
	breakdown: (website: number, dimension: string, query: Parameters, signal?: AbortSignal) =>
		call<BreakdownAnswer>('GET', breakdownPath(website, dimension), { query, ...(signal && { signal }) }),
	changes: (website: number, query: Parameters, signal: AbortSignal) =>
		call<ChangesAnswer>('GET', `/websites/${website}/what-changed`, { query, signal }),
	funnel: (website: number, id: number, query: Parameters) =>
		call<FunnelAnswer>('GET', `/websites/${website}/funnels/${id}/stats`, { query }),
	/** For members. */
	journeys: (website: number, query: Parameters, signal?: AbortSignal) =>
		call<JourneyAnswer>('GET', journeysPath(website), { query, ...(signal && { signal }) }),
	vitals: (website: number, query: Parameters, signal?: AbortSignal) =>
		call<VitalsAnswer>('GET', vitalsPath(website), { query, ...(signal && { signal }) }),
	properties: (website: number, query: Parameters, signal?: AbortSignal) =>
		call<z.output<typeof propertiesAnswer>>('GET', `/websites/${website}/properties`, {
			query,
			...(signal && { signal }),
		}),
	live: (website: number) => call<Live>('GET', `/websites/${website}/live`),
	goals: (website: number) => get<Goal[]>(`/websites/${website}/goals`, { per_page: 100 }),
	funnels: (website: number) => get<Funnel[]>(`/websites/${website}/funnels`, { per_page: 100 }),
	segments: (website: number) => get<Segment[]>(`/websites/${website}/segments`, { per_page: 100 }),
	notes: (website: number, query: { from?: string; to?: string }) =>
		get<Note[]>(`/websites/${website}/notes`, { ...query, per_page: 100 }),
	metrics: () => get<MetricDefinition[]>('/metrics'),
	dimensions: () => get<DimensionDefinition[]>('/dimensions'),
};

/** Also of a property, whose name may hold anything. With `addressOf` it is the address of the CSV. */
export const breakdownPath = (website: number, dimension: string): string =>
	`/websites/${website}/stats/${encodeURIComponent(dimension)}`;

export const journeysPath = (website: number): string => `/websites/${website}/journeys`;

export const vitalsPath = (website: number): string => `/websites/${website}/vitals`;

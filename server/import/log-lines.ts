/**
 * Parses lines of access logs. Supported formats: common and combined (nginx, Apache), also with a host in front or more fields
 * at the end; Caddy's JSON; and JSON with nginx's variable names.
 */
import { minuteMs } from '../lib/durations.ts';

export type LogLine = {
	atMs: number;
	address: string;
	method: string;
	/** '' if the log does not contain it. */
	host: string;
	/** Path and query. */
	target: string;
	status: number;
	referrer: string;
	userAgent: string;
	/** '' if the log does not contain it. */
	language: string;
	contentType: string;
};

/** Longer lines are not parsed. */
const maxLine = 16_384;
/** Years outside of this range are invalid. */
const firstMs = Date.UTC(1993, 0);
const endMs = Date.UTC(2100, 0);

export function parseLogLine(line: string): LogLine | undefined {
	if (line.length > maxLine) return undefined;
	const parsed = line.startsWith('{') ? parseJsonLine(line) : parsePlainLine(line);
	return parsed && parsed.atMs >= firstMs && parsed.atMs < endMs ? parsed : undefined;
}

const quoted = '"((?:[^"\\\\]|\\\\.)*)"';
const plain = new RegExp(
	`^(?:(\\S+) )?(\\S+) \\S+ (?:"[^"]*"|\\S+) \\[([^\\]]{20,26})\\] ${quoted} (\\d{3}) (?:\\d+|-)(?: ${quoted} ${quoted})?`,
);

function parsePlainLine(line: string): LogLine | undefined {
	const match = plain.exec(line);
	if (!match) return undefined;
	const [, host = '', address = '', time = '', request = '', status, referrer = '', userAgent = ''] = match;
	const atMs = readLogTime(time);
	const [method = '', target = '', protocol] = unescaped(request).split(' ');
	if (atMs === undefined || protocol === undefined) return undefined;
	return {
		...{ atMs, address, method, target, status: Number(status), contentType: '', language: '' },
		host: host.replace(/:\d+$/, ''),
		referrer: absent(unescaped(referrer)),
		userAgent: absent(unescaped(userAgent)),
	};
}

const absent = (text: string): string => (text === '-' ? '' : text);

/** nginx escapes quotes as `\x22` and non-ASCII characters byte by byte; Apache escapes quotes as `\"`. */
function unescaped(text: string): string {
	if (!text.includes('\\')) return text;
	return text
		.replace(/(?:\\x[0-9a-fA-F]{2})+/g, (run) => Buffer.from(run.replaceAll('\\x', ''), 'hex').toString())
		.replace(/\\(.)/g, '$1');
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
let lastTime = { text: '', atMs: 0 };

/** `10/Oct/2026:13:55:36 +0200`. Caches the last second, because lines of one second are adjacent. */
function readLogTime(text: string): number | undefined {
	if (text === lastTime.text) return lastTime.atMs;
	const [, day, month = '', year, clock, sign, hours, minutes] =
		/^(\d{2})\/([A-Z][a-z]{2})\/(\d{4}):(\d{2}:\d{2}:\d{2}) ([+-])(\d{2})(\d{2})$/.exec(text) ?? [];
	const number = months.indexOf(month) + 1;
	if (day === undefined || number === 0) return undefined;
	const utc = Date.parse(`${year}-${String(number).padStart(2, '0')}-${day}T${clock}Z`);
	if (Number.isNaN(utc)) return undefined;
	const atMs = utc - (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * minuteMs;
	lastTime = { text, atMs };
	return atMs;
}

function parseJsonLine(line: string): LogLine | undefined {
	let members: unknown;
	try {
		members = JSON.parse(line);
	} catch {
		return undefined;
	}
	if (!isRecord(members)) return undefined;
	return isRecord(members.request) ? parseCaddy(members, members.request) : parseNginxJson(members);
}

function parseCaddy(
	{ ts, status, resp_headers: answered }: Record<string, unknown>,
	request: Record<string, unknown>,
): LogLine | undefined {
	const atMs = typeof ts === 'number' ? Math.round(ts * 1000) : Date.parse(text(ts));
	const header = (name: string) => firstOf(request.headers, name);
	const target = text(request.uri);
	if (Number.isNaN(atMs) || target === '') return undefined;
	return {
		...{ atMs, target, status: Number(status), method: text(request.method) },
		// Caddy before 2.7 has only the address of the peer.
		address: text(request.client_ip) || text(request.remote_ip),
		host: text(request.host).replace(/:\d+$/, ''),
		referrer: header('Referer'),
		userAgent: header('User-Agent'),
		language: header('Accept-Language'),
		contentType: firstOf(answered, 'Content-Type'),
	};
}

/** nginx `log_format … escape=json` with its variable names as keys. */
function parseNginxJson(members: Record<string, unknown>): LogLine | undefined {
	const atMs = Date.parse(text(members.time_iso8601)) || Math.round(Number(members.msec) * 1000);
	const [method = '', target = ''] = text(members.request).split(' ');
	const uri = text(members.request_uri) || target;
	if (!Number.isFinite(atMs) || uri === '') return undefined;
	return {
		...{ atMs, target: uri, status: Number(members.status) },
		method: text(members.request_method) || method,
		address: text(members.http_x_real_ip) || text(members.remote_addr),
		host: text(members.host) || text(members.http_host) || text(members.server_name),
		referrer: absent(text(members.http_referer)),
		userAgent: absent(text(members.http_user_agent)),
		language: text(members.http_accept_language),
		contentType: text(members.sent_http_content_type),
	};
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

function firstOf(headers: unknown, name: string): string {
	const value = isRecord(headers) ? headers[name] : undefined;
	return Array.isArray(value) ? text(value[0]) : '';
}

/** Assets and other files that are not pages. */
const pageEndings = new Set(['html', 'htm', 'xhtml', 'shtml', 'php', 'asp', 'aspx', 'jsp', 'cgi', 'do']);
const noPages =
	/^\/(?:\.well-known\/|wp-json\/|wp-admin\/|wp-login\.php|wp-cron\.php|xmlrpc\.php|cgi-bin\/|robots\.txt|server-status)/;

/** A GET request that was answered with a page, or with 304. */
export function isPageRequest({ method, status, target, contentType }: LogLine): boolean {
	if (method !== 'GET' || !((status >= 200 && status < 300 && status !== 206) || status === 304))
		return false;
	if (contentType !== '' && !contentType.startsWith('text/html')) return false;
	if (!target.startsWith('/') || noPages.test(target)) return false;
	const mark = target.indexOf('?');
	const path = mark < 0 ? target : target.slice(0, mark);
	const dot = path.lastIndexOf('.');
	return dot < path.lastIndexOf('/') || pageEndings.has(path.slice(dot + 1).toLowerCase());
}

/**
 * A line of a web server's log, as a request for a page or as nothing. nginx, Apache and Caddy are known by what a line looks like:
 * the common and the combined format, with a host before or more fields behind them; Caddy's JSON; and JSON with nginx's own names.
 */
import { hash } from 'node:crypto';

export type LogLine = {
	atMs: number;
	address: string;
	method: string;
	/** '' where the log does not tell it. */
	host: string;
	/** Path and query. */
	target: string;
	status: number;
	referrer: string;
	userAgent: string;
	/** '' where the log does not tell it. */
	language: string;
	contentType: string;
};

/** A line is cut by whoever reads it; this is only so that nothing here runs over megabytes. */
const maxLine = 16_384;
/** Web servers have not been there before, and nobody will read this after. */
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
	const found = plain.exec(line);
	if (!found) return undefined;
	const [, host = '', address = '', time = '', request = '', status, referrer = '', userAgent = ''] = found;
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

/** nginx writes a quote as `\x22` and what is not ASCII byte by byte, Apache a quote as `\"`. */
function unescaped(text: string): string {
	if (!text.includes('\\')) return text;
	return text
		.replace(/(?:\\x[0-9a-fA-F]{2})+/g, (run) => Buffer.from(run.replaceAll('\\x', ''), 'hex').toString())
		.replace(/\\(.)/g, '$1');
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
let lastTime = { text: '', atMs: 0 };

/** `10/Oct/2026:13:55:36 +0200`. Lines of one second follow each other. */
function readLogTime(text: string): number | undefined {
	if (text === lastTime.text) return lastTime.atMs;
	const [, day, month = '', year, clock, sign, hours, minutes] =
		/^(\d{2})\/([A-Z][a-z]{2})\/(\d{4}):(\d{2}:\d{2}:\d{2}) ([+-])(\d{2})(\d{2})$/.exec(text) ?? [];
	const number = months.indexOf(month) + 1;
	if (day === undefined || number === 0) return undefined;
	const utc = Date.parse(`${year}-${String(number).padStart(2, '0')}-${day}T${clock}Z`);
	if (Number.isNaN(utc)) return undefined;
	const atMs = utc - (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
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
		// Caddy before 2.7 has only the address of whoever is connected.
		address: text(request.client_ip) || text(request.remote_ip),
		host: text(request.host).replace(/:\d+$/, ''),
		referrer: header('Referer'),
		userAgent: header('User-Agent'),
		language: header('Accept-Language'),
		contentType: firstOf(answered, 'Content-Type'),
	};
}

/** The names of nginx's own variables, which is how most people write its `log_format … escape=json`. */
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

/** What a browser fetches for a page, or a program for itself. Anything else with an ending is no page either. */
const pageEndings = new Set(['html', 'htm', 'xhtml', 'shtml', 'php', 'asp', 'aspx', 'jsp', 'cgi', 'do']);
const noPages =
	/^\/(?:\.well-known\/|wp-json\/|wp-admin\/|wp-login\.php|wp-cron\.php|xmlrpc\.php|cgi-bin\/|robots\.txt|server-status)/;

/** A page that somebody was given: a GET that was answered with a page, or with the news that the browser has it. */
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

/** A line that is the same as one before it, within these seconds, is another request; one that comes again later is the same. */
const sameForMs = 10_000;

/**
 * Names for lines: the same line of the same file has the same name whenever it is read, so that a second run adds nothing. What is
 * the same within seconds is told apart by how many there were.
 */
export function createLineNames(): (line: string, atMs: number) => string {
	let times = new Map<string, number>();
	let since = Number.NEGATIVE_INFINITY;
	return (line, atMs) => {
		if (atMs - since > sameForMs || atMs < since - sameForMs) {
			times = new Map();
			since = Math.floor(atMs / sameForMs) * sameForMs;
		}
		const name = hash('sha256', line, 'buffer').readBigUInt64LE(0);
		const key = String(name);
		const before = times.get(key) ?? 0;
		times.set(key, before + 1);
		return String(BigInt.asUintN(64, name + BigInt(before) * 0x9e3779b97f4a7c15n) || 1n);
	};
}

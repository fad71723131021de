import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPageRequest, parseLogLine } from './log-lines.ts';

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
const combined = `203.0.113.7 - frank [10/Oct/2026:13:55:36 +0200] "GET /blog?utm_source=news HTTP/1.1" 200 2326 "https://www.example.org/start" "${firefox}"`;
const expected = {
	atMs: Date.parse('2026-10-10T11:55:36Z'),
	address: '203.0.113.7',
	method: 'GET',
	host: '',
	target: '/blog?utm_source=news',
	status: 200,
	referrer: 'https://www.example.org/start',
	userAgent: firefox,
	language: '',
	contentType: '',
};

const caddy = {
	level: 'info',
	ts: 1791640536.125,
	logger: 'http.log.access',
	request: {
		remote_ip: '10.0.0.1',
		client_ip: '203.0.113.7',
		proto: 'HTTP/2.0',
		method: 'GET',
		host: 'example.com:443',
		uri: '/blog?utm_source=news',
		headers: {
			'User-Agent': [firefox],
			Referer: ['https://www.example.org/start'],
			'Accept-Language': ['de-DE,de;q=0.9'],
		},
	},
	status: 200,
	resp_headers: { 'Content-Type': ['text/html; charset=utf-8'] },
};

const nginxJson = {
	time_iso8601: '2026-10-10T13:55:36+02:00',
	remote_addr: '203.0.113.7',
	request: 'GET /blog?utm_source=news HTTP/1.1',
	status: '200',
	http_referer: 'https://www.example.org/start',
	http_user_agent: firefox,
	host: 'example.com',
};

test('the formats of nginx, Apache and Caddy are read alike', () => {
	assert.deepEqual(parseLogLine(combined), expected);
	assert.deepEqual(parseLogLine(`example.com:443 ${combined}`), { ...expected, host: 'example.com' });
	assert.deepEqual(parseLogLine(`${combined} "203.0.113.9" 0.004`), expected);
	const common = combined.replace(/ "https.*$/, '');
	assert.deepEqual(parseLogLine(common), { ...expected, referrer: '', userAgent: '' });
	assert.deepEqual(parseLogLine(JSON.stringify(nginxJson)), { ...expected, host: 'example.com' });
	assert.deepEqual(parseLogLine(JSON.stringify(caddy)), {
		...expected,
		atMs: 1791640536125,
		host: 'example.com',
		language: 'de-DE,de;q=0.9',
		contentType: 'text/html; charset=utf-8',
	});
});

test('quotes that were sent are not quotes of the format', () => {
	const nginx = combined.replace(firefox, 'evil \\x22 agent');
	assert.equal(parseLogLine(nginx)?.userAgent, 'evil " agent');
	assert.equal(parseLogLine(combined.replace('/blog', '/\\xC3\\xBCber'))?.target, '/über?utm_source=news');
	const apache = combined.replace(firefox, 'evil \\" 200 1 \\"x\\" agent');
	assert.equal(parseLogLine(apache)?.userAgent, 'evil " 200 1 "x" agent');
	assert.equal(parseLogLine(apache)?.status, 200);
});

test('what is no line of a log is nothing', () => {
	const lines = [
		'',
		'{',
		'[]',
		'{"request":{}}',
		'{"request":null,"status":200}',
		'203.0.113.7 - - [10/Foo/2026:13:55:36 +0200] "GET / HTTP/1.1" 200 1 "-" "-"',
		'203.0.113.7 - - [99/Oct/2026:13:55:36 +0200] "GET / HTTP/1.1" 200 1 "-" "-"',
		'203.0.113.7 - - [10/Oct/2026:13:55:36 +0200] "\\x16\\x03\\x01" 400 1 "-" "-"',
		'x'.repeat(100_000),
		`${'"'.repeat(8_000)}`,
		`1.2.3.4 - - [10/Oct/2026:13:55:36 +0200] "${'\\"'.repeat(7_000)}`,
	];
	for (const line of lines) assert.equal(parseLogLine(line), undefined, line.slice(0, 80));
});

test('a page is what was asked for with GET and given', () => {
	const line = parseLogLine(combined);
	assert.ok(line);
	const is = (more: Partial<typeof line>) => isPageRequest({ ...line, ...more });
	assert.equal(is({}), true);
	for (const target of ['/', '/a.b/c', '/index.html', '/page.PHP?x=1', '/with?file=a.png', '/über'])
		assert.equal(is({ target }), true, target);
	for (const target of [
		...['/style.css', '/a/b.js?v=1', '/x.png', '/robots.txt', '/.well-known/x', '/wp-login.php', 'http://x/'],
		...['/feed.xml', '/archive.tar.gz', '*'],
	])
		assert.equal(is({ target }), false, target);
	for (const status of [206, 301, 404, 500]) assert.equal(is({ status }), false, String(status));
	assert.equal(is({ status: 304 }), true);
	assert.equal(is({ method: 'POST' }), false);
	assert.equal(is({ method: 'HEAD' }), false);
	assert.equal(is({ contentType: 'application/json' }), false);
});

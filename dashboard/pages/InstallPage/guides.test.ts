import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codesOf, guideNames, type Place, policyOf, snippetOf } from './guides.ts';

const place: Place = {
	websiteId: 42,
	address: 'https://stats.example.com',
	script: '/tm.js',
	collect: '/tm',
};
/** As an operator has it who has given both another name. */
const renamed: Place = { ...place, script: '/js/tide.js', collect: '/js/wave' };

test('the line is the one of docs/tracker.md', () => {
	assert.equal(
		snippetOf(place),
		'<script defer data-website="42" src="https://stats.example.com/tm.js"></script>',
	);
	assert.equal(
		policyOf(place),
		'script-src https://stats.example.com; connect-src https://stats.example.com',
	);
});

test('where hits go elsewhere, the line says so', () => {
	assert.equal(
		snippetOf(renamed),
		'<script defer data-website="42" data-endpoint="https://stats.example.com/js/wave" src="https://stats.example.com/js/tide.js"></script>',
	);
});

test('every guide names the website and the service, and leaves nothing to be filled in', () => {
	for (const name of guideNames)
		for (const address of [place, renamed]) {
			const codes = codesOf[name](address).join('\n');
			assert.ok(codes.includes(address.script), name);
			assert.ok(codes.includes('stats.example.com'), name);
			assert.ok(codes.includes('42'), name);
			assert.doesNotMatch(codes, /='undefined|"undefined|null|YOUR|\{\{|\$\{/, name);
			// Hits must arrive where they are taken.
			assert.ok(address.collect === '/tm' || codes.includes(address.collect), name);
		}
});

test('proxies pass on both paths, whom it is about, and no cookies', () => {
	assert.deepEqual(codesOf.nginx(place), [
		`location = /tm.js {
    proxy_pass https://stats.example.com/tm.js;
    proxy_set_header Host stats.example.com;
    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    proxy_set_header Cookie "";
    proxy_ssl_server_name on;
}

location = /tm {
    proxy_pass https://stats.example.com/tm;
    proxy_set_header Host stats.example.com;
    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    proxy_set_header Cookie "";
    proxy_ssl_server_name on;
}`,
		'<script defer data-website="42" src="/tm.js"></script>',
	]);
	assert.deepEqual(codesOf.caddy(renamed), [
		`@tidemark path /js/tide.js /js/wave
reverse_proxy @tidemark https://stats.example.com {
    header_up Host {upstream_hostport}
    header_up -Cookie
}`,
		'<script defer data-website="42" data-endpoint="/js/wave" src="/js/tide.js"></script>',
	]);
});

test('the Worker passes a hit on with the address of the visitor and without cookies', async (t) => {
	const [code = ''] = codesOf.cloudflare(place);
	const { default: worker }: { default: { fetch(request: Request): Promise<Response> } } = await import(
		`data:text/javascript,${encodeURIComponent(code)}`
	);
	const requests: { url: string; method: string; headers: Headers; body: unknown }[] = [];
	t.mock.method(globalThis, 'fetch', async (url: string, init: RequestInit) => {
		requests.push({
			url,
			method: init.method ?? '',
			headers: new Headers(init.headers),
			body: init.body,
		});
		return new Response(null, { status: 202 });
	});
	const headers = { 'CF-Connecting-IP': '203.0.113.9', 'X-Forwarded-For': '1.2.3.4', Cookie: 'secret=1' };
	const answer = await worker.fetch(
		new Request('https://example.com/tm', { method: 'POST', body: '{"w":42}', headers }),
	);
	assert.equal(answer.status, 202);
	await worker.fetch(new Request('https://example.com/tm.js', { headers }));
	assert.deepEqual(
		requests.map(({ url, method, body }) => ({ url, method, body })),
		[
			{ url: 'https://stats.example.com/tm', method: 'POST', body: '{"w":42}' },
			{ url: 'https://stats.example.com/tm.js', method: 'GET', body: undefined },
		],
	);
	for (const request of requests) {
		assert.equal(request.headers.get('x-forwarded-for'), '203.0.113.9');
		assert.equal(request.headers.get('cookie'), null);
	}
});

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { eventOf } from '../support/golden-hits.ts';

const store = (body: Record<string, unknown>) => JSON.stringify(eventOf(body));

const jwt =
	'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkphbmUifQ.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c';

/** The end of an address, and what of it must not be stored. */
const addresses: [string, string][] = [
	// Email addresses, in the spellings that addresses have.
	['/u/jane.doe@mail.example', 'jane'],
	['/u/jane.doe%40mail.example/edit', 'jane'],
	['/u/jane%2Bshop%40mail.example', 'jane'],
	['/unsubscribe/jane@mail.example/now', 'jane'],
	['/?email=jane@mail.example', 'jane'],
	['/?e=jane%40mail.example&page=2', 'jane'],
	['/?to=jane%2540mail.example', 'jane'],
	['/?to=jane%252540mail.example', 'jane'],
	['/?q=from+jane%40mail.example+to+bob', 'jane'],
	['/?next=%2Flogin%3Femail%3Djane%40mail.example', 'jane'],
	['/?jane@mail.example', 'jane'],
	['/?jane%40mail.example=1', 'jane'],
	['/?list=a@mail.example,jane@mail.example', 'jane'],
	['/?contact=%22Jane%22%3Cjane%40mail.example%3E', 'jane@'],
	['/?e=j%C3%A4ne@m%C3%A4il.example', 'jäne'],
	['/#/users/jane@mail.example', 'jane'],
	['/?e=JANE@MAIL.EXAMPLE', 'JANE'],
	['/mailto:jane@mail.example', 'jane'],
	["/?e=o'jane@mail.example", 'jane'],
	[`/?e=${'j'.repeat(200)}ane@mail.example`, 'jjjj'],
	// Tokens by the name of their parameter.
	['/?token=kX8', 'kX8'],
	['/?access_token=kX8', 'kX8'],
	['/?Access-Token=kX8', 'kX8'],
	['/?id_token=kX8&state=1', 'kX8'],
	['/?password=hunter2', 'hunter2'],
	['/?pwd=hunter2', 'hunter2'],
	['/?new_password=hunter2', 'hunter2'],
	['/?api_key=kX8', 'kX8'],
	['/?apikey=kX8', 'kX8'],
	['/?key=kX8', 'kX8'],
	['/?code=4%2F0AX4XfWh', '0AX4'],
	['/?auth=kX8', 'kX8'],
	['/?sig=kX8', 'kX8'],
	['/?X-Amz-Signature=kX8', 'kX8'],
	['/?otp=123456', '123456'],
	['/?PHPSESSID=kX8', 'kX8'],
	['/?jsessionid=kX8', 'kX8'],
	['/?sid=kX8', 'kX8'],
	['/?session_id=kX8', 'kX8'],
	['/?csrf_token=kX8', 'kX8'],
	['/?user[password]=kX8', 'kX8'],
	['/?t%6Fken=kX8', 'kX8'],
	['/?phone=%2B4930123456', '4930123456'],
	['/?mc_eid=3f2a', '3f2a'],
	['/?_hsenc=p2ANqtz', 'p2AN'],
	['/?redirect=https%3A%2F%2Fexample.com%2F%3Ftoken%3DkX8%26a%3D1', 'kX8'],
	['/?redirect=https%253A%252F%252Fexample.com%252F%253Ftoken%253DkX8', 'kX8'],
	['/a;jsessionid=kX8kX8/b', 'kX8'],
	['/a;jsessionid=kX8kX8?b=1', 'kX8'],
	['/#/login?token=kX8', 'kX8'],
	['/#access_token=kX8&expires_in=3600', 'kX8'],
	// Tokens by their look.
	[`/?x=${jwt}`, 'SflKxw'],
	[`/verify/${jwt}`, 'SflKxw'],
	['/d/550e8400-e29b-41d4-a716-446655440000', '550e8400'],
	['/?x=550E8400-E29B-41D4-A716-446655440000', '550E8400'],
	['/?x={550e8400-e29b-41d4-a716-446655440000}', '550e8400'],
	[`/r/${createHash('md5').update('a').digest('hex')}`, '0cc175b9'],
	[`/r/${createHash('sha1').update('a').digest('hex')}/x`, '86f7e437'],
	[`/?x=${createHash('sha256').update('a').digest('hex')}`, 'ca978112'],
	[`/?x=${createHash('sha256').update('a').digest('base64')}`, 'ypeBEsob'],
	[
		`/?x=${createHash('sha256').update('b').digest('base64url')}`,
		createHash('sha256').update('b').digest('base64url').slice(0, 8),
	],
	['/s/7h4kq2m9x1c8v5b3n6', '7h4kq'],
	['/s/q3hn5o1sd7f8g2k4j6l9m0p2r5', 'q3hn'],
	['/s/dQw4w9WgXcQaB3xZ9kLm', 'dQw4w9'],
	['/s/0b9c8d7e6f5a4b3c', '0b9c8'],
	['/oid/507f1f77bcf86cd799439011', '507f1f'],
	['/?k=AKIAIOSFODNN7EXAMPLE', 'AKIAIO'],
	['/?k=sk_live_4eC39HqLyjWDarjtT1zdp7dc', '4eC39'],
	['/?k=ghp_16C7e42F292c6912E7710c838347Ae178B4a', '16C7e'],
	['/?k=xoxb-263594206564-FGqddMF8t08v8N7Oq4i57vs1', 'FGqdd'],
	['/?k=AIzaSyDaGmWKa4JsXZ-HjGw7ISLn_3namBGewQe', 'SyDaG'],
	['/?k=MFRGGZDFMZTWQ2LKNNWG23TP', 'MFRGG'],
	['/?n=12345678901234567890123', '1234567890123'],
	['/password-reset/a1b2c3d4', 'a1b2c3'],
	['/users/confirm/x7Kq92Lm/', 'x7Kq'],
	['/invitations/9xk2mq/accept', '9xk2'],
	['/email-verification/482915x', '482915'],
];

test('[T52] addresses are stored without email addresses, tokens and session ids', (t) => {
	const leaks = addresses
		.map(([end, secret]) => ({ end, secret, stored: store({ u: `https://example.com${end}` }) }))
		.filter(({ stored, secret }) => stored.includes(secret));
	t.diagnostic(`${addresses.length} addresses`);
	assert.ok(addresses.length >= 50);
	assert.deepEqual(leaks, []);
});

test('[T52] so are referrers, which lose their query as well', () => {
	for (const [end, secret] of addresses)
		assert.ok(!store({ r: `https://other.example${end}` }).includes(secret), end);
	for (const [end, secret] of addresses)
		assert.ok(!store({ r: `https://example.com${end}` }).includes(secret), end);
});

test('[T52] titles, names and properties', () => {
	for (const text of ['jane@mail.example', `Token ${jwt}`, 'Mail an <jane@mail.example>: offen'])
		for (const body of [{ t: text }, { n: text.slice(0, 100) }, { p: { a: text } }]) {
			const stored = store(body);
			assert.ok(!stored.includes('jane') && !stored.includes('eyJzdWI'), stored);
		}
	assert.ok(!store({ t: 'Order 550e8400-e29b-41d4-a716-446655440000' }).includes('550e8400'));
	assert.ok(!store({ p: { password: 'hunter2', access_token: 'hunter2' } }).includes('hunter2'));
	assert.ok(
		!store({ n: 'outbound', p: { url: 'https://x.example/?token=kX8&e=jane@mail.example' } }).match(
			/kX8|jane/,
		),
	);
	assert.ok(
		!store({ u: 'https://example.com/?utm_content=jane%40mail.example&utm_term=jane@mail.example' }).includes(
			'jane',
		),
	);
});

test('[T52] a click id is stored by its kind, never by its value', () => {
	const ids =
		'gclid gbraid wbraid dclid msclkid yclid ttclid twclid li_fat_id fbclid rdt_cid ScCid epik'.split(' ');
	for (const id of ids) {
		const stored = store({ u: `https://example.com/?${id}=secretvalue&a=1` });
		assert.ok(!stored.includes('secretvalue') && stored.includes(`"click_id":"${id}"`), stored);
	}
});

/** What people write, and want to find again. */
const harmless = [
	'/how-to-build-a-website-in-10-minutes-2026-edition',
	'/2026/11/15/a-day',
	'/produkt/4006381333931/kaffeemaschine-de-luxe-2000w',
	'/wiki/TheQuickBrownFoxJumpsOverTheLazyDog',
	'/iphone-15-pro-max-256gb-natural-titanium',
	'/donaudampfschifffahrtsgesellschaftskapitaen',
	'/Donaudampfschifffahrtsgesellschaftskapitän',
	'/10-tips-to-be-in-a-4-x-4-car-in-2-days',
	'/docs/v2.10.3/api-reference',
	'/@jane/a-post',
	'/npm/@scope/package@1.2.3',
	'/tag/c++',
	'/日本語の長い長い長い長い長いタイトルのページ',
	'/very_long_snake_case_identifier_of_a_page',
	'/ANNUAL-REPORT-2025-FINAL',
	'/order/1234567',
	'/blog/confirm-your-order',
	'/reset/success',
	'/invite/friends',
	'/de/agb/widerrufsbelehrung',
	'/c/1500x500/fit/images.jpg',
	'/?page=2',
	'/?sort=price-asc&filter=color:red,size:xl',
	'/?q=best coffee machine 2026',
	'/?date=2026-11-15T09:00:00',
	'/?lat=52.520008&lng=13.404954',
	'/?view=list&login=1',
	'/?section=GettingStartedWithTypeScript',
];

test('[T52] what is no secret stays as it is', () => {
	for (const end of harmless) {
		const stored = JSON.parse(store({ u: `https://example.com${end}` }));
		assert.equal(`${stored.path}${stored.query === '' ? '' : `?${stored.query}`}`, end);
	}
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventOf } from '../support/golden-hits.ts';

const removed = [
	...[0x00, 0x01, 0x07, 0x08, 0x0e, 0x1b, 0x1f, 0x7f, 0x80, 0x90, 0x9b, 0x9f],
	...[0x061c, 0x200b, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2060],
	...[0x2066, 0x2067, 0x2068, 0x2069],
].map((code) => [`a${String.fromCodePoint(code)}b`, 'ab'] as const);
const blanks = [0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x85, 0xa0, 0x1680, 0x2003, 0x2028, 0x2029, 0x3000].map(
	(code) => [`a${String.fromCodePoint(code)}b`, 'a b'] as const,
);

/** What is sent, and what is stored and shown. */
const strings: readonly (readonly [string, string])[] = [
	...removed,
	...blanks,
	['a\ufeffb', 'a b'],
	['a\ud800b', 'a\ufffdb'],
	['a\udfffb', 'a\ufffdb'],
	['\udc00\ud800', '\ufffd\ufffd'],
	['e\u0301', '\u00e9'],
	['A\u030a', '\u00c5'],
	['\u212b', '\u00c5'],
	['\u1112\u1161\u11ab', '\ud55c'],
	['\u0958', '\u0915\u093c'],
	['ﬁ', 'ﬁ'],
	['①', '①'],
	['👩‍👩‍👧', '👩‍👩‍👧'],
	['🏴󠁧󠁢󠁥󠁮󠁧󠁿', '🏴󠁧󠁢󠁥󠁮󠁧󠁿'],
	['می‌خواهم', 'می‌خواهم'],
	['ｆｕｌｌ', 'ｆｕｌｌ'],
	['раура1', 'раура1'],
	['Z̵̢a̸l̶g̷o̵', 'Z̵̢a̸l̶g̷o̵'.normalize('NFC')],
	['مرحبا', 'مرحبا'],
	['שלום', 'שלום'],
	['\u202e\u202d\u200f', ''],
	['  a   b  ', 'a b'],
	['𝕒𝕓', '𝕒𝕓'],
	['ÿ\u0000\u0301', 'ÿ\u0301'],
	['İstanbul', 'İstanbul'],
];

test('[T39] texts are stored as they are shown: well-formed, composed, with nothing hidden in them', (t) => {
	t.diagnostic(`${strings.length} strings`);
	assert.ok(strings.length >= 60);
	for (const [sent, stored] of strings) {
		const event = eventOf({ t: sent, n: `n${sent}`, p: { [`p${sent}`]: sent } });
		assert.equal(event.title, stored, JSON.stringify(sent));
		assert.equal(event.properties[Object.keys(event.properties)[0] ?? ''], stored, JSON.stringify(sent));
		const text = JSON.stringify(event);
		assert.ok(text.isWellFormed());
		assert.equal(Buffer.from(text).toString(), text, 'as UTF-8 and back it is the same');
	}
});

test('[T39] so are paths, queries and campaigns, encoded or not', () => {
	for (const [sent, stored] of strings) {
		const encoded = encodeURIComponent(sent.toWellFormed());
		// A blank is a blank in an address too; what is only half a character was sent as what stands for that.
		const inside = `x${sent}y`.toWellFormed().replace(/[\s\u0085]+/g, ' ');
		const event = eventOf({
			u: `https://example.com/x${encoded}y?x${encoded}y=x${encoded}y&utm_source=x${encoded}y`,
		});
		const shown = eventOf({ t: inside }).title;
		if (!stored.includes('\ufffd')) {
			assert.equal(event.path, `/${shown}`, JSON.stringify(sent));
			assert.equal(event.query, `${shown}=${shown}`, JSON.stringify(sent));
		}
		assert.equal(event.utm_source, shown, JSON.stringify(sent));
		assert.doesNotMatch(
			JSON.stringify(event),
			/[\u0080-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/,
		);
	}
});

test('[T39] a host in another script is stored as DNS has it', () => {
	const { referrer, source } = eventOf({ r: 'https://аррӏе.example/' });
	assert.equal(referrer, 'xn--80ak6aa92e.example');
	assert.equal(source, 'xn--80ak6aa92e.example');
});

/** Strings that become code somewhere, when somebody forgets that they are text. */
const polyglots = [
	'<script>alert(1)</script>',
	'"><img src=x onerror=alert(1)>',
	"';alert(1)//",
	'</title><svg/onload=alert(1)>',
	'{{constructor.constructor("alert(1)")()}}',
	// biome-ignore lint/suspicious/noTemplateCurlyInString: it is meant to look like one
	'${alert(1)}',
	'<iframe srcdoc="<script>alert(1)</script>">',
	'=HYPERLINK("http://evil.test","x")',
	'+cmd|calc!A0',
	"'; DROP TABLE events; --",
	'{p0:String}',
	'%s%s%n',
	'../../etc/hosts',
	'&lt;b&gt;',
];

test('[T38] markup, formulas and statements are stored as the text they are, in every field', () => {
	for (const text of polyglots) {
		const event = eventOf({
			t: text,
			n: text,
			p: { [text]: text },
			u: `https://example.com/?utm_source=${encodeURIComponent(text)}&utm_campaign=${encodeURIComponent(text)}`,
		});
		assert.equal(event.title, text);
		assert.equal(event.name, text);
		assert.deepEqual({ ...event.properties }, { [text]: text });
		assert.equal(event.utm_source, text);
		assert.equal(event.utm_campaign, text);
	}
});

test('[T38] nothing that a browser claims can name a browser, system, device, channel or country of its own', () => {
	for (const text of polyglots) {
		const event = eventOf(
			{},
			{
				headers: {
					'user-agent': `${text} Chrome/${text} (${text}; Android ${text}; ${text})`,
					'accept-language': text,
					'sec-ch-ua': `"${text}";v="1", "Chromium";v="${text}"`,
					'sec-ch-ua-platform': `"${text}"`,
					'sec-ch-ua-platform-version': `"${text}"`,
				},
			},
		);
		for (const value of [
			event.browser,
			event.browser_version,
			event.os,
			event.os_version,
			event.device,
			event.language,
		])
			assert.match(value, /^[\w ]{0,20}$/, text);
	}
});

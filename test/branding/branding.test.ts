import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { z } from 'zod';
import { send } from '../support/client.ts';
import { assertProblem, freshDomain, websiteOf } from '../support/contract.ts';
import { makeJpeg, makePng, pngChunk } from '../support/images.ts';
import { createLink, linkPage } from '../support/share-links.ts';
import { givePassword, signedIn, visitor } from '../support/visitor.ts';
import { type TestAccount, world } from '../support/world.ts';

const w = await world({ after });

const shade = z.string().regex(/^#[0-9a-f]{6}$/);
const shades = z.strictObject({
	sea: shade,
	'sea-ink': shade,
	'sea-wash': shade,
	'sea-wash-2': shade,
	'on-sea': shade,
});
const logo = z
	.strictObject({
		url: z.string().regex(/^\/brands\/[0-9a-f]{64}\.(png|jpeg)$/),
		type: z.enum(['image/png', 'image/jpeg']),
		width: z.int(),
		height: z.int(),
	})
	.nullable();
/** As docs/contract/white-label.md has it. */
const branding = z.strictObject({
	name: z.string().nullable(),
	accent: shade.nullable(),
	powered_by: z.boolean(),
	logo,
	dark_logo: logo,
	colors: z.strictObject({ light: shades, dark: shades }).nullable(),
});
const brandOf = (answer: { json: unknown; status: number; text: string }) => {
	assert.equal(answer.status, 200, answer.text);
	return z.strictObject({ data: branding }).parse(answer.json).data;
};
const none = { name: null, accent: null, powered_by: true, logo: null, dark_logo: null, colors: null };

const octets = { 'content-type': 'application/octet-stream' };
const upload = (account: Pick<TestAccount, 'api'>, body: Uint8Array, background = 'light') =>
	account.api('PUT', `/account/branding/logo?background=${background}`, { body });

/** The brand that an answer for a page has, in whatever record. */
const shownIn = (answer: { json: unknown; text: string; status: number }) => {
	assert.equal(answer.status, 200, answer.text);
	return z.object({ data: z.object({ brand: branding.optional() }) }).parse(answer.json).data.brand;
};

test('[C-LABEL-1] an account has no branding until it changes it, and each field alone', async () => {
	const owner = await w.account();
	assert.deepEqual(brandOf(await owner.api('GET', '/account/branding')), none);
	const put = (json: unknown) => owner.api('PUT', '/account/branding', { json });
	assert.equal(brandOf(await put({ name: '  Acme Analytics ' })).name, 'Acme Analytics');
	assert.equal(brandOf(await put({ powered_by: false })).powered_by, false);
	const { name, accent, powered_by, colors } = brandOf(await put({ accent: '#7F4FC9' }));
	assert.deepEqual([name, accent, powered_by], ['Acme Analytics', '#7f4fc9', false]);
	assert.equal(colors?.light.sea, '#7f4fc9');
	const read = await owner.api('GET', '/account/branding');
	// What was read can be sent back as it is.
	assert.deepEqual(brandOf(await put(brandOf(read))), brandOf(read));
	const form = { name: '', accent: '', powered_by: '1' };
	assert.deepEqual(brandOf(await owner.api('PUT', '/account/branding', { form })), none);
});

test('[C-LABEL-1] [T261] a bad field is refused, and nothing is changed', async () => {
	const owner = await w.account();
	for (const [field, values] of Object.entries({
		name: ['x'.repeat(61), 7, 'a\0b', ['x']],
		accent: ['red', '#abc', '#12345g', '#123456;background:url(//evil.example)', 123456, 'var(--ink)'],
		powered_by: ['maybe', 2, null],
	}))
		for (const sent of values)
			assertProblem(
				await owner.api('PUT', '/account/branding', {
					json: { name: 'Fine', accent: '#123456', [field]: sent },
				}),
				'validation_failed',
				[field],
			);
	assert.deepEqual(brandOf(await owner.api('GET', '/account/branding')), none);
	const sixty = '日'.repeat(60);
	assert.equal(brandOf(await owner.api('PUT', '/account/branding', { json: { name: sixty } })).name, sixty);
});

test('[C-LABEL-2] a logo for each background is uploaded, served from its own address and deleted', async () => {
	const owner = await w.account();
	const png = makePng({ width: 200, height: 50 });
	const jpeg = makeJpeg({ width: 100, height: 40 });
	const first = brandOf(await upload(owner, png));
	assert.deepEqual({ ...first.logo, url: '' }, { url: '', type: 'image/png', width: 200, height: 50 });
	const { logo: light, dark_logo: dark } = brandOf(await upload(owner, jpeg, 'dark'));
	assert.deepEqual(light, first.logo);
	for (const [shown, content] of [
		[light, png],
		[dark, jpeg],
	] as const) {
		const response = await fetch(w.base + shown?.url);
		assert.equal(response.status, 200);
		assert.deepEqual(Buffer.from(await response.arrayBuffer()), content);
		assert.equal(response.headers.get('content-type'), shown?.type);
		assert.equal(response.headers.get('cache-control'), 'public, max-age=31536000, immutable');
	}
	const other = brandOf(await upload(owner, makePng({ width: 201, height: 50 })));
	assert.notEqual(other.logo?.url, light?.url, 'another image has another address');
	assert.equal((await fetch(w.base + light?.url)).status, 404);
	assert.equal(brandOf(await owner.api('DELETE', '/account/branding/logo')).logo, null);
	assert.equal((await fetch(w.base + other.logo?.url)).status, 404);
	assert.equal(brandOf(await owner.api('DELETE', '/account/branding/logo?background=dark')).dark_logo, null);
	assertProblem(await upload(owner, png, 'grey'), 'validation_failed', ['background']);
});

test('[C-LABEL-3] [T260] what is no small PNG or JPEG is refused, and a logo is never a page', async () => {
	const owner = await w.account();
	const script = Buffer.from('<!doctype html><script>alert(1)</script>');
	for (const body of [
		script,
		Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
		makePng({ width: 1, height: 1, says: { width: 60_000, height: 60_000 } }),
		makePng().subarray(0, -1),
		Buffer.alloc(0),
	])
		assertProblem(await upload(owner, body), 'validation_failed', ['logo']);
	assertProblem(await upload(owner, Buffer.concat([makePng(), Buffer.alloc(300_000)])), 'body_too_large');
	assert.deepEqual(brandOf(await owner.api('GET', '/account/branding')), none);

	const hidden = makePng({ more: [pngChunk('tEXt', script)], after: script });
	const { logo: shown } = brandOf(await upload(owner, hidden));
	const response = await fetch(w.base + shown?.url, { headers: { accept: 'text/html' } });
	assert.equal(response.headers.get('content-type'), 'image/png');
	assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
	assert.equal(
		response.headers.get('content-security-policy'),
		"default-src 'none'; sandbox; frame-ancestors 'none'",
	);
	assert.equal(response.headers.get('cross-origin-resource-policy'), 'same-origin');
	assert.ok(
		!Buffer.from(await response.arrayBuffer()).includes('script'),
		'only what draws the image is kept',
	);
	const [digest = ''] = /[0-9a-f]{64}/.exec(shown?.url ?? '') ?? [];
	for (const name of [
		`${digest}.jpeg`,
		`${digest}.html`,
		`${digest}.svg`,
		digest,
		`${digest.toUpperCase()}.png`,
		'..%2f..%2fx.png',
	])
		assert.equal((await send(w.base, 'GET', `/brands/${name}`)).status, 404, name);
});

test('[C-LABEL-5] [T263] pages have the brand of the account of their website, and of no other', async () => {
	const owner = await w.account();
	const other = await w.account();
	await givePassword(w, owner);
	await givePassword(w, other);
	await owner.api('PUT', '/account/branding', { json: { name: 'Acme', accent: '#7f4fc9' } });
	const acme = brandOf(await upload(owner, makePng()));
	await other.api('PUT', '/account/branding', { json: { name: 'Other' } });
	const plain = await w.account();
	const websiteFor = async (account: TestAccount, form: Record<string, string> = {}) =>
		websiteOf(await account.api('POST', '/websites', { form: { domain: freshDomain(), ...form } }), 201);
	const [own, hidden, foreign, unbranded] = [
		await websiteFor(owner),
		await websiteFor(owner, { privacy: '2', password: 'low tide 7' }),
		await websiteFor(other),
		await websiteFor(plain),
	];
	const anyone = visitor(() => w.base);
	const person = await signedIn(w, owner);
	const shareOf = (browser: typeof anyone, { id }: { id: number }) => browser('GET', `/websites/${id}/share`);
	assert.deepEqual(shownIn(await person('GET', '/session')), acme);
	for (const browser of [anyone, person]) {
		assert.deepEqual(shownIn(await shareOf(browser, own)), acme);
		assert.equal(shownIn(await shareOf(browser, foreign))?.name, 'Other');
		assert.equal(shownIn(await shareOf(browser, unbranded)), undefined);
	}
	// The page that asks for the password says nothing about the website.
	assert.equal(shownIn(await shareOf(anyone, hidden)), undefined);
	assert.deepEqual(
		shownIn(await anyone('POST', `/websites/${hidden.id}/unlock`, { json: { password: 'low tide 7' } })),
		acme,
	);
	for (const [account, website, name] of [
		[owner, own, 'Acme'],
		[other, foreign, 'Other'],
		[plain, unbranded, undefined],
	] as const) {
		const page = linkPage(() => w.base, await createLink(account, website));
		assert.equal(shownIn(await page('GET', '/share-link'))?.name, name);
	}
});

test('[C-LABEL-5] [T263] a shared board has a brand only if all its websites are of one account', async () => {
	const owner = await w.account();
	const other = await w.account();
	await givePassword(w, owner);
	await owner.api('PUT', '/account/branding', { json: { name: 'Acme' } });
	const person = await signedIn(w, owner);
	await w.sql("INSERT INTO members (owner_id, member_id, role, created_at) VALUES ($1, $2, 'admin', now())", [
		other.id,
		owner.id,
	]);
	const idOf = async (account: TestAccount) =>
		websiteOf(await account.api('POST', '/websites', { form: { domain: freshDomain() } }), 201).id;
	const [own, foreign] = [await idOf(owner), await idOf(other)];
	const brandOfBoard = async (ids: number[]) => {
		const cards = ids.map((id) => ({ website_id: id, view: 'number' }));
		const board = await person('POST', '/boards', { json: { name: `Board ${ids}`, period: '7d', cards } });
		assert.equal(board.status, 201, board.text);
		const { id } = z.object({ data: z.object({ id: z.int() }) }).parse(board.json).data;
		const link = await person('POST', `/boards/${id}/share-links`, { json: { name: 'Link' } });
		assert.equal(link.status, 201, link.text);
		const page = linkPage(
			() => w.base,
			z.object({ data: z.object({ url: z.string() }) }).parse(link.json).data,
		);
		return shownIn(await page('GET', '/share-link'))?.name;
	};
	assert.equal(await brandOfBoard([own]), 'Acme');
	assert.equal(await brandOfBoard([own, foreign]), undefined);
	assert.equal(await brandOfBoard([foreign]), undefined);
});

test('[C-LABEL-1] a session changes the branding, and the activity log says so', async () => {
	const owner = await w.account();
	await givePassword(w, owner);
	const person = await signedIn(w, owner);
	assert.equal(brandOf(await person('PUT', '/account/branding', { json: { name: 'Acme' } })).name, 'Acme');
	brandOf(await person('PUT', '/account/branding/logo', { body: makePng(), headers: octets }));
	const asJson = { 'content-type': 'application/json' };
	const refused = await person('PUT', '/account/branding/logo', { body: makePng(), headers: asJson });
	assertProblem(refused, 'unsupported_media_type');
	const log = await w.sql<{ what: string }>('SELECT what FROM changes WHERE account_id = $1 ORDER BY id', [
		owner.id,
	]);
	assert.deepEqual(
		log.map(({ what }) => what).filter((what) => /Brand|Logo/.test(what)),
		['updateBranding', 'uploadLogo'],
	);
});

test('[C-LABEL-1] the branding goes with its account', async () => {
	const owner = await w.account();
	const { logo: shown } = brandOf(await upload(owner, makePng({ width: 77, height: 7 })));
	await w.sql('DELETE FROM accounts WHERE id = $1', [owner.id]);
	assert.equal((await fetch(w.base + shown?.url)).status, 404);
});

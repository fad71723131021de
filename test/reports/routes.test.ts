import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { ReportRecord, ReportSettings, WholeReport } from '../../api/reports.ts';
import { assertProblem, freshDomain, websiteOf } from '../support/contract.ts';
import { reporting } from '../support/reporting.ts';
import { storeEvents } from '../support/stored-events.ts';
import { givePassword, signedIn, visitor } from '../support/visitor.ts';
import { world } from '../support/world.ts';

let moment = new Date('2026-11-02T12:00:00.000Z');
const w = await world({ after }, { now: () => moment });
const r = await reporting(w, { after }, () => moment);
const owner = await w.account({ timezone: 'UTC', locale: 'en' });
const viewer = await w.account({ timezone: 'UTC' });
const stranger = await w.account({ timezone: 'UTC' });
for (const account of [owner, viewer, stranger]) await givePassword(w, account);
await w.sql(`INSERT INTO members (owner_id, member_id, role, created_at) VALUES ($1, $2, 'viewer', now())`, [
	owner.id,
	viewer.id,
]);
await w.sql(`UPDATE accounts SET reports_since = '2026-01-01'`);
const website = websiteOf(
	await owner.api('POST', '/websites', {
		form: { domain: freshDomain('r'), timezone: 'UTC', email: '1', privacy: '1' },
	}),
	201,
);
for (const date of ['2026-10-28', '2026-11-03', '2026-11-10']) await storeEvents(w, website.id, [{ date }]);
await r.seal(website.id);
let browser = await signedIn(w, owner);

const settingsOf = (answer: { status: number; json: unknown; text: string }): ReportSettings => {
	assert.equal(answer.status, 200, answer.text);
	// Compared whole by the tests.
	return (answer.json as { data: ReportSettings }).data;
};

test('[C-REP-1] the schedule of an account is read and changed, and what is not sent stays', async () => {
	const first = settingsOf(await browser('GET', '/reports/settings'));
	assert.deepEqual(first, { schedule: 'week', digest: false, can_mail: false });
	const digest = await browser('PATCH', '/reports/settings', { json: { digest: true } });
	assert.deepEqual(settingsOf(digest), { ...first, digest: true });
	const both = await browser('PATCH', '/reports/settings', { json: { schedule: 'both' } });
	assert.deepEqual(settingsOf(both), { schedule: 'both', digest: true, can_mail: false });
	const json = { schedule: 'daily', digest: 'yes' };
	assertProblem(await browser('PATCH', '/reports/settings', { json }), 'validation_failed', [
		'schedule',
		'digest',
	]);
	assert.deepEqual(settingsOf(await browser('GET', '/reports/settings')), settingsOf(both));
	const [change] = await w.sql<{ what: string }>('SELECT what FROM changes ORDER BY id DESC LIMIT 1');
	assert.equal(change?.what, 'changeReportSettings');
	await browser('PATCH', '/reports/settings', { json: { schedule: 'week', digest: false } });
	await w.sql(`UPDATE accounts SET reports_since = '2026-01-01'`);
});

test('[C-REP-2] a schedule holds for what is to come', async () => {
	moment = new Date('2026-11-02T12:00:00.000Z');
	await browser('PATCH', '/reports/settings', { json: { schedule: 'none' } });
	assert.equal(await r.run(), 0);
	await browser('PATCH', '/reports/settings', { json: { schedule: 'week' } });
	assert.equal(await r.run(), 0, 'it was due at 07:00');
	await browser('PATCH', '/reports/settings', { json: { schedule: 'week' } });
	moment = new Date('2026-11-09T07:00:00.000Z');
	assert.equal(await r.run(), 1);
	moment = new Date('2026-11-16T07:00:00.000Z');
	assert.equal(await r.run(), 1);
});

test('[C-REP-3] [C-REP-4] whoever sees the statistics sees the reports, newest first', async () => {
	const path = `/websites/${website.id}/reports`;
	// The weeks that went by have ended the session.
	browser = await signedIn(w, owner);
	for (const who of [browser, await signedIn(w, viewer)]) {
		const answer = await who('GET', path);
		assert.equal(answer.status, 200, answer.text);
		// Compared whole below.
		const { data, meta } = answer.json as { data: ReportRecord[]; meta: { total: number } };
		assert.equal(meta.total, 2);
		assert.deepEqual(
			data.map(({ id: _, ...record }) => record),
			['2026-11-16', '2026-11-09'].map((day, index) => ({
				kind: 'week',
				from: ['2026-11-09', '2026-11-02'][index],
				to: ['2026-11-15', '2026-11-08'][index],
				provisional: false,
				made_at: `${day}T07:00:00.000Z`,
				visitors: { now: 1, before: 1, year_ago: null },
			})),
		);
		const one = await who('GET', `${path}/${data[0]?.id}`);
		assert.equal(one.status, 200, one.text);
		const { data: whole } = one.json as { data: WholeReport };
		assert.equal(whole.id, data[0]?.id);
		assert.equal(whole.website.domain, website.domain);
		assert.deepEqual(whole.pages, [{ value: '/', visitors: 1, before: 1 }]);
		assert.equal(whole.series.length, 7);
		assert.deepEqual(whole.totals.pageviews, { now: 1, before: 1, year_ago: null });
		const second = await who('GET', `${path}?page=2`);
		assert.deepEqual((second.json as { data: ReportRecord[] }).data, []);
	}
});

test('[C-REP-3] [T11] nobody else does', async () => {
	const [{ id } = { id: 0 }] = await w.sql<{ id: number }>('SELECT id::int FROM reports ORDER BY id LIMIT 1');
	const strange = await signedIn(w, stranger);
	const nobody = visitor(() => w.base);
	for (const path of [`/websites/${website.id}/reports`, `/websites/${website.id}/reports/${id}`]) {
		assert.equal((await strange('GET', path)).status, 404);
		assert.equal((await nobody('GET', path)).status, 401);
		const headers = { authorization: `Bearer ${owner.key}` };
		assert.equal((await nobody('GET', path, { headers })).status, 401, 'with a key');
	}
	for (const method of ['GET', 'PATCH'])
		assert.equal((await nobody(method, '/reports/settings')).status, 401);
	const theirs = websiteOf(
		await stranger.api('POST', '/websites', { form: { domain: freshDomain('r') } }),
		201,
	);
	assert.equal(
		(await strange('GET', `/websites/${theirs.id}/reports/${id}`)).status,
		404,
		'of another website',
	);
	assert.equal((await browser('GET', `/websites/${website.id}/reports/999999`)).status, 404);
	assert.equal((await browser('GET', `/websites/${website.id}/reports/x`)).status, 404);
});

test('the operator prints the report that was made, or one that is made for it', async () => {
	moment = new Date('2026-11-16T07:30:00.000Z');
	const asked = { websiteId: website.id, kind: 'week', width: 80, isColored: false } as const;
	const made = await w.operate('report', asked);
	assert.deepEqual(new Date(made.report.madeAt), new Date('2026-11-16T07:00:00Z'), 'the one that was made');
	assert.match(made.text, new RegExp(website.domain.replaceAll('.', '\\.')));
	const october = await w.operate('report', { ...asked, kind: 'month', day: '2026-10-15' });
	assert.deepEqual([october.report.from, october.report.to], ['2026-10-01', '2026-10-31']);
	assert.equal(october.report.totals.visitors.now, 1);
	assert.equal(october.report.isProvisional, false);
	const running = await w.operate('report', { ...asked, day: '2026-11-16' });
	assert.deepEqual([running.report.from, running.report.isProvisional], ['2026-11-16', true]);
	await assert.rejects(w.operate('report', { ...asked, day: '2026-11-17' }), /is in the future/);
	await assert.rejects(w.operate('report', { ...asked, websiteId: 999_999 }), /no website 999999/);
});

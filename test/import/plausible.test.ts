import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { freshDomain, websiteOf } from '../support/contract.ts';
import { importing } from '../support/imports.ts';
import { world } from '../support/world.ts';
import { zipOf } from '../support/zip.ts';

const now = new Date('2026-11-15T12:00:00.000Z');
const w = await world({ after }, { now: () => now });
const owner = await w.account({ timezone: 'UTC' });
const { look, bring, undo, ask, left } = importing(w, owner);
const create = async (fields: Record<string, string> = {}) =>
	websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain(), ...fields } }), 201);

const table = (heading: string, ...rows: string[]) => [heading, ...rows].join('\n');

/** Three days, written after plausible.io/docs/csv-import. */
const tables = {
	visitors: table(
		'"date","visitors","pageviews","bounces","visits","visit_duration"',
		'"2026-03-28",10,30,4,12,600',
		'"2026-03-29",5,8,3,6,120',
		'"2026-03-30",7,14,2,8,400',
	),
	sources: table(
		'"date","source","referrer","utm_source","utm_medium","utm_campaign","utm_content","utm_term","pageviews","visitors","visits","visit_duration","bounces"',
		'"2026-03-28","Google","","","","","","",20,6,7,400,2',
		'"2026-03-28","Direct / None","","","","","","",10,4,5,200,2',
		'"2026-03-29","Google","","newsletter","","","","",8,5,6,120,3',
		'"2026-03-30","Google","","","","","","",14,7,8,400,2',
	),
	pages: table(
		'"date","hostname","page","visits","visitors","pageviews"',
		'"2026-03-28","example.com","/",12,10,20',
		'"2026-03-28","example.com","=cmd|calc",3,3,10',
		'"2026-03-29","example.com","/",6,5,8',
		'"2026-03-30","example.com","/",8,7,14',
	),
	devices: table(
		'"date","device","visitors","visits","visit_duration","bounces","pageviews"',
		'"2026-03-28","Laptop",4,5,300,2,10',
		'"2026-03-28","Desktop",6,7,300,2,20',
	),
	// All columns are optional.
	browsers: table(
		'date,browser,browser_version,visitors',
		'2026-03-28,Microsoft Edge,109.0,6',
		'2026-03-28,Microsoft Edge,110.0,4',
	),
	custom_events: table(
		'"date","name","link_url","path","visitors","events"',
		'"2026-03-28","Signup","","",3,4',
	),
};

const archive = (parts: Partial<typeof tables> = tables) =>
	zipOf(
		Object.entries(parts).map(([name, text]) => ({
			name: `imported_${name}_20260328_20260330.csv`,
			text,
		})),
	);
const file = (bytes: Buffer) => ({ source: 'plausible' as const, name: 'export.zip', bytes });
const dates = '?period=custom&from=2026-03-27&to=2026-03-31';
const period = `${dates}&interval=day`;

test('[C-IMP-1] totals are those of the file, day by day and by dimension, and the answer says whose they are', async () => {
	const { id } = await create({ timezone: 'Europe/Berlin' });
	const done = await bring(id, file(archive()));
	assert.deepEqual(
		[done.state, done.from, done.to, done.preview.days],
		['done', '2026-03-28', '2026-03-30', 3],
	);
	const answer = await ask(
		id,
		`${period}&metrics=visitors,visits,pageviews,bounce_rate,visit_duration,events`,
	);
	assert.deepEqual(answer.data, {
		totals: {
			visitors: 22,
			visits: 26,
			pageviews: 52,
			bounce_rate: 9 / 26,
			visit_duration: 1120 / 26,
			events: 4,
		},
		series: [
			['2026-03-27', 0, 0, 0, null, null, 0],
			['2026-03-28', 10, 12, 30, 4 / 12, 50, 4],
			['2026-03-29', 5, 6, 8, 0.5, 20, 0],
			['2026-03-30', 7, 8, 14, 0.25, 50, 0],
			['2026-03-31', 0, 0, 0, null, null, 0],
		].map(([time, visitors, visits, pageviews, bounce_rate, visit_duration, events]) => ({
			...{ time, visitors, visits, pageviews, bounce_rate, visit_duration, events },
		})),
		compared: null,
	});
	assert.deepEqual(answer.meta.imported, { from: '2026-03-28', to: '2026-03-30', source: 'plausible' });
	const rows = async (dimension: string) => {
		const { json } = await owner.api(
			'GET',
			`/websites/${id}/stats/${dimension}${dates}&metrics=visitors,pageviews`,
		);
		return (json as { data: { value: string; visitors: number; pageviews: number }[] }).data.map(
			({ value, visitors, pageviews }) => [value, visitors, pageviews],
		);
	};
	assert.deepEqual(await rows('source'), [
		['Google', 18, 42],
		['', 4, 10],
	]);
	assert.deepEqual(await rows('page'), [
		['/', 22, 42],
		['=cmd|calc', 3, 10],
	]);
	assert.deepEqual(await rows('device'), [['desktop', 10, 30]]);
	assert.deepEqual(await rows('browser'), [['Edge', 10, null]]);
	assert.deepEqual(await rows('event'), [['Signup', 3, null]]);
});

test('[C-IMP-2] what the source does not give is null, never 0', async () => {
	const { id } = await create();
	await bring(id, file(archive()));
	const whole = await ask(id, `${period}&metrics=visitors,engaged_time,revenue`);
	assert.deepEqual((whole.data as { totals: unknown }).totals, {
		visitors: 22,
		engaged_time: null,
		revenue: null,
	});
	const filtered = await ask(
		id,
		`${period}&filters=${encodeURIComponent('["is","country",["DE"]]')}&metrics=visitors`,
	);
	assert.deepEqual((filtered.data as { totals: unknown }).totals, { visitors: null });
	assert.equal(filtered.meta.available_from, '2026-03-31');
	const hours = await ask(id, '?period=custom&from=2026-03-28&to=2026-03-28&interval=hour&metrics=visitors');
	assert.ok(
		(hours.data as { series: { visitors: unknown }[] }).series.every(({ visitors }) => visitors === null),
	);
});

test('[C-IMP-3] a second import of the same days adds nothing', async () => {
	const { id } = await create();
	await bring(id, file(archive()));
	const again = await look(id, file(archive()));
	assert.deepEqual([again.preview.days, again.preview.skipped.other_import], [0, again.preview.rows]);
	await w.operate('import.run', { id: again.id });
	const answer = await ask(id, `${period}&metrics=visitors`);
	assert.deepEqual((answer.data as { totals: unknown }).totals, { visitors: 22 });
});

test('[C-IMP-4] days that the website counted itself, and later ones, stay its own', async () => {
	const { id } = await create();
	await w.sql("INSERT INTO days (website_id, date, last_batch) VALUES ($1, '2026-03-29', 0)", [id]);
	const found = await look(id, file(archive()));
	assert.deepEqual(
		[found.preview.from, found.preview.to, found.preview.days],
		['2026-03-28', '2026-03-28', 1],
	);
	const done = await w.operate('import.run', { id: found.id });
	assert.equal(done.to, '2026-03-28');
	const answer = await ask(id, `${period}&metrics=visitors`);
	assert.deepEqual((answer.data as { totals: unknown }).totals, { visitors: 10 });
});

test('[C-IMP-5] undone, it leaves no trace: not in answers, not in a table, not on the disk', async () => {
	const { id } = await create();
	const { id: importId } = await bring(id, file(archive()));
	assert.ok((await left(id)).totals > 0);
	await undo(importId);
	const answer = await ask(id, `${period}&metrics=visitors`);
	assert.deepEqual((answer.data as { totals: unknown }).totals, { visitors: 0 });
	assert.equal(answer.meta.imported, null);
	assert.deepEqual(await left(id), { totals: 0, events: 0 });
	assert.deepEqual(await w.sql('SELECT 1 FROM imports WHERE website_id = $1', [id]), []);
	assert.deepEqual(await w.sql('SELECT 1 FROM imported_days WHERE website_id = $1', [id]), []);
	assert.deepEqual(readdirSync(join(w.config.dataFolder, 'imports')), []);
});

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { appendFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { param, sql } from '../../server/store/sql.ts';
import { freshDomain, type Website, websiteOf } from '../support/contract.ts';
import { freePort } from '../support/free-port.ts';
import { programFile } from '../support/program.ts';
import { temporaryFolder, until } from '../support/service.ts';
import { world } from '../support/world.ts';

const w = await world({ after }, { settings: { TIDEMARK_PORT: String(await freePort()) } });
const owner = await w.account({ timezone: 'UTC' });
const create = async () =>
	websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain() } }), 201);

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** A line of the combined format, some seconds ago. */
function line(
	path: string,
	{ visitor = 1, agent = 'Firefox/128.0', status = 200, secondsAgo = 5 } = {},
): string {
	const iso = new Date(Date.now() - secondsAgo * 1000).toISOString();
	const [year, month, day] = iso.slice(0, 10).split('-');
	const time = `${day}/${months[Number(month) - 1]}/${year}:${iso.slice(11, 19)} +0000`;
	const browser = `Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 ${agent}`;
	return `203.0.113.${visitor} - - [${time}] "GET ${path} HTTP/1.1" ${status} 512 "-" "${browser}"\n`;
}

function follow(t: TestContext, log: string, website: Website, ...more: string[]) {
	const child = spawn(
		process.execPath,
		[
			programFile,
			'follow',
			log,
			'--website',
			String(website.id),
			'--url',
			w.base,
			'--state',
			`${log}.place`,
			...more,
		],
		{ stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, TIDEMARK_API_KEY: owner.key } },
	);
	let stderr = '';
	child.stderr.setEncoding('utf8').on('data', (text: string) => {
		stderr += text;
	});
	const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
	t.after(() => void child.kill('SIGKILL'));
	return { ended, stderr: () => stderr, stop: () => child.kill('SIGTERM') };
}

async function once(t: TestContext, log: string, website: Website): Promise<string> {
	const run = follow(t, log, website, '--once');
	assert.equal(await run.ended, 0, run.stderr());
	return run.stderr();
}

async function counted({ id }: Website): Promise<Record<string, number>> {
	await w.drain();
	const rows = await w.clickhouse.rows<{ path: string; times: number }>(
		sql`SELECT path, toUInt32(count()) AS times FROM events WHERE website_id = ${param('UInt32', id)} GROUP BY path ORDER BY path`,
	);
	return Object.fromEntries(rows.map(({ path, times }) => [path, times]));
}

test('pages in a log are counted once, however often it is read', async (t) => {
	const log = join(temporaryFolder(t), 'access.log');
	const website = await create();
	writeFileSync(
		log,
		[
			...[
				line('/'),
				line('/'),
				line('/style.css'),
				line('/blog', { visitor: 2 }),
				line('/gone', { status: 404 }),
			],
			...[line('/bot', { agent: '(compatible; Googlebot/2.1; +http://www.google.com/bot.html)' })],
			'no line of a log\n',
			line('/unfinished').trimEnd(),
		].join(''),
	);
	assert.match(await once(t, log, website), /7 lines read, 4 page views: 3 accepted, 1 dropped/);
	assert.deepEqual(await counted(website), { '/': 2, '/blog': 1 });
	assert.match(await once(t, log, website), /0 lines read/);
	rmSync(`${log}.place`);
	assert.match(await once(t, log, website), /7 lines read/);
	assert.deepEqual(
		await counted(website),
		{ '/': 2, '/blog': 1 },
		'the place was forgotten, the events were not',
	);
	appendFileSync(log, '\n');
	await once(t, log, website);
	assert.deepEqual(await counted(website), { '/': 2, '/blog': 1, '/unfinished': 1 });
});

test('[T90] the id of an event says where its line is, and nothing of what is in it', async (t) => {
	const log = join(temporaryFolder(t), 'access.log');
	const [one, other] = [await create(), await create()];
	const text = line('/a') + line('/b') + line('/b');
	const idsOf = async ({ id }: Website) => {
		await w.drain();
		const rows = await w.clickhouse.rows<{ event_id: string }>(
			sql`SELECT event_id FROM events WHERE website_id = ${param('UInt32', id)} ORDER BY event_id`,
		);
		return rows.map(({ event_id }) => event_id);
	};
	writeFileSync(log, text);
	await once(t, log, one);
	// The same file, written anew in place: another visitor, all else alike.
	rmSync(`${log}.place`);
	writeFileSync(log, text.replaceAll('203.0.113.1 ', '203.0.113.9 '));
	await once(t, log, other);
	assert.equal(new Set(await idsOf(one)).size, 3);
	assert.deepEqual(await idsOf(other), await idsOf(one));
});

test('a log is followed over a rotation, a restart of the service and a cut in place', async (t) => {
	const log = join(temporaryFolder(t), 'access.log');
	const website = await create();
	writeFileSync(log, line('/before'));
	const follower = follow(t, log, website);
	await until(() => /Following/.test(follower.stderr()), 20_000, 'it has begun');
	const isCounted = (...paths: string[]) =>
		until(
			async () => Object.entries(await counted(website)).join() === paths.map((path) => [path, 1]).join(),
			30_000,
			`${paths.join(', ')} are counted, once each`,
		);
	appendFileSync(log, line('/a'));
	await isCounted('/a');
	renameSync(log, `${log}.1`);
	appendFileSync(`${log}.1`, line('/b-late-in-the-old'));
	writeFileSync(log, line('/c-in-the-new'));
	await isCounted('/a', '/b-late-in-the-old', '/c-in-the-new');
	await w.restart(async () => {
		appendFileSync(log, line('/d-while-it-was-away'));
		await until(() => /does not accept events/.test(follower.stderr()), 20_000, 'it has tried');
	});
	await isCounted('/a', '/b-late-in-the-old', '/c-in-the-new', '/d-while-it-was-away');
	truncateSync(log, 0);
	await until(() => /was truncated/.test(follower.stderr()), 20_000, 'it has seen the cut');
	appendFileSync(log, line('/e'));
	await isCounted('/a', '/b-late-in-the-old', '/c-in-the-new', '/d-while-it-was-away', '/e');
	follower.stop();
	assert.equal(await follower.ended, 0, follower.stderr());
	assert.match(follower.stderr(), /5 page views: 5 accepted, 0 dropped/);
});

test('what cannot be done is said', async (t) => {
	const log = join(temporaryFolder(t), 'access.log');
	const website = await create();
	const missing = follow(t, log, website, '--once');
	assert.equal(await missing.ended, 1);
	assert.match(missing.stderr(), /does not exist/);
	const foreign = follow(t, log, { ...website, id: 999_999 }, '--once');
	assert.equal(await foreign.ended, 1);
	assert.match(foreign.stderr(), /has no access to a website 999999/);
});

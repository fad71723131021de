/**
 * Disks that fill, fail and lose power. They need rights that not every machine gives: a file system of their own (a file
 * mounted as a disk) and a tracer that lets a system call fail. Where these are missing the tests are not registered.
 *
 * POWER_CUTS=10 SEED=7 node scripts/test.ts test/faults/disk.slow.test.ts
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Box, engineIn, judge, startBox } from '../support/box.ts';
import { send } from '../support/client.ts';
import { makeDisks } from '../support/disks.ts';
import { eventIdOf, sendHit, startLoad } from '../support/ledger.ts';
import { seededRandom } from '../support/random.ts';
import { descendantsOf, isAlive, postmasterOf, tidemark, until } from '../support/service.ts';

const cuts = Number(process.env.POWER_CUTS) || 2;

const processesOf = ({ service, folder }: Box): number[] => {
	const postmaster = postmasterOf(folder);
	const postgres = postmaster ? [postmaster, ...descendantsOf(postmaster)] : [];
	return [service.pid, ...descendantsOf(service.pid), ...postgres].filter(isAlive);
};

function fill(file: string) {
	const handle = openSync(file, 'w');
	try {
		for (let size = 1024 * 1024; size >= 1024; ) {
			try {
				writeSync(handle, Buffer.alloc(size, 1));
			} catch {
				size /= 2;
			}
		}
	} finally {
		closeSync(handle);
	}
}

async function fullDisk(t: TestContext) {
	const random = seededRandom();
	t.diagnostic(`seed ${random.seed}`);
	const at = makeDisks(t).make('disk', 400);
	const token = randomBytes(24).toString('hex');
	const some = await startBox(t, {
		folder: join(at, 'data'),
		settings: { TIDEMARK_METRICS_TOKEN: token },
	});
	const load = startLoad({ ...some, random, clients: 6, pauseMs: 5 });
	await sleep(1_000);
	fill(join(at, 'ballast'));
	await sleep(4_000);
	const refused = some.ledger.answers.get(503) ?? 0;
	await reportsFullDisk(some, token);
	rmSync(join(at, 'ballast'));
	const [website] = some.websites;
	assert.ok(website);
	const backMs = await until(
		async () => (await sendHit(some.ledger, some.service.base, website, eventIdOf(random))) === 202,
		30_000,
		'hits are taken again',
	);
	await load.end();
	t.diagnostic(`${refused} answered 503 while it was full; 202 again ${backMs} ms after there was room`);
	assert.deepEqual([...some.ledger.answers.keys()].sort(), [202, 400, 503]);
	assert.ok(!some.service.hasExited(), 'the service lives');
	await until(async () => (await readiness(some)).status === 200, 10_000, 'it is ready again');
	assert.equal(await some.service.stop(), 0);
	fill(join(at, 'ballast'));
	const refusedStart = await tidemark(['serve', '--port', '0', '--data', some.folder]);
	assert.equal(refusedStart.code, 1);
	assert.match(refusedStart.stderr, /The disk of \S+ is full: \d+ MB are free.*Free some space, then start/);
	rmSync(join(at, 'ballast'));
	await judge(t, some.folder, some.ledger, `seed ${random.seed}`);
}

const readiness = ({ service }: Box) => send(service.base, 'GET', '/health/ready');

/** The operator is told everywhere, and visitors nowhere. */
async function reportsFullDisk(some: Box, token: string) {
	const { status, json } = await readiness(some);
	assert.equal(status, 503);
	const { roles, disk } = json as { roles: Record<string, string>; disk: string };
	assert.deepEqual([roles.collect, roles.api, disk], ['waits for disk', 'ready', 'full']);
	const headers = { authorization: `Bearer ${token}` };
	const metrics = await send(some.service.base, 'GET', '/metrics', { headers });
	assert.match(metrics.text, /^tidemark_disk_full 1$/m);
	assert.match(metrics.text, /^tidemark_disk_free_bytes \d+$/m);
	assert.match(some.service.output(), /"level":"error".*"msg":"disk is full/);
	const doctor = await tidemark(['doctor', '--data', some.folder]);
	assert.equal(doctor.code, 1);
	assert.match(doctor.stdout, /^problem +disk +The disk of \S+ is full: .* hits may be rejected\.$/m);
	const [website] = some.websites;
	const body = JSON.stringify({
		domain: website?.domain,
		url: `https://${website?.domain}/`,
		name: 'pageview',
	});
	const hit = await send(some.service.base, 'POST', '/tm', {
		headers: { 'content-type': 'text/plain' },
		body,
	});
	assert.doesNotMatch(hit.text, /disk|full|room/i);
}

async function powerCut(t: TestContext) {
	const random = seededRandom();
	t.diagnostic(`seed ${random.seed}`);
	const disks = makeDisks(t);
	const first = disks.make('disk0', 500);
	const some = await startBox(t, { folder: join(first, 'data') });
	for (let cut = 1; cut <= cuts; cut++) {
		const load = startLoad({ ...some, random, clients: 8, pauseMs: 3 });
		await sleep(500 + random.whole(3_000));
		// The copy takes a moment in which nothing may be written; nobody is told.
		const processes = processesOf(some);
		for (const pid of processes) process.kill(pid, 'SIGSTOP');
		disks.copy(`disk${cut - 1}`, `disk${cut}`);
		await some.service.killTree();
		await load.end();
		const at = disks.mount(`disk${cut}`);
		await judge(t, join(at, 'data'), some.ledger, `seed ${random.seed}, cut ${cut}`);
		some.folder = join(at, 'data');
		if (cut < cuts) await some.restart();
	}
}

const failures = [
	{ who: 'PostgreSQL', call: 'fdatasync', error: 'EIO' },
	{ who: 'PostgreSQL', call: 'pwrite64', error: 'ENOSPC' },
	{ who: 'the engine', call: 'fsync', error: 'EIO' },
	{ who: 'the engine', call: 'write', error: 'ENOSPC' },
] as const;

async function failingCalls(t: TestContext) {
	const random = seededRandom();
	t.diagnostic(`seed ${random.seed}`);
	const some = await startBox(t);
	const load = startLoad({ ...some, random, clients: 6, pauseMs: 5 });
	await sleep(1_000);
	for (const when of [1, 3]) {
		for (const { who, call, error } of failures) {
			const postmaster = postmasterOf(some.folder) ?? 0;
			const pids = who === 'PostgreSQL' ? [postmaster, ...descendantsOf(postmaster)] : [await engineIn(some)];
			const before = some.ledger.acknowledged().length;
			const tracer = spawn('strace', [
				...['-f', '-qq', '-o', '/dev/null', '-e', `trace=${call}`],
				...['-e', `inject=${call}:error=${error}:when=${when}`],
				...pids.filter(isAlive).flatMap((pid) => ['-p', String(pid)]),
			]);
			const ended = new Promise((resolve) => tracer.once('exit', resolve));
			await sleep(1_500);
			tracer.kill('SIGINT');
			await ended;
			await until(
				() => some.ledger.acknowledged().length > before + 50,
				20_000,
				`hits are taken again after ${call} of ${who}`,
			);
		}
	}
	await load.end();
	t.diagnostic(
		`answers ${[...some.ledger.answers].map(([status, times]) => `${status}: ${times}`).join(', ')}`,
	);
	assert.deepEqual([...some.ledger.answers.keys()].sort(), [202, 400, 503], 'an outage is a 503');
	const words = readFileSync(join(some.folder, 'postgres.log'), 'utf8');
	assert.match(words, /PANIC: {2}could not fdatasync/, 'PostgreSQL trusts no disk that failed once');
	assert.match(words, /No space left on device/);
	assert.match(some.service.output(), /writer failed; retrying/);
	assert.equal(await some.service.stop(), 0, some.service.output().slice(-6_000));
	await judge(t, some.folder, some.ledger, `seed ${random.seed}`, { partsMayBreak: true });
}

test(
	'[F16][F17][F62] the disk is full: 503, no crash, and the operator is told; with room again every acknowledged event is there',
	fullDisk,
);
test(
	`[F22][F23] the power is cut ${cuts} times under load: every acknowledged event is there, once`,
	powerCut,
);
test('[F20][F21] calls to the disk fail with an error: nothing that was acknowledged is lost', failingCalls);

/**
 * The start line of the unit and of the container, by hand: a user without rights, nothing that gives some, a root file system
 * that cannot be written, and no room but the data folder and a temporary one.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { send } from '../support/client.ts';
import { descendantsOf, temporaryFolder, tidemark, until } from '../support/service.ts';

/** `nobody` of Debian. */
const user = 65_534;

const script = `
set -eu
mount --bind "$ROOM" "$ROOM"
mount --bind "$PROGRAM" "$ROOM/program"
mount -t tmpfs -o mode=1777,noexec,nosuid,nodev tmpfs "$ROOM/tmp"
mount -o remount,bind,ro "$ROOM/program"
mount -o remount,bind,ro /
umask 077
ulimit -c 0
cd "$ROOM/data"
exec setpriv --reuid=${user} --regid=${user} --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all \\
	env -i PATH=/usr/bin:/bin TMPDIR="$ROOM/tmp" TIDEMARK_PORT=0 TIDEMARK_DATA="$ROOM/data/here" \\
	strace -D -f --seccomp-bpf -qq -e signal=none -e "trace=$REFUSED" -o "$ROOM/data/refused" \\
	"$ROOM/program/node_modules/.bin/node" "$ROOM/program/bin/tidemark.js" serve
`;

/** The calls of a set of systemd's, as the installed one has it. */
function callsOf(set: string): string[] {
	const text = execFileSync('systemd-analyze', ['syscall-filter', '--no-pager', set], { encoding: 'utf8' });
	const names = [...text.matchAll(/^ +([@a-z0-9_-]+)$/gm)].map(([, name = '']) => name);
	return names.flatMap((name) => (name.startsWith('@') ? callsOf(name) : [name]));
}

/** Everything that the unit's filter lets through, for strace to look at all else; it may know fewer names than systemd. */
function refusedByUnit(): string {
	const filters = [
		...readFileSync('deploy/systemd/tidemark.service', 'utf8').matchAll(/^SystemCallFilter=(~?)(@[\w-]+)$/gm),
	];
	assert.equal(filters.length, 2);
	const allowed = new Set(filters.flatMap(([, no, set = '']) => (no ? [] : callsOf(set))));
	for (const [, no, set = ''] of filters) if (no) for (const name of callsOf(set)) allowed.delete(name);
	assert.ok(allowed.has('openat') && !allowed.has('chown') && !allowed.has('mount'));
	return `!${[...allowed, 'execve', 'execveat'].map((name) => `?${name}`).join(',')}`;
}

test('[T58] [T64] [T59] it runs without rights on a read-only root, leaves no memory on the disk, and stops in order', async (t) => {
	const room = temporaryFolder(t);
	chmodSync(room, 0o711);
	for (const name of ['data', 'tmp', 'program']) mkdirSync(join(room, name));
	chownSync(join(room, 'data'), user, user);
	const child = spawn('unshare', ['--mount', '--propagation', 'private', 'sh', '-c', script], {
		stdio: ['ignore', 'pipe', 'pipe'],
		env: { PATH: process.env.PATH, ROOM: room, PROGRAM: process.cwd(), REFUSED: refusedByUnit() },
	});
	let printed = '';
	for (const stream of [child.stdout, child.stderr])
		stream.setEncoding('utf8').on('data', (text: string) => {
			printed += text;
		});
	let over = false;
	const ended = once(child, 'exit').then(([code]) => {
		over = true;
		return code;
	});
	t.after(() => void child.kill('SIGKILL'));
	const ready = /^Tidemark is ready at (http\S+)$/m;
	await until(() => ready.test(printed) || over, 45_000, 'the service is ready');
	const base = ready.exec(printed)?.[1] ?? '';
	assert.ok(base, printed);
	assert.equal((await send(base, 'GET', '/health/ready')).status, 200);

	const pids = [child.pid ?? 0, ...descendantsOf(child.pid ?? 0)];
	assert.ok(pids.length >= 3, 'the service, its engine and PostgreSQL');
	for (const pid of pids) {
		const status = readFileSync(`/proc/${pid}/status`, 'utf8');
		const of = (name: string) => new RegExp(`^${name}:\\s+(\\S+)`, 'm').exec(status)?.[1];
		assert.deepEqual(
			[of('Uid'), of('NoNewPrivs'), of('CapEff'), of('CapBnd')],
			[String(user), '1', '0'.repeat(16), '0'.repeat(16)],
			String(pid),
		);
		assert.match(readFileSync(`/proc/${pid}/limits`, 'utf8'), /^Max core file size\s+0/m);
		const root = readFileSync(`/proc/${pid}/mountinfo`, 'utf8')
			.split('\n')
			.find((line) => line.split(' ')[4] === '/');
		assert.match(root ?? '', / ro[, ]/, 'the root cannot be written');
	}
	const doctor = await tidemark(['doctor', '--json', '--data', join(room, 'data', 'here')]);
	const { findings }: { findings: { check: string; state: string; what: string }[] } = JSON.parse(
		doctor.stdout,
	);
	assert.deepEqual(
		findings.filter(
			({ check, what }) => check === 'settings' && /root|core dump|can read or change/.test(what),
		),
		[],
	);
	child.kill('SIGTERM');
	assert.equal(await ended, 0, printed);
	assert.deepEqual(
		descendantsOf(process.pid).filter((pid) => pids.includes(pid)),
		[],
	);
	const refused = readFileSync(join(room, 'data', 'refused'), 'utf8').match(/^\d+ +\w+\(/gm) ?? [];
	assert.deepEqual(
		[...new Set(refused.map((line) => line.replace(/^\d+ +/, '')))],
		[],
		"what the unit's filter would refuse",
	);
	assert.deepEqual(readdirSync(join(room, 'tmp')), [], 'nothing was left outside of its data folder');
});

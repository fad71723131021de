import assert from 'node:assert/strict';
import {
	chownSync,
	existsSync,
	lstatSync,
	mkdirSync,
	mkdtempSync,
	renameSync,
	rmSync,
	symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { socketPath } from './sockets.ts';

const longFolder = (name: string) => join('/srv', `${name}-${process.pid}`, 'x'.repeat(100));

test('a socket lies in the data folder while its path fits, and the limit counts bytes', () => {
	assert.equal(socketPath('/srv/data', 'control.sock'), '/srv/data/control.sock');
	const name = 'a.sock';
	const fitting = `/${'x'.repeat(103 - 2 - name.length)}`;
	assert.equal(socketPath(fitting, name), join(fitting, name));
	for (const folder of [`${fitting}x`, `/${'ü'.repeat(60)}`]) {
		const path = socketPath(folder, name);
		assert.ok(Buffer.byteLength(path) <= 103 && path.startsWith(tmpdir()), path);
		rmSync(dirname(path), { recursive: true });
	}
});

test('a long path always moves to the same place, and another one to another', (t) => {
	const [one, other] = [longFolder('one'), longFolder('other')];
	const path = socketPath(one, 'control.sock');
	t.after(() => {
		for (const folder of [one, other]) rmSync(dirname(socketPath(folder, 'x')), { recursive: true });
	});
	assert.equal(socketPath(one, 'control.sock'), path);
	assert.equal(dirname(socketPath(one, 'engine.sock')), dirname(path));
	assert.notEqual(dirname(socketPath(other, 'control.sock')), dirname(path));
	assert.equal(lstatSync(dirname(path)).mode & 0o777, 0o711);
});

test("somebody else's folder in that place is refused", (t) => {
	const folder = longFolder('taken');
	const place = dirname(socketPath(folder, 'x'));
	const aside = mkdtempSync(join(tmpdir(), 'tidemark-aside-'));
	t.after(() => {
		rmSync(place, { recursive: true, force: true });
		rmSync(aside, { recursive: true, force: true });
	});
	renameSync(place, join(aside, 'moved'));
	symlinkSync(join(aside, 'moved'), place);
	assert.throws(() => socketPath(folder, 'x'), /belongs to another user/);
	rmSync(place);
	if (process.getuid?.() !== 0) return;
	renameSync(join(aside, 'moved'), place);
	chownSync(place, 65_534, 65_534);
	assert.throws(() => socketPath(folder, 'x'), /belongs to another user/);
});

test("[F60] root makes no folder of sockets for another user's data folder, and finds the one of its service", {
	skip: process.getuid?.() !== 0,
}, (t) => {
	const parent = mkdtempSync(join(tmpdir(), 'tidemark-owner-'));
	const folder = join(parent, 'x'.repeat(100));
	mkdirSync(folder);
	const place = dirname(socketPath(folder, 'x'));
	t.after(() => {
		for (const path of [parent, place]) rmSync(path, { recursive: true, force: true });
	});
	rmSync(place, { recursive: true });
	chownSync(folder, 65_534, 65_534);
	assert.equal(dirname(socketPath(folder, 'x')), place);
	assert.ok(!existsSync(place));
	mkdirSync(place);
	assert.throws(() => socketPath(folder, 'x'), /belongs to another user/);
	chownSync(place, 65_534, 65_534);
	assert.equal(dirname(socketPath(folder, 'x')), place);
});

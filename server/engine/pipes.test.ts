import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';
import { findPipe, openPipe, removePipes } from './pipes.ts';

const folder = mkdtempSync(join(tmpdir(), 'tidemark-pipes-'));
after(() => rmSync(folder, { recursive: true }));

test('what is written comes out whole, in memory that is used again, and ends when nobody writes', async () => {
	const pipe = await openPipe(folder);
	const sent = Buffer.from(Array.from({ length: 300_000 }, (_, n) => n % 251));
	const writer = await open(pipe.path, 'w');
	const writing = writer.writeFile(sent).then(() => writer.close());
	const got: Buffer[] = [];
	const memory = new Set<ArrayBufferLike>();
	for await (const bytes of pipe.bytes) {
		got.push(Buffer.from(bytes));
		memory.add(bytes.buffer);
		// Somebody who is slow.
		await new Promise((resolve) => setTimeout(resolve, 5));
		if (got.reduce((sum, { length }) => sum + length, 0) === sent.length) pipe.end();
	}
	await writing;
	assert.ok(got.length > 4, `${got.length} pieces`);
	assert.equal(memory.size, 1);
	assert.ok(Buffer.concat(got).equals(sent));
	assert.ok(!existsSync(pipe.path));
	pipe.close();
});

test('whoever reads is told when it is closed, and whoever writes fails', async () => {
	for (const isReading of [true, false]) {
		const pipe = await openPipe(folder);
		const writer = await open(pipe.path, 'w');
		const next = isReading ? pipe.bytes.next() : undefined;
		pipe.close();
		await assert.rejects(async () => await (next ?? pipe.bytes.next()), /pipe was closed/);
		await assert.rejects(writer.writeFile(Buffer.alloc(1_000_000)), { code: 'EPIPE' });
		await writer.close();
	}
});

test('a name says nothing but which pipe of the folder it is', async () => {
	const pipe = await openPipe(folder);
	assert.equal(findPipe(folder, basename(pipe.path)).path, pipe.path);
	// Into a plain file the engine would write, and nobody would read it.
	writeFileSync(join(folder, 'engine-pipe-plain'), '');
	for (const name of [
		'',
		'events',
		'engine-pipe-gone',
		'engine-pipe-plain',
		'../engine-pipe-1',
		'engine-pipe-/../x',
		"engine-pipe-'",
		'engine-pipe-\0',
	])
		assert.throws(() => findPipe(folder, name), /no such pipe/, name);
	pipe.close();
});

test('those of an engine that was killed are removed, and nothing else', async () => {
	const left = await openPipe(folder);
	writeFileSync(join(folder, 'other'), '');
	removePipes(folder);
	assert.ok(!existsSync(left.path) && existsSync(join(folder, 'other')));
	left.close();
});

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { assertProblem, assertStatus } from '../support/contract.ts';
import { world } from '../support/world.ts';

/** Tested at the API; the collector does not exist yet. */
const w = await world({ after });
const { api } = await w.account({ timezone: 'UTC' });
const mebibyte = 1024 * 1024;

const bombs = (() => {
	const zeros = Buffer.alloc(100 * mebibyte);
	return [
		{ encoding: 'gzip', body: gzipSync(zeros) },
		{ encoding: 'br', body: brotliCompressSync(zeros) },
		{ encoding: 'deflate', body: deflateSync(zeros) },
	];
})();

for (const { encoding, body } of bombs)
	test(`[T70] 100 MiB as ${body.length} bytes of ${encoding} are 415, and memory stays flat`, async (t) => {
		const call = { body, headers: { 'content-type': 'application/json', 'content-encoding': encoding } };
		assertProblem(await api('POST', '/websites', call), 'unsupported_media_type');
		let most = 0;
		const before = process.memoryUsage().rss;
		for (let n = 0; n < 20; n++) {
			const answer = await api('POST', '/websites', call);
			assertProblem(answer, 'unsupported_media_type');
			most = Math.max(most, process.memoryUsage().rss - before);
		}
		t.diagnostic(`${(most / mebibyte).toFixed(1)} MiB more at most`);
		assert.ok(most < 50 * mebibyte, `${most} bytes`);
	});

test('[T70] a bomb without Content-Encoding is only bytes that are no JSON', async () => {
	for (const { body } of bombs) {
		const answer = await api('POST', '/websites', { body, headers: { 'content-type': 'application/json' } });
		assertProblem(answer, 'bad_request');
	}
	assertStatus(await api('GET', '/websites'), 200);
});

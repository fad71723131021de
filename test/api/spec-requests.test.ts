import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { listOf } from '../support/contract.ts';
import { world } from '../support/world.ts';

const w = await world({ after });
const run = promisify(execFile);
const script = join(import.meta.dirname, 'spec-requests.sh');
const environment = (key: string) => ({ env: { PATH: process.env.PATH, BASE_URL: w.base, API_KEY: key } });

test('[C-HTTP-8] every request of the specification is answered as it is written there', async () => {
	const owner = await w.account({ timezone: 'UTC' });
	const { stdout } = await run('sh', [script], environment(owner.key));
	assert.deepEqual(
		stdout.trim().split('\n'),
		['4.3  201', '4.1  200', '4.2  200', '4.4  200', '4.5  200', '4.6  200'].map((line) => `ok    §${line}`),
	);
	assert.equal(listOf(await owner.api('GET', '/websites')).meta.total, 0);
});

test('[C-AUTH-1] with a wrong key the script fails, so it can', async () => {
	await assert.rejects(run('sh', [script], environment('tm_wrong')), { code: 1 });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog } from '../../lib/log.ts';
import { createOutageLog } from './outage-log.ts';

test('[F11] an outage is logged at once, and then as a number of requests, not one by one', () => {
	const lines: { requests: number; route: string }[] = [];
	let now = 1_000;
	const tell = createOutageLog(
		createLog('info', (line) => lines.push(JSON.parse(line))),
		() => now,
	);
	const fail = () => tell({ error: new Error('away'), requestId: 'a', route: '/tm' });
	fail();
	for (let n = 0; n < 500; n++) fail();
	assert.deepEqual(
		lines.map(({ requests, route }) => [requests, route]),
		[[1, '/tm']],
	);
	now += 10_000;
	fail();
	assert.deepEqual(
		lines.map(({ requests }) => requests),
		[1, 501],
	);
});

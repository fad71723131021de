/** What systemd would be told by a unit with Type=notify and a watchdog, received on a socket as systemd has it. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { engineOf, postmasterOf, startServiceProcess, temporaryFolder, until } from '../support/service.ts';

const receiver = `
import socket, sys
server = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
server.bind(sys.argv[1])
print("bound", flush=True)
while True:
    print(server.recv(4096).decode(), flush=True)
`;

test('[F65] systemd hears that the service is ready and alive, nothing while it is stuck, and that it stops', async (t) => {
	const socket = join(temporaryFolder(t), 'notify.sock');
	const listening = spawn('python3', ['-c', receiver, socket], { stdio: ['ignore', 'pipe', 'inherit'] });
	t.after(() => void listening.kill());
	let heard = '';
	listening.stdout.setEncoding('utf8').on('data', (text: string) => {
		heard += text;
	});
	const pings = () => heard.match(/^WATCHDOG=1$/gm)?.length ?? 0;
	await until(() => heard.includes('bound'), 20_000, 'somebody listens');
	const service = await startServiceProcess(t, {
		settings: { NOTIFY_SOCKET: socket, WATCHDOG_USEC: '900000' },
	});
	await until(() => pings() >= 2, 20_000, 'it reports that it is alive');
	assert.ok(heard.indexOf('READY=1') < heard.indexOf('WATCHDOG=1'), heard);
	for (const pid of [engineOf(service.pid), postmasterOf(service.folder)]) {
		const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
		assert.doesNotMatch(environment, /NOTIFY_SOCKET/, 'a database does not report for the service');
	}

	process.kill(service.pid, 'SIGSTOP');
	// What was on its way arrives.
	await sleep(1_000);
	const before = pings();
	await sleep(1_500);
	assert.equal(pings(), before, 'a stuck service does not report');
	process.kill(service.pid, 'SIGCONT');
	await until(() => pings() > before, 20_000, 'it reports again');
	assert.equal(await service.stop(), 0);
	assert.match(heard, /^STOPPING=1$/m);
});

import { spawn } from 'node:child_process';
import { buildProgramIfOld, programFile } from '../scripts/build-program.ts';
import { readConfig } from '../server/config.ts';
import { callControl, controlPath } from '../server/control/call.ts';

/** The bundled service in a process of its own, with an account. One website may get all that the bench sends. */
export async function startServing(folder: string, settings: Record<string, string> = {}) {
	const environment = {
		TIDEMARK_DATA: folder,
		TIDEMARK_PORT: '0',
		TIDEMARK_LOG_LEVEL: 'warn',
		TIDEMARK_RATE_LIMIT: '100000000',
		TIDEMARK_WEBSITE_HIT_LIMIT: '100000000',
		...settings,
	};
	await buildProgramIfOld();
	// With the flags of bin/tidemark.
	const child = spawn(process.execPath, ['--max-semi-space-size=8', programFile, 'serve'], {
		env: { ...process.env, ...environment },
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	let output = '';
	const base = await new Promise<string>((resolve, reject) => {
		child.stdout.on('data', (bytes: Buffer) => {
			output += bytes.toString();
			const base = /^Tidemark is ready at (http\S+)$/m.exec(output)?.[1];
			if (base) resolve(base);
		});
		child.once('exit', () => reject(new Error(`It did not start: ${output}`)));
	});
	const path = controlPath(readConfig(environment));
	const made = await callControl(
		path,
		'account.create',
		{ name: 'Bench', email: 'bench@example.test' },
		() => undefined,
	);
	if (!made) throw new Error('The service is not running.');
	return {
		base,
		key: made.result.secret,
		control: path,
		pid: child.pid ?? 0,
		stop: () =>
			new Promise<void>((resolve) => {
				child.removeAllListeners('exit');
				child.once('exit', () => resolve());
				child.kill('SIGTERM');
			}),
	};
}

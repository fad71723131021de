/**
 * A web server's log of a million lines, imported: first the reading that the preview does, then the import itself. The bare reading of
 * the same file, line by line, stands beside it.
 *
 *   npm run bench -- access-log [lines]
 */
import { createReadStream, createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { finished } from 'node:stream/promises';
import { readConfig } from '../server/config.ts';
import { callControl, controlPath } from '../server/control/call.ts';
import { putUpload } from '../server/import/uploads.ts';
import { createLog } from '../server/lib/log.ts';
import { startService } from '../server/main.ts';
import { printTable } from './table.ts';

const lines = Number(process.argv[2] ?? 1_000_000);
const folder = mkdtempSync(join(tmpdir(), 'tidemark-bench-'));
const path = join(folder, 'access.log');
await writeLog();
const config = readConfig({ TIDEMARK_DATA: join(folder, 'data'), TIDEMARK_PORT: '0' });
const service = await startService(config, { log: createLog('error') });
let peakMb = 0;
const watch = setInterval(() => {
	peakMb = Math.max(peakMb, process.memoryUsage.rss() / 1e6);
}, 100);
try {
	const operate = async (name: string, input: unknown) => {
		const answer = await callControl(controlPath(config), name as never, input as never, () => undefined);
		if (!answer) throw new Error('The service is not running.');
		return answer.result as Record<string, never>;
	};
	await operate('account.create', { email: 'a@example.test', name: 'A', timezone: 'UTC' });
	const [website] = (await operate('website.create', {
		...{ email: 'a@example.test', rows: [{ domain: 'example.com', timezone: 'UTC' }] },
	})) as unknown as { id: number }[];
	const bare = await timed(async () => {
		let read = 0;
		for await (const _line of createInterface({ input: createReadStream(path) })) read++;
		return read;
	});
	const upload = await putUpload(config.dataFolder, website?.id ?? 0, path);
	const preview = await timed(() =>
		operate('import.preview', {
			...{ websiteId: website?.id, source: 'log', fileName: 'access.log', upload, zone: 'UTC' },
		}),
	);
	const run = await timed(() => operate('import.run', { id: preview.result.id }));
	const row = (what: string, seconds: number) => [what, seconds.toFixed(1), Math.round(lines / seconds)];
	printTable(
		['', 'seconds', 'lines/s'],
		[
			row('bare reading of lines', bare.seconds),
			row('preview', preview.seconds),
			row('import', run.seconds),
			row('both', preview.seconds + run.seconds),
		],
	);
	console.log(
		`${lines} lines, ${Math.round(statSync(path).size / 1e6)} MB; ${(run.result as unknown as { preview: { events: number } }).preview.events} events; the service at most ${Math.round(peakMb)} MB`,
	);
} finally {
	clearInterval(watch);
	await service.stop();
	rmSync(folder, { recursive: true, force: true });
}

async function timed<T>(work: () => Promise<T>): Promise<{ seconds: number; result: T }> {
	const started = performance.now();
	const result = await work();
	return { seconds: (performance.now() - started) / 1000, result };
}

/** Three parts of four are pages, 400 browsers, 30 days. */
async function writeLog(): Promise<void> {
	const out = createWriteStream(path);
	const start = Date.parse('2026-09-01T00:00:00Z');
	for (let line = 0; line < lines; line++) {
		const time = new Date(start + Math.floor((line / lines) * 30 * 86_400_000)).toISOString();
		const stamp = `${time.slice(8, 10)}/Sep/2026:${time.slice(11, 19)} +0000`;
		const target =
			line % 4 === 3
				? `/assets/app-${line % 50}.js`
				: `/page/${(line * 7919) % 2000}?utm_source=s${line % 9}`;
		const address = `${11 + (line % 180)}.${line % 250}.${(line * 31) % 250}.7`;
		const agent = `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${80 + (line % 60)}.0.0.0 Safari/537.36`;
		const text = `${address} - - [${stamp}] "GET ${target} HTTP/1.1" 200 ${line % 9999} "https://www.example.org/${line % 300}" "${agent}"\n`;
		if (!out.write(text)) await new Promise((resolve) => out.once('drain', () => resolve(undefined)));
	}
	out.end();
	await finished(out);
}

/**
 * What Lighthouse says of the statistics page on the demo data, on a desk and on a phone. Lighthouse is fetched by npx for the
 * run: it is no part of the project.
 *
 * npm run bench -- lighthouse
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDashboard } from '../test/support/dashboard.ts';
import { sessionOf, signedIn } from '../test/support/visitor.ts';
import { printTable } from './table.ts';
import { untilSealed } from './until-sealed.ts';

const version = '13.5.0';
const kinds = ['performance', 'accessibility', 'best-practices'] as const;
type Audit = { title: string; score: number | null; scoreDisplayMode: string; displayValue?: string };
const measured = ['largest-contentful-paint', 'total-blocking-time', 'cumulative-layout-shift'] as const;
type Result = {
	categories: Record<(typeof kinds)[number], { score: number }>;
	audits: Record<string, Audit>;
};

const closing: (() => Promise<void>)[] = [];
const d = await openDashboard({ after: (work) => void closing.push(work) });
const folder = mkdtempSync(join(tmpdir(), 'tidemark-lighthouse-'));
try {
	const account = await d.account();
	const { websiteId } = await d.w.operate('demo', { email: account.email, domain: 'example.com', days: 90 });
	await untilSealed(d.w, websiteId);
	// The first question warms the engine.
	await account.api('POST', `/websites/${websiteId}/stats/query`, { json: { period: '30d' } });
	const cookie = `tidemark=${sessionOf(await signedIn(d.w, account))}`;
	const rows: (string | number)[][] = [];
	const faults: string[] = [];
	for (const device of ['desktop', 'phone'] as const) {
		const file = join(folder, `${device}.json`);
		await look(`${d.w.base}/websites/${websiteId}`, { cookie, device, file });
		// The form that Lighthouse writes its results in.
		const { categories, audits } = JSON.parse(readFileSync(file, 'utf8')) as Result;
		rows.push([
			device,
			...kinds.map((kind) => Math.round(categories[kind].score * 100)),
			...measured.map((name) => audits[name]?.displayValue ?? ''),
		]);
		for (const { title, score, scoreDisplayMode } of Object.values(audits))
			if (scoreDisplayMode === 'binary' && score === 0) faults.push(`${device}: ${title}`);
	}
	printTable(['Lighthouse, wanted 95, 100, 100', ...kinds, ...measured], rows);
	for (const fault of faults) console.log(fault);
} finally {
	rmSync(folder, { recursive: true, force: true });
	for (const close of closing.reverse()) await close();
}

async function look(address: string, options: { cookie: string; device: 'desktop' | 'phone'; file: string }) {
	const child = spawn(
		'npx',
		[
			...[
				'--yes',
				`lighthouse@${version}`,
				address,
				'--quiet',
				'--output=json',
				`--output-path=${options.file}`,
			],
			...[`--only-categories=${kinds.join(',')}`, '--chrome-flags=--headless=new --no-sandbox'],
			`--extra-headers=${JSON.stringify({ Cookie: options.cookie })}`,
			...(options.device === 'desktop' ? ['--preset=desktop'] : []),
		],
		{ stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, CHROME_PATH: '/usr/bin/chromium' } },
	);
	const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
	if (code !== 0) throw new Error(`Lighthouse ended with ${code}.`);
}

/** Hits at a steady rate, whether answers come or not; how long each took, and what was answered. */
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** `windows`: the times of each five seconds, so that a moment in which the machine did something else can be told apart. */
export type SteadyHits = { times: number[]; windows: number[][]; statuses: Record<number, number> };

const windowMs = 5_000;

export async function sendSteadily(options: {
	base: string;
	websites: readonly { id: number; domain: string }[];
	perSecond: number;
	seconds: number;
	/** More hits than these do not wait for their answers at once. */
	sockets?: number;
}): Promise<SteadyHits> {
	const { base, websites, perSecond, seconds, sockets = 128 } = options;
	const agent = new http.Agent({ keepAlive: true, maxSockets: sockets });
	const times: number[] = [];
	const windows: number[][] = [];
	const began = performance.now();
	const statuses: Record<number, number> = {};
	const hit = (n: number) =>
		new Promise<void>((resolve, reject) => {
			const { id, domain } = websites[n % websites.length] ?? { id: 0, domain: '' };
			const started = performance.now();
			const request = http.request(`${base}/tm`, {
				method: 'POST',
				agent,
				headers: {
					'content-type': 'text/plain',
					'user-agent': `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.${n % 500}.0 Safari/537.36`,
				},
			});
			request.once('error', reject);
			request.once('response', (response) => {
				const status = response.statusCode ?? 0;
				statuses[status] = (statuses[status] ?? 0) + 1;
				response.resume().once('end', () => {
					const ms = performance.now() - started;
					times.push(ms);
					const window = Math.floor((started - began) / windowMs);
					windows[window] ??= [];
					windows[window].push(ms);
					resolve();
				});
			});
			request.end(JSON.stringify({ w: id, n: 'pageview', u: `https://${domain}/page/${n % 50}`, x: 1440 }));
		});
	const sent: Promise<void>[] = [];
	for (let n = 0; n < perSecond * seconds; n++) {
		const wait = began + (n * 1000) / perSecond - performance.now();
		if (wait > 1) await sleep(wait);
		sent.push(hit(n));
	}
	await Promise.all(sent);
	agent.destroy();
	return { times, windows: windows.filter((window) => window !== undefined), statuses };
}

/** As a process of its own, so that what it sends does not disturb whoever measures. */
if (process.argv[1] === import.meta.filename)
	process.once('message', async (options: Parameters<typeof sendSteadily>[0]) => {
		const { statuses } = await sendSteadily(options);
		process.send?.(statuses, () => process.exit(0));
	});

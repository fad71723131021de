/** Processes of one installation on one socket, and hits that come at a fixed rate whatever happens to them. */
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventIdOf, type Ledger, type LedgerWebsite, userAgentOf, wireId } from './ledger.ts';
import type { Random } from './random.ts';

/** A zone in which it is about noon: no test of some minutes meets its midnight. */
export const noonZone = (now = new Date()): string => {
	const hours = now.getUTCHours() - 12;
	return hours === 0 ? 'Etc/GMT' : `Etc/GMT${hours > 0 ? '+' : ''}${hours}`;
};

export type Steady = {
	/** What did not end with an answer below 500: of each sort, how often. */
	failures: Map<string, number>;
	/** How long answers took, in ms. */
	times: number[];
	end(): Promise<void>;
};

/** Most reuse connections, as a proxy does; every fifth has one of its own. */
export function sendSteadily(options: {
	ledger: Ledger;
	base: string;
	websites: readonly LedgerWebsite[];
	random: Random;
	perSecond: number;
	visitors: number;
}): Steady {
	const { ledger, base, websites, random, perSecond, visitors } = options;
	const { hostname, port } = new URL(base);
	const agent = new Agent({ keepAlive: true, maxSockets: 100 });
	const failures = new Map<string, number>();
	const times: number[] = [];
	const under = new Set<Promise<void>>();
	let isOver = false;
	let sent = 0;

	const fail = (what: string) => void failures.set(what, (failures.get(what) ?? 0) + 1);
	function post() {
		const website = random.pick(websites);
		const eventId = eventIdOf(random);
		const entry = ledger.noteSent(website.id, eventId);
		const body = JSON.stringify({
			...{ w: website.id, i: wireId(eventId) },
			u: `https://${website.domain}/${random.whole(50)}`,
		});
		const began = performance.now();
		return new Promise<void>((resolve) => {
			const asking = request(
				{
					...{ hostname, port, path: '/tm', method: 'POST', timeout: 30_000 },
					agent: random.next() < 0.2 ? false : agent,
					headers: {
						'content-type': 'text/plain',
						'content-length': body.length,
						'user-agent': userAgentOf(random.whole(visitors)),
					},
				},
				(response) => {
					const status = response.statusCode ?? 0;
					const dropped = response.headers['x-tidemark-dropped'];
					response.resume();
					response.once('close', () => {
						times.push(performance.now() - began);
						ledger.noteAnswer(entry, status, dropped === undefined ? null : String(dropped));
						if (status >= 500) fail(String(status));
						resolve();
					});
				},
			);
			asking.once('error', (error: NodeJS.ErrnoException) => {
				fail(error.code ?? error.message);
				resolve();
			});
			asking.end(body);
		});
	}

	const began = performance.now();
	const sending = (async () => {
		while (!isOver) {
			const due = Math.floor(((performance.now() - began) / 1000) * perSecond);
			for (; sent < due; sent++) {
				const one = post();
				under.add(one);
				void one.then(() => under.delete(one));
			}
			await sleep(5);
		}
	})();
	return {
		failures,
		times,
		async end() {
			isOver = true;
			await sending;
			await Promise.all(under);
			agent.destroy();
		},
	};
}

export const percentile = (times: readonly number[], share: number): number =>
	Math.round(
		times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0,
	);

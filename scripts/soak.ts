/**
 * Everything at random for as long as one likes: a cluster under load whose servers, processes and nets break all the while, one or two
 * at a time. Each minute it prints what every process holds and what waits; at the end the ledger's verdict and how memory and
 * descriptors grew. It fails when an event is lost, doubled, invented or misplaced, or something was put aside.
 *
 * npm run test:soak -- 30 20261115      minutes and seed; SIGINT ends it earlier, with its verdict
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { faultsOf, inWords, startLoad } from '../test/support/ledger.ts';
import { startCluster, strikes, untilTaken, weigh } from '../test/support/many-processes.ts';
import { type Random, seededRandom } from '../test/support/random.ts';

const [, , minutesText = '30', seedText] = process.argv;
const minutes = Number(minutesText);
if (!(minutes > 0)) throw new Error('Say for how many minutes: npm run test:soak -- 30');
const sampleEveryMs = 5_000;

type Sample = { atMs: number; pid: number; rssMb: number; descriptors: number };

const cleaning: (() => Promise<void>)[] = [];
try {
	process.exitCode = (await soak(seededRandom(seedText === undefined ? undefined : Number(seedText))))
		? 0
		: 1;
} finally {
	for (const work of cleaning.reverse()) await work();
}

async function soak(random: Random): Promise<boolean> {
	console.log(`${minutes} minutes, seed ${random.seed}`);
	const durationMs = minutes * 60_000;
	const scope = { after: (work: () => Promise<void>) => void cleaning.push(work) };
	const cluster = await startCluster(scope, { random, longestMs: durationMs + 600_000 });
	const { nats, collectors, writer } = cluster;
	const pids = async (): Promise<[name: string, pid: number][]> => [
		...[...collectors, writer].map(({ name, pid }): [string, number] => [name, pid()]),
		['engine', await cluster.enginePid()],
		...nats.map(({ pid }, index): [string, number] => [`NATS ${index + 1}`, pid()]),
	];
	const samples = new Map<string, Sample[]>();
	const beganMs = performance.now();
	let isEnded = false;
	process.once('SIGINT', () => {
		isEnded = true;
	});
	const secondsOf = (ms: number) => ((ms - beganMs) / 1_000).toFixed(1);
	const isOver = () => isEnded || performance.now() - beganMs > durationMs;

	async function sample() {
		for (const [name, pid] of await pids()) {
			const weight = weigh(pid);
			if (!weight) continue;
			const of = samples.get(name) ?? [];
			samples.set(name, [...of, { atMs: performance.now(), pid, ...weight }]);
		}
	}
	async function watch() {
		let printed = 0;
		while (!isOver()) {
			await sample();
			const minute = Math.floor((performance.now() - beganMs) / 60_000);
			if (minute > printed) {
				printed = minute;
				const weights = [...samples].map(([name, of]) => {
					const last = of.at(-1);
					return `${name} ${Math.round(last?.rssMb ?? 0)} MB ${last?.descriptors} fd`;
				});
				const lag = await cluster.lag().catch(() => undefined);
				const waiting = lag ? `${lag.rows} groups, the oldest ${Math.round(lag.oldestMs)} ms` : 'unknown';
				console.log(`minute ${minute}: ${weights.join(', ')}; waiting: ${waiting}`);
			}
			await sleep(sampleEveryMs);
		}
	}

	const moments = seededRandom(random.seed);
	const struck = new Map<string, number>();
	const late: string[] = [];
	async function breakThings() {
		while (!isOver()) {
			await sleep(moments.whole(4_000));
			const first = moments.pick(Object.keys(strikes));
			const others = Object.keys(strikes).filter((name) => strikes[name]?.on !== strikes[first]?.on);
			const chosen = moments.next() < 0.3 ? [first, moments.pick(others)] : [first];
			console.log(`${secondsOf(performance.now())} s: ${chosen.join(' and ')}`);
			for (const name of chosen) struck.set(name, (struck.get(name) ?? 0) + 1);
			await Promise.all(chosen.map((name) => strikes[name]?.run(cluster, moments)));
			const boundMs = Math.max(...chosen.map((name) => strikes[name]?.boundMs ?? 0));
			await untilTaken(cluster, random, boundMs).catch(async () => {
				const moreMs = await untilTaken(cluster, random, 60_000);
				late.push(`${chosen.join(' and ')}: 202 only after ${boundMs + moreMs} ms`);
				console.log(late.at(-1));
			});
		}
	}

	const load = startLoad({ ...cluster, random, clients: 12, pauseMs: 20, maxEvents: 10_000_000 });
	const watching = watch();
	try {
		await breakThings();
	} catch (error) {
		console.log(error);
		late.push('a process did not come back');
	} finally {
		isEnded = true;
		await Promise.all([load.end(), watching]);
	}
	const lag = await cluster.lag();
	const drainedMs = performance.now();
	const verdict = await cluster.judge(180_000);
	const count = [...struck.values()].reduce((sum, times) => sum + times, 0);
	console.log(`faults: ${count} (${[...struck].map(([name, times]) => `${name} ${times}`).join(', ')})`);
	console.log(
		`waiting at the end: ${lag.rows} groups; written after ${Math.round(performance.now() - drainedMs)} ms`,
	);
	for (const [name, of] of samples) console.log(`${name}: ${growth(of)}`);
	console.log(inWords(verdict));
	for (const key of verdict.lost) {
		const entry = cluster.ledger.entries.get(key);
		console.log(
			`lost: ${key}, sent at ${secondsOf(entry?.sentAt ?? 0)} s, answered at ${secondsOf(entry?.answeredAt ?? 0)} s`,
		);
	}
	if (verdict.lost.length > 0) {
		// What is there now was late, not lost: the log said too early that all is written.
		await sleep(20_000);
		console.log(`20 s later: ${inWords(await cluster.judge(180_000))}`);
	}
	const faults = faultsOf(verdict);
	if (verdict.gaps > 0) faults.push(`${verdict.gaps} gaps were noted in the log`);
	if (verdict.aside > 0) faults.push(`${verdict.aside} dead letters`);
	if (verdict.ok === 0) faults.push('nothing was acknowledged');
	for (const fault of faults) console.log(fault);
	console.log(`202 later than its bound after a fault: ${late.length}`);
	return faults.length === 0;
}

/** Slopes over the second half of the longest life: the first is that of caches and compiled code. */
function growth(samples: readonly Sample[]): string {
	const lives = Map.groupBy(samples, ({ pid }) => pid);
	const longest = [...lives.values()].reduce((best, life) => (life.length > best.length ? life : best));
	const half = longest.slice(Math.floor(longest.length / 2));
	const [first, last] = [half[0], half.at(-1)];
	if (!first || !last || half.length < 3) return `never lived for long (${lives.size} lives)`;
	const perHour = (of: (one: Sample) => number) => slope(half.map((one) => [one.atMs / 3_600_000, of(one)]));
	return (
		`${perHour(({ rssMb }) => rssMb).toFixed(1)} MB/h, ${perHour(({ descriptors }) => descriptors).toFixed(1)} fd/h ` +
		`over ${((last.atMs - first.atMs) / 60_000).toFixed(1)} minutes; ${Math.round(last.rssMb)} MB and ${last.descriptors} fd at their end; ${lives.size} lives`
	);
}

/** Least squares. */
function slope(points: readonly [x: number, y: number][]): number {
	const mean = (of: readonly number[]) => of.reduce((sum, one) => sum + one, 0) / of.length;
	const [meanX, meanY] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))];
	const above = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
	const below = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
	return below === 0 ? 0 : above / below;
}

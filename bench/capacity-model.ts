/** What a load of a size needs, computed from what one event and one question cost. */

/** Microseconds of a core, and bytes, for each event; milliseconds of a core for each statistics page. */
export type Costs = {
	collectorUs: number;
	writerUs: number;
	postgresUs: number;
	insertUs: number;
	sealUs: number;
	hitBytes: number;
	lineBytes: number;
	walBytes: number;
	diskBytes: number;
	/** Bytes that ClickHouse writes for each that it keeps: merges. */
	writtenPerKept: number;
	fromTotalsMs: number;
	fromRunsMs: number;
	serviceMb: number;
	engineMb: number;
	postgresMb: number;
};

/** What is assumed, and not measured. */
export const assumed = {
	/** Cores are for a moment with so many times the mean. */
	peak: 2,
	/** And are busy to this part then. */
	busy: 0.6,
	/** Statistics pages a second for each 1,000 events a second; one in ten is filtered and reads runs. */
	pagesPerThousand: 1,
	filtered: 0.1,
	/** A day is sealed whole once, and a large one has been sealed in part while it was open. */
	sealsPerDay: 2,
	replicas: 3,
	/** A node of a cluster. */
	coresPerNode: 16,
	/** Hits come by TCP, TLS and HTTP, and are answered. */
	overheadBytes: 900,
};

type Size = {
	name: string;
	eventsPerSecond: number;
	/** The embedded engines on one machine; servers; servers with JetStream; a cluster. */
	kind: 'box' | 'servers' | 'cluster';
};

export const sizes: readonly Size[] = [
	{ name: '1 k', eventsPerSecond: 1_000, kind: 'box' },
	{ name: '10 k', eventsPerSecond: 10_000, kind: 'servers' },
	{ name: '50 k', eventsPerSecond: 50_000, kind: 'cluster' },
	{ name: '500 k', eventsPerSecond: 500_000, kind: 'cluster' },
];

type Need = { what: string; perSize: string[] };

/** What there is one of, by kind: more of it needs another kind, or another installation. */
function firstToBreak({ kind }: Size, costs: Costs): string {
	const { collectorUs, writerUs, postgresUs } = costs;
	const parts: Record<Size['kind'], [what: string, eventsPerSecond: number][]> = {
		box: [
			['collector', most(collectorUs)],
			['cores', most(cpuOfEvent(costs), 4)],
		],
		servers: [
			['writer', most(writerUs)],
			['event log', most(postgresUs, 4)],
			['ClickHouse', most(clickhouseUs(costs), assumed.coresPerNode)],
		],
		// Inserts into a cluster come one after another.
		cluster: [['writer', most(writerUs)]],
	};
	const [what, eventsPerSecond] = parts[kind].reduce((least, part) => (part[1] < least[1] ? part : least));
	return `${what}, ${(eventsPerSecond / 1_000).toFixed(1)} k`;
}

export function needs(costs: Costs): Need[] {
	const needs = sizes.map((size) => needOf(size, costs));
	const row = (what: string, read: (need: ReturnType<typeof needOf>) => string | number): Need => ({
		what,
		perSize: needs.map((need) => String(read(need))),
	});
	return [
		row('collector processes, a core each', ({ collectors }) => collectors),
		row('writer processes, a core each', ({ writers }) => writers),
		row('API processes, a core each', ({ apis }) => apis),
		row('cores of the event log', ({ logCores }) => logCores),
		row('shards of ClickHouse', ({ shards }) => shards),
		row('replicas of each', ({ replicas }) => replicas),
		row('cores of ClickHouse, all nodes', ({ clickhouseCores }) => clickhouseCores),
		row('cores in all', ({ cores }) => cores),
		row('memory in all, GB', ({ memoryGb }) => memoryGb),
		row('disk a month, all replicas, TB', ({ diskTb }) => diskTb),
		row('hits at the peak, Mbit/s', ({ hitMbit }) => hitMbit),
		row('between the machines at the peak, Mbit/s', ({ insideMbit }) => insideMbit),
		row('ClickHouse writes to each disk, MB/s', ({ writtenMb }) => writtenMb),
		row('what breaks first, and at how many events a second', ({ breaks }) => breaks),
	];
}

/** How many events a second, as a mean, fill each part that there can be only one of. */
export function limits(costs: Costs, cores: number): [what: string, eventsPerSecond: number][] {
	const { collectorUs, writerUs, postgresUs } = costs;
	return [
		[`this machine, ${cores} cores, all roles on it`, most(cpuOfEvent(costs), cores)],
		['one collector process', most(collectorUs)],
		['one writer process', most(writerUs)],
		['the event log in PostgreSQL, four cores', most(postgresUs, 4)],
		['one ClickHouse node of 16 cores', most(clickhouseUs(costs), assumed.coresPerNode)],
	];
}

const most = (us: number, cores = 1): number => Math.floor((cores * assumed.busy * 1e6) / us / assumed.peak);

const pageMs = ({ fromTotalsMs, fromRunsMs }: Costs): number =>
	(1 - assumed.filtered) * fromTotalsMs + assumed.filtered * fromRunsMs;

/** Questions as a part of each event: a page in a thousand events is as many microseconds an event as it is milliseconds. */
const questionUs = (costs: Costs): number => assumed.pagesPerThousand * pageMs(costs);

/** On the node that has the event; questions are asked of one replica. */
const clickhouseUs = (costs: Costs): number =>
	costs.insertUs + assumed.sealsPerDay * costs.sealUs + questionUs(costs);

const cpuOfEvent = (costs: Costs): number =>
	costs.collectorUs + costs.writerUs + costs.postgresUs + clickhouseUs(costs);

function needOf(size: Size, costs: Costs) {
	const { eventsPerSecond, kind } = size;
	const peak = eventsPerSecond * assumed.peak;
	const cores = (us: number) => (peak * us) / 1e6 / assumed.busy;
	const processes = (us: number) => Math.max(1, Math.ceil(cores(us)));
	const replicas = kind === 'cluster' ? assumed.replicas : 1;
	const collectors = processes(costs.collectorUs);
	const writers = processes(costs.writerUs);
	const apis = kind === 'box' ? 1 : Math.max(2, Math.ceil(eventsPerSecond / 10_000));
	const logCores = processes(costs.postgresUs);
	const shards = kind === 'cluster' ? Math.ceil(cores(clickhouseUs(costs)) / assumed.coresPerNode) : 1;
	// Every replica merges for itself; seals and questions are computed once.
	const ofNodes = cores(clickhouseUs(costs)) + (replicas - 1) * cores(costs.insertUs);
	const clickhouseCores =
		kind === 'cluster' ? Math.max(Math.ceil(ofNodes), shards * replicas * 4) : Math.ceil(ofNodes);
	const keptPerSecond = eventsPerSecond * costs.diskBytes;
	const memoryMb =
		(collectors + writers + apis) * costs.serviceMb +
		costs.postgresMb +
		(kind === 'box'
			? costs.engineMb
			: shards * replicas * Math.max(16_000, (4_000 * clickhouseCores) / shards / replicas));
	const mbit = (bytes: number) => Math.ceil((peak * bytes * 8) / 1e6);
	return {
		breaks: firstToBreak(size, costs),
		...{ collectors, writers, apis, logCores, shards, replicas, clickhouseCores },
		cores:
			kind === 'box'
				? Math.ceil(cores(cpuOfEvent(costs)))
				: collectors + writers + apis + logCores + clickhouseCores,
		memoryGb: Math.ceil(memoryMb / 1_000),
		diskTb: ((keptPerSecond * 86_400 * 30 * replicas) / 1e12).toFixed(2),
		hitMbit: mbit(costs.hitBytes + assumed.overheadBytes),
		insideMbit: kind === 'box' ? 0 : mbit(costs.lineBytes * (2 + replicas)),
		writtenMb: ((keptPerSecond * assumed.peak * costs.writtenPerKept) / shards / 1e6).toFixed(1),
	};
}

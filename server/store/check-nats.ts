/**
 * What a 202 promises holds only on a NATS that keeps an acknowledged message. Each start looks, and refuses one that does not, with
 * what to do about it.
 *
 * JetStream acknowledges before its disk has the message unless it is told otherwise: one server alone must sync each message
 * (`sync_interval: always`), several must hold three copies. Before 2.10.23 a kill could lose a whole stream.
 */
import {
	DiscardPolicy,
	JetStreamApiCodes,
	JetStreamApiError,
	type JetStreamManager,
	RetentionPolicy,
	StorageType,
	type StreamConfig,
	type StreamInfo,
} from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';

const leastVersion = [2, 10, 23];
const windowNanos = 10 * 60 * 1_000_000_000;

export const streamOf = (partition: number): string => `tidemark-${partition}`;
/** Our own numbers alone are ever in a subject. */
export const subjectOf = (partition: number): string => `tidemark.events.${partition}`;

/** Also whether it is one of several: then three hold each message. */
export async function checkNats(
	connection: NatsConnection,
	monitorUrl: string | undefined,
): Promise<{ replicas: 1 | 3 }> {
	const { info } = connection;
	if (!info) throw refusal('it did not say what it is');
	if (isOlder(info.version))
		throw refusal(
			`it is version ${info.version}, and a kill can lose what an earlier one than ${leastVersion.join('.')} acknowledged. Upgrade nats-server`,
		);
	if (info.jetstream !== true)
		throw refusal('JetStream is off. Put a jetstream block into its configuration, with a store_dir');
	if (info.cluster !== undefined && info.cluster !== '') return { replicas: 3 };
	await checkSync(info.server_id, monitorUrl);
	return { replicas: 1 };
}

/** One that is there, and would not do. */
export class UnusableNats extends Error {}

const refusal = (why: string, options?: ErrorOptions) =>
	new UnusableNats(`This NATS server cannot be used: ${why}.`, options);

function isOlder(version: string): boolean {
	const parts = version.split(/[.-]/).map(Number);
	for (const [at, least] of leastVersion.entries()) {
		const part = parts[at] ?? 0;
		if (part !== least) return !(part > least);
	}
	return false;
}

const howToSync = 'Set sync_interval: always in its jetstream block, or run three servers as a cluster';

/** Only the monitoring port tells how a server syncs; no client of it can see that. */
async function checkSync(serverId: string, monitorUrl: string | undefined): Promise<void> {
	if (monitorUrl === undefined)
		throw refusal(
			`it is one server alone, and must write each message to its disk before it acknowledges it, which only its monitoring port tells. ${howToSync}; for one server set http: 127.0.0.1:8222 in its configuration and NATS_MONITOR_URL=http://127.0.0.1:8222`,
		);
	let answer: { server_id?: string; config?: { sync_always?: boolean } };
	try {
		const response = await fetch(`${monitorUrl}/jsz`, { signal: AbortSignal.timeout(5_000) });
		if (!response.ok) throw new Error(`It answered ${response.status}.`);
		// Looked at member by member below.
		answer = (await response.json()) as typeof answer;
	} catch (cause) {
		throw refusal('NATS_MONITOR_URL does not lead to its monitoring port', { cause });
	}
	if (answer.server_id !== serverId)
		throw refusal('NATS_MONITOR_URL leads to the monitoring port of another server');
	if (answer.config?.sync_always !== true)
		throw refusal(`it acknowledges messages that its disk does not have yet. ${howToSync}`);
}

/** Makes the streams that are missing, and refuses any that would lose something. */
export async function openStreams(
	manager: JetStreamManager,
	options: { partitions: number; replicas: 1 | 3; maxBytes: number },
): Promise<void> {
	for (let partition = 1; partition <= options.partitions; partition++) {
		const wanted = wantedConfig(partition, options);
		const there = await findStream(manager, wanted.name);
		const made = there ?? (await makeStream(manager, wanted));
		checkStream(made.config, wanted);
		if (made.config.max_bytes !== wanted.max_bytes)
			await manager.streams.update(wanted.name, { max_bytes: wanted.max_bytes });
	}
}

const wantedConfig = (
	partition: number,
	{ partitions, replicas, maxBytes }: { partitions: number; replicas: 1 | 3; maxBytes: number },
) => ({
	name: streamOf(partition),
	subjects: [subjectOf(partition)],
	storage: StorageType.File,
	retention: RetentionPolicy.Limits,
	discard: DiscardPolicy.New,
	max_bytes: Math.floor(maxBytes / partitions),
	max_age: 0,
	max_msgs: -1,
	max_msgs_per_subject: -1,
	duplicate_window: windowNanos,
	num_replicas: replicas,
	deny_purge: false,
	no_ack: false,
});

async function findStream(manager: JetStreamManager, name: string): Promise<StreamInfo | undefined> {
	try {
		return await manager.streams.info(name);
	} catch (error) {
		if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound)
			return undefined;
		throw error;
	}
}

async function makeStream(
	manager: JetStreamManager,
	wanted: ReturnType<typeof wantedConfig>,
): Promise<StreamInfo> {
	try {
		return await manager.streams.add(wanted);
	} catch (cause) {
		const why = cause instanceof Error ? cause.message : String(cause);
		throw refusal(
			`the stream ${wanted.name} with ${wanted.num_replicas} copies and ${wanted.max_bytes} bytes could not be made: ${why}. ${
				wanted.num_replicas === 3 ? 'A cluster needs three servers with JetStream, and each' : 'It'
			} needs that room in max_file_store; TIDEMARK_MAX_LOG_MB is all streams together`,
			{ cause },
		);
	}
}

/** What must be so for nothing to be lost. The same names as in NATS's own tool. */
function checkStream(config: StreamConfig, wanted: ReturnType<typeof wantedConfig>): void {
	const faults = (
		[
			'storage',
			'retention',
			'discard',
			'max_age',
			'max_msgs',
			'max_msgs_per_subject',
			'num_replicas',
		] as const
	)
		.filter((name) => config[name] !== wanted[name])
		.map((name) => `${name} is ${config[name]} and must be ${wanted[name]}`);
	if (config.duplicate_window < wanted.duplicate_window)
		faults.push('duplicate_window is shorter than 10 minutes');
	if (config.subjects.join() !== wanted.subjects.join())
		faults.push(`its subjects are ${config.subjects.join(' ')} and must be ${wanted.subjects.join(' ')}`);
	if (config.deny_purge) faults.push('deny_purge is true');
	if (config.no_ack) faults.push('no_ack is true');
	if (faults.length > 0)
		throw refusal(
			`its stream ${wanted.name} is not as it must be: ${faults.join('; ')}. Change it with \`nats stream edit ${wanted.name}\``,
		);
}

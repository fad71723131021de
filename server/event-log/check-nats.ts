/**
 * A 202 means that the event is on disk, which needs a NATS server that keeps every acknowledged message. Each start checks that and
 * refuses an unsuitable server.
 *
 * By default JetStream acknowledges a message before it is on disk. So a single server must sync each message (`sync_interval: always`),
 * and a cluster must have three replicas. Before 2.10.23 a crash could lose a whole stream.
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

const minVersion = [2, 10, 23];
const windowNanos = 10 * 60 * 1_000_000_000;

export const streamOf = (partition: number): string => `tidemark-${partition}`;
/** Subjects contain only our own partition numbers, never input. */
export const subjectOf = (partition: number): string => `tidemark.events.${partition}`;

/** Returns the number of replicas: three in a cluster. */
export async function checkNats(
	connection: NatsConnection,
	monitorUrl: string | undefined,
): Promise<{ replicas: 1 | 3 }> {
	const { info } = connection;
	if (!info) throw refusal('it did not send its server info');
	if (isOlder(info.version))
		throw refusal(
			`it is version ${info.version}, and a crash of a version before ${minVersion.join('.')} can lose acknowledged messages. Upgrade nats-server`,
		);
	if (info.jetstream !== true)
		throw refusal('JetStream is off. Add a jetstream block with a store_dir to its configuration');
	if (info.cluster !== undefined && info.cluster !== '') return { replicas: 3 };
	await checkSync(info.server_id, monitorUrl);
	return { replicas: 1 };
}

/** The server is reachable but unsuitable. */
export class UnusableNats extends Error {}

const refusal = (why: string, options?: ErrorOptions) =>
	new UnusableNats(`This NATS server cannot be used: ${why}.`, options);

function isOlder(version: string): boolean {
	const parts = version.split(/[.-]/).map(Number);
	for (const [index, min] of minVersion.entries()) {
		const part = parts[index] ?? 0;
		if (part !== min) return !(part > min);
	}
	return false;
}

const howToSync = 'Set sync_interval: always in its jetstream block, or run three servers as a cluster';

/** Only the monitoring port shows how a server syncs. */
async function checkSync(serverId: string, monitorUrl: string | undefined): Promise<void> {
	if (monitorUrl === undefined)
		throw refusal(
			`a single server must write each message to disk before it acknowledges it, which only its monitoring port shows. ${howToSync}; for a single server also set http: 127.0.0.1:8222 in its configuration and NATS_MONITOR_URL=http://127.0.0.1:8222`,
		);
	let response: { server_id?: string; config?: { sync_always?: boolean } };
	try {
		const answer = await fetch(`${monitorUrl}/jsz`, { signal: AbortSignal.timeout(5_000) });
		if (!answer.ok) throw new Error(`HTTP status ${answer.status}`);
		// Each field is checked below.
		response = (await answer.json()) as typeof response;
	} catch (cause) {
		throw refusal('NATS_MONITOR_URL is not its monitoring port', { cause });
	}
	if (response.server_id !== serverId)
		throw refusal('NATS_MONITOR_URL is the monitoring port of another server');
	if (response.config?.sync_always !== true)
		throw refusal(`it acknowledges messages before they are on disk. ${howToSync}`);
}

/** Creates missing streams, and refuses streams whose configuration could lose messages. */
export async function openStreams(
	manager: JetStreamManager,
	options: { partitions: number; replicas: 1 | 3; maxBytes: number },
): Promise<void> {
	for (let partition = 1; partition <= options.partitions; partition++) {
		const wanted = wantedConfig(partition, options);
		const stream = (await findStream(manager, wanted.name)) ?? (await createStream(manager, wanted));
		checkStream(stream.config, wanted);
		if (stream.config.max_bytes !== wanted.max_bytes)
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

async function createStream(
	manager: JetStreamManager,
	wanted: ReturnType<typeof wantedConfig>,
): Promise<StreamInfo> {
	try {
		return await manager.streams.add(wanted);
	} catch (cause) {
		const why = cause instanceof Error ? cause.message : String(cause);
		throw refusal(
			`the stream ${wanted.name} with ${wanted.num_replicas} copies and ${wanted.max_bytes} bytes could not be created: ${why}. ${
				wanted.num_replicas === 3 ? 'A cluster needs three servers with JetStream, and each' : 'It'
			} needs that much max_file_store; TIDEMARK_MAX_LOG_MB is for all streams together`,
			{ cause },
		);
	}
}

/** Names the fields like the NATS CLI does. */
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
			`its stream ${wanted.name} has an unsafe configuration: ${faults.join('; ')}. Change it with \`nats stream edit ${wanted.name}\``,
		);
}

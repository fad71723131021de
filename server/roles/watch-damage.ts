import { noteDamage } from '../derive/damage.ts';
import type { Metrics } from '../http/ops/metrics.ts';
import type { ClickHouse } from '../store/clickhouse.ts';
import type { RoleContext } from './context.ts';

const checkEveryMs = 60_000;

/** Reports data that ClickHouse could not read: in the log when it is found, and in the metrics until it is repaired. */
export function watchDamage(
	{ postgres, log, opened }: RoleContext,
	{ clickhouse, ready, metrics }: { clickhouse: ClickHouse; ready: Promise<void>; metrics: Metrics },
): void {
	const reported = new Set<string>();
	let count = Number.NaN;
	const stopping = new AbortController();
	async function check(): Promise<void> {
		const damaged = await noteDamage({ postgres, clickhouse }, stopping.signal);
		count = damaged.length;
		for (const { table, part } of damaged) {
			if (reported.has(`${table} ${part}`)) continue;
			reported.add(`${table} ${part}`);
			log.error(
				{ table, part },
				'a part of a ClickHouse table is damaged and its data is missing; restore it: tidemark repair FILE',
			);
		}
	}
	const checkSafely = () =>
		check().catch((error: unknown) => {
			if (!stopping.signal.aborted) log.warn({ error }, 'could not ask ClickHouse for damaged parts');
		});
	const timer = setInterval(checkSafely, checkEveryMs);
	ready.then(checkSafely, () => undefined);
	opened.push(async () => {
		clearInterval(timer);
		stopping.abort();
	});
	metrics.gauge(
		'tidemark_damaged_parts',
		'Parts of ClickHouse tables that could not be read and are not repaired.',
		() => count,
	);
}

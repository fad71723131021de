import { findOperatorFiles, type GeoFiles } from '../../geo/files.ts';
import { type MmdbRecord, openRecords } from '../../geo/reader.ts';
import type { Log } from '../../lib/log.ts';
import type { Operator, OperatorLookup } from '../steps/step.ts';
import { watchFiles } from './watch-files.ts';

export type OperatorDatabase = OperatorLookup & {
	isInstalled(): boolean;
	/** Whether pages must name DB-IP, whose license requires it. */
	needsAttribution(): boolean;
};

/** The database of network operators that `tidemark geo` installed. Without one, or if it cannot be read, no operator is found. */
export async function watchOperatorDatabase(
	{ dataFolder }: { dataFolder: string },
	log: Pick<Log, 'info' | 'error'>,
	checkMs = 60_000,
): Promise<OperatorDatabase & { close(): void }> {
	const load = async (files: GeoFiles | undefined) => {
		if (!files) return undefined;
		try {
			return await openRecords(files.paths);
		} catch (error) {
			log.error(
				{ err: error },
				'installed database of network operators cannot be read; run `tidemark geo update --operators`',
			);
			return undefined;
		}
	};
	const { current, close } = await watchFiles(() => findOperatorFiles(dataFolder), load, {
		name: 'database of network operators',
		otherwise: undefined,
		log,
		checkMs,
	});
	return {
		find(address) {
			const record = current()?.find(address);
			return record && readOperator(record);
		},
		isInstalled: () => current() !== undefined,
		needsAttribution: () => current()?.isOfDbIp === true,
		close,
	};
}

/** As long as the values of rules. */
const maxNameLength = 255;

function readOperator(record: MmdbRecord): Operator | undefined {
	const { autonomous_system_number: number, autonomous_system_organization: name } = record;
	if (typeof number !== 'number') return undefined;
	return { number, name: typeof name === 'string' ? name.slice(0, maxNameLength) : '' };
}

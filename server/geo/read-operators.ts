import { createReadStream } from 'node:fs';
import { parse } from 'csv-parse';
import { type MmdbRange, writeMmdb } from './write-mmdb.ts';

/** Longer names do not fit a record of write-mmdb.ts, and rules rarely match their end. */
const maxNameLength = 200;

/**
 * Turns a file of the npm package `@ip-location-db/asn`, whose rows are first address, last address, number and name of the operator,
 * into a database in MaxMind's format.
 */
export async function operatorsOfCsv(path: string, builtAt: Date): Promise<Buffer> {
	const unreadable = (line: number) =>
		new Error(
			`${path} cannot be read: line ${line} is not a range of addresses as numbers, with an AS number and a name. Use asn-ipv4-num.csv and asn-ipv6-num.csv of the npm package @ip-location-db/asn.`,
		);
	const ranges: MmdbRange[] = [];
	const operators = new Map<string, MmdbRange['record']>();
	// A stream, because the rows of a file take much more memory than the file. A row has at most 10 kB, so an unclosed quote ends.
	const rows = createReadStream(path).pipe(parse({ max_record_size: 10_000, relax_column_count: true }));
	for await (const row of rows) {
		const [from = '', to = '', number = '', name = ''] = row as string[];
		if (![from, to, number].every((text) => /^\d{1,39}$/.test(text))) throw unreadable(ranges.length + 1);
		if (Number(number) >= 2 ** 32 || BigInt(to) >= 1n << 128n) throw unreadable(ranges.length + 1);
		const key = `${number} ${name}`;
		const record = operators.get(key) ?? {
			autonomous_system_number: Number(number),
			autonomous_system_organization: shorten(name),
		};
		operators.set(key, record);
		ranges.push({ from: BigInt(from), to: BigInt(to), record });
	}
	if (ranges.length === 0) throw new Error(`${path} is empty.`);
	return writeMmdb(ranges, {
		ipVersion: ranges.every(({ to }) => to < 1n << 32n) ? 4 : 6,
		// `tidemark geo show` prints it: the license requires these names.
		type: 'DB-IP, RouteViews and NRO: ASN, CC BY 4.0',
		builtAt,
	});
}

function shorten(name: string): string {
	let bytes = 0;
	let kept = '';
	for (const letter of name) {
		bytes += Buffer.byteLength(letter);
		if (bytes > maxNameLength) break;
		kept += letter;
	}
	return kept;
}

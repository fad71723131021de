/**
 * Umami's events: the table website_event as CSV, from its database or its export, alone or in a ZIP beside the table session. Newer
 * ones have the columns of the session in each event. A session of Umami lives for a month; here it is a visitor of each of its days.
 */
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import type { ForeignEvent, Importer, Item } from './importer.ts';
import { readTime } from './read-cells.ts';
import { type CsvRow, csvRows, isZip, type PackedFile, unreadable, unzip } from './read-file.ts';

/** Sessions are kept in memory. */
const maxSessions = 1_000_000;

type Row = NonNullable<CsvRow>;
type Sessions = ReadonlyMap<string, Row>;

const isEvents = ({ name }: PackedFile): boolean => /website_event[^/]*\.csv$/i.test(name);
const isSessions = ({ name }: PackedFile): boolean => /(?:^|[^a-z])session(?!_data)[^/]*\.csv$/i.test(name);

export const umami: Importer = {
	source: 'umami',
	async open(path, { zone, domain }) {
		const packed = await isZip(path);
		async function* items(): AsyncGenerator<Item> {
			const read = createReader(zone, domain);
			if (!packed) return yield* read(createReadStream(path), new Map());
			const sessions = await readSessions(path);
			let hasEvents = false;
			for await (const file of unzip(path)) {
				if (isSessions(file)) continue;
				if (!isEvents(file)) {
					yield { skipped: 'unknown_file' };
					continue;
				}
				hasEvents = true;
				yield* read(await file.read(), sessions);
			}
			if (!hasEvents)
				throw unreadable('The archive has no website_event.csv, which contains Umami’s page views.');
		}
		return { kind: 'events', suppliedCounts: () => ({}), items: items() };
	},
};

async function readSessions(path: string): Promise<Sessions> {
	const sessions = new Map<string, Row>();
	for await (const file of unzip(path)) {
		if (!isSessions(file)) continue;
		for await (const row of csvRows(await file.read())) {
			const id = row?.get('session_id') ?? '';
			if (row && id !== '') sessions.set(id, row);
			if (sessions.size > maxSessions)
				throw unreadable(
					`The file has more than ${maxSessions} sessions. Export website_event joined with session, one year at a time.`,
				);
		}
	}
	return sessions;
}

function createReader(zone: string, domain: string) {
	let websiteId: string | undefined;
	return async function* read(bytes: Readable, sessions: Sessions): AsyncGenerator<Item> {
		let isFirst = true;
		for await (const row of csvRows(bytes)) {
			if (isFirst && row && !(row.has('created_at') && row.has('url_path')))
				throw unreadable('The file is not Umami’s website_event: it has no columns created_at and url_path.');
			isFirst = false;
			if (!row) {
				yield { skipped: 'bad_row' };
				continue;
			}
			websiteId ??= row.get('website_id');
			if (row.get('website_id') !== websiteId && !row.get('hostname'))
				throw unreadable('The file has events of several websites. Export one website at a time.');
			yield toItem(row, sessions.get(row.get('session_id') ?? ''), zone, domain);
		}
	};
}

function toItem(row: Row, session: Row | undefined, zone: string, domain: string): Item {
	const cell = (name: string): string => nullToEmpty(row.get(name)) || nullToEmpty(session?.get(name));
	const atMs = readTime(nullToEmpty(row.get('created_at')), zone);
	if (atMs === undefined) return { skipped: 'bad_date' };
	const type = cell('event_type') || '1';
	if (type !== '1' && type !== '2') return { skipped: 'no_meaning' };
	const query = cell('url_query').replace(/^\?/, '');
	const referrer = cell('referrer_domain');
	const name = type === '2' ? cell('event_name') : '';
	if (type === '2' && name === '') return { skipped: 'no_meaning' };
	const event: ForeignEvent = {
		atMs,
		visitor: cell('session_id'),
		name,
		url: `https://${cell('hostname') || domain}${cell('url_path').replace(/^(?!\/)/, '/')}${query === '' ? '' : `?${query}`}`,
		title: cell('page_title'),
		referrer: referrer === '' ? '' : `https://${referrer}${cell('referrer_path')}`,
		userAgent: '',
		device: { browser: cell('browser'), os: cell('os'), device: cell('device') },
		screenWidth: Number(/^(\d{2,5})x\d+/.exec(cell('screen'))?.[1] ?? 0),
		language: cell('language'),
		country: cell('country'),
		region: cell('region') || cell('subdivision1'),
		city: cell('city'),
		properties: {},
	};
	return { event };
}

/** Database dumps write NULL as text. */
const nullToEmpty = (text = ''): string => (text === '\\N' || text === 'NULL' ? '' : text);

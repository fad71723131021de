import { z } from 'zod';
import { exportQuery } from '../../../api/export.ts';
import { type ExportFormat, exportRows } from '../../export/export.ts';
import { AppError } from '../../lib/app-error.ts';
import { refusalOf } from '../../store/clickhouse.ts';
import { getWebsite } from '../../websites/websites.ts';
import { type Answer, type Call, type Route, readId, type Services } from '../call.ts';
import { attachedAs, csvType } from '../csv.ts';
import { readParameters } from '../read-parameters.ts';

const types: Record<ExportFormat, string> = {
	parquet: 'application/vnd.apache.parquet',
	csv: csvType,
	ndjson: 'application/x-ndjson',
};

async function exportWebsite(call: Call, services: Services): Promise<Answer> {
	const websiteId = readId(call);
	const { postgres, clickhouse, exports } = services;
	const { domain, accountId } = await getWebsite(postgres, call.principal, 'website.export', websiteId);
	const { what, format, from, to, raw } = readParameters(call.query, exportQuery);
	const leave = exports.begin('accountId' in call.principal ? call.principal.accountId : accountId);
	const pieces = exportRows(
		{ postgres, clickhouse },
		{ websiteId, what, format, from, to, raw: raw === 'true' },
		call.signal,
	);
	try {
		// What is wrong from the beginning gets an answer of its own.
		const first = await pieces.next();
		return {
			status: 200,
			text: '',
			type: types[format],
			headers: {
				'cache-control': 'no-store',
				'content-disposition': attachedAs(format, domain, what, from ?? '', to ?? ''),
			},
			file: {
				pieces: withFirst(first, pieces),
				end() {
					leave();
					pieces.return(undefined).catch(() => undefined);
				},
			},
		};
	} catch (error) {
		leave();
		if (refusalOf(error) === undefined) throw error;
		throw new AppError('unavailable', 'The statistics engine is busy or away; try again in a minute.');
	}
}

async function* withFirst(
	first: IteratorResult<Buffer>,
	rest: AsyncGenerator<Buffer>,
): AsyncGenerator<Buffer> {
	if (first.done) return;
	yield first.value;
	yield* rest;
}

export const exportRoutes: readonly Route[] = [
	{
		methods: ['GET'],
		path: '/websites/:id/export',
		action: 'website.export',
		operationId: 'exportWebsite',
		summary: 'Export the data of a website',
		about:
			'A file of any length, streamed: events, visits or totals as Parquet, CSV or NDJSON. The columns are described in docs/export.md. Visits and totals are those of sealed days. An account has one export at a time. A connection that breaks before its end says that the file is not whole.',
		query: exportQuery,
		answer: {
			status: 200,
			schema: z.string(),
			about: 'The file.',
			files: Object.values(types).map((type) => type.replace(/;.*$/, '')),
		},
		errors: ['forbidden', 'not_found', 'validation_failed', 'unavailable'],
		handle: exportWebsite,
	},
];

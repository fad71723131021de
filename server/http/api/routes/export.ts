import { z } from 'zod';
import { exportQuery } from '../../../../api/export.ts';
import { type ExportFormat, exportRows } from '../../../export/export.ts';
import { AppError } from '../../../lib/app-error.ts';
import { refusalOf } from '../../../store/clickhouse-errors.ts';
import { readParameters } from '../../request/read-parameters.ts';
import { attachmentAs, csvType } from '../csv.ts';
import type { WebsiteRoute } from '../route.ts';

const types: Record<ExportFormat, string> = {
	parquet: 'application/vnd.apache.parquet',
	csv: csvType,
	ndjson: 'application/x-ndjson',
};

const exportWebsite: WebsiteRoute['handle'] = async (call, { postgres, clickhouse, exports }) => {
	const { id: websiteId, domain, accountId } = call.website;
	const { what, format, from, to, raw } = readParameters(call.query, exportQuery);
	const release = exports.begin('accountId' in call.principal ? call.principal.accountId : accountId);
	const pieces = exportRows(
		{ postgres, clickhouse },
		{ websiteId, what, format, from, to, raw: raw === 'true' },
		call.signal,
	);
	try {
		// Waits for the first piece, so that early errors still get an error response.
		const first = await pieces.next();
		return {
			status: 200,
			text: '',
			type: types[format],
			headers: {
				'cache-control': 'no-store',
				'content-disposition': attachmentAs(format, domain, what, from ?? '', to ?? ''),
			},
			file: {
				pieces: withFirst(first, pieces),
				end() {
					release();
					pieces.return(undefined).catch(() => undefined);
				},
			},
		};
	} catch (error) {
		release();
		if (refusalOf(error) === undefined) throw error;
		throw new AppError('unavailable', 'The statistics engine is busy or unavailable. Try again in a minute.');
	}
};

async function* withFirst(
	first: IteratorResult<Buffer>,
	rest: AsyncGenerator<Buffer>,
): AsyncGenerator<Buffer> {
	if (first.done) return;
	yield first.value;
	yield* rest;
}

export const exportRoutes: readonly WebsiteRoute[] = [
	{
		methods: ['GET'],
		path: '/websites/:id/export',
		action: 'website.export',
		operationId: 'exportWebsite',
		summary: 'Export the data of a website',
		description:
			'Streams events, visits or totals as Parquet, CSV or NDJSON; docs/export.md describes the columns. Visits and totals cover sealed days. An account can run one export at a time, and a broken connection means that the file is incomplete.',
		query: exportQuery,
		response: {
			status: 200,
			schema: z.string(),
			description: 'The file.',
			files: Object.values(types).map((type) => type.replace(/;.*$/, '')),
		},
		errors: ['not_found', 'validation_failed', 'unavailable'],
		handle: exportWebsite,
	},
];

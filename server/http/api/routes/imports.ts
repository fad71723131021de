import { createHash, type Hash } from 'node:crypto';
import { list, singleRecord } from '../../../../api/envelopes.ts';
import type { ErrorCode } from '../../../../api/errors.ts';
import { createImportQuery, deletedImport, importRecord, listImportsQuery } from '../../../../api/imports.ts';
import { type SkipReason, skipReasons } from '../../../import/importer.ts';
import {
	createImport,
	getImport,
	type Import,
	listImports,
	receiveUpload,
	startImport,
	undoImport,
} from '../../../import/imports.ts';
import { AppError } from '../../../lib/app-error.ts';
import { readParameters } from '../../request/read-parameters.ts';
import { createOnce } from '../idempotency.ts';
import { paginate } from '../pagination.ts';
import {
	type ApiRequest,
	json,
	readId,
	type Services,
	type WebsiteRequest,
	type WebsiteRoute,
} from '../route.ts';

const toRecord = (stored: Import) => ({
	id: stored.id,
	object: 'import',
	source: stored.source,
	kind: stored.kind,
	state: stored.state,
	fault: stored.fault,
	file_name: stored.fileName,
	timezone: stored.zone,
	from: stored.from,
	to: stored.to,
	days: stored.preview.days,
	events: stored.preview.events,
	totals: stored.preview.totals,
	dimensions: stored.preview.dimensions,
	skipped: Object.entries(stored.preview.skipped).map(([reason, count]) => ({
		reason,
		count,
		// Object.entries loses the key type.
		means: skipReasons[reason as SkipReason],
	})),
	rows_done: stored.doneRows,
	rows_total: stored.totalRows,
	created_at: stored.createdAt.toISOString(),
	ended_at: stored.endedAt?.toISOString() ?? null,
});

/** Accounts with a running upload: one at a time each, because uploads take disk space. */
const sending = new Set<number>();

const create: WebsiteRoute['handle'] = async (call, services) => {
	const { website } = call;
	const sent = readParameters(call.query, createImportQuery);
	const { upload } = call;
	if (!upload) throw new AppError('bad_request', 'Send the file as the body.');
	// The owner's account, which its members and keys share.
	const { accountId: ownerId } = website;
	if (sending.has(ownerId))
		throw new AppError(
			'too_many_requests',
			'Another upload of this account is running. Wait until it is finished.',
			{
				retryAfterSeconds: 10,
			},
		);
	sending.add(ownerId);
	try {
		const digest = createHash('sha256');
		const received = await receiveUpload(services.imports, website, {
			pieces: hashing(upload, digest),
			bytes: Number(call.header('content-length') ?? 0),
		});
		const path = `/websites/${website.id}/imports`;
		let isRead = false;
		const response = createOnce(
			call,
			services,
			{ path: `${path}?${call.query}\n`, body: digest.digest() },
			{
				// Reading the file may take minutes, so it happens outside of the transaction.
				prepare() {
					isRead = true;
					return createImport(
						services.imports,
						{
							websiteId: website.id,
							accountId: accountOf(call),
							source: sent.source,
							fileName: sent.file_name,
							zone: sent.timezone,
							upload: received,
							by: 'account',
						},
						call.signal,
					);
				},
				run: async (_tx, created) =>
					json(201, { data: toRecord(created) }, { location: `${call.mountedAt}${path}/${created.id}` }),
			},
		);
		// A replayed or rejected request does not need the upload.
		return await response.finally(() => (isRead ? undefined : services.imports.uploads.drop(received)));
	} finally {
		sending.delete(ownerId);
	}
};

async function* hashing(pieces: AsyncIterable<Buffer>, digest: Hash): AsyncGenerator<Buffer> {
	for await (const piece of pieces) {
		digest.update(piece);
		yield piece;
	}
}

const accountOf = ({ principal }: ApiRequest): number | null =>
	'accountId' in principal ? principal.accountId : null;

const importOf = (call: WebsiteRequest, { postgres }: Services): Promise<Import> =>
	getImport(postgres, call.website.id, readId(call, 'item_id'));

const changeErrors: readonly ErrorCode[] = ['not_found'];

export const importRoutes: readonly WebsiteRoute[] = [
	{
		methods: ['GET'],
		path: '/websites/:id/imports',
		action: 'website.settings',
		operationId: 'listImports',
		summary: 'List imports',
		description: 'Returns the imports of a website, newest first, without those that were undone.',
		query: listImportsQuery,
		response: { status: 200, schema: list(importRecord), description: 'A page of imports.' },
		errors: ['not_found', 'validation_failed'],
		handle: async (call, { postgres }) => {
			const { id } = call.website;
			return paginate(
				call,
				`/websites/${id}/imports`,
				listImportsQuery,
				async ({ page, per_page: perPage }) => {
					const { imports, total } = await listImports(postgres, id, { page, perPage });
					return { records: imports.map(toRecord), total };
				},
			);
		},
	},
	{
		methods: ['POST'],
		path: '/websites/:id/imports',
		action: 'website.import',
		operationId: 'createImport',
		summary: 'Upload a file to import',
		description:
			'The request body is the file, up to 1 GB; pending files of an account can have up to 2 GB. The response previews what would be imported and what would be left out. Nothing is imported until you start it, and the file is deleted after a day.',
		query: createImportQuery,
		isUpload: true,
		response: { status: 201, schema: singleRecord(importRecord), description: 'The preview of the import.' },
		errors: [
			'bad_request',
			'not_found',
			'idempotency_conflict',
			'precondition_failed',
			'body_too_large',
			'validation_failed',
			'limit_reached',
		],
		handle: create,
	},
	{
		methods: ['GET'],
		path: '/websites/:id/imports/:item_id',
		action: 'website.settings',
		operationId: 'getImport',
		summary: 'Get an import',
		description: 'Returns the progress and the result of an import.',
		response: { status: 200, schema: singleRecord(importRecord), description: 'The import.' },
		errors: ['not_found'],
		handle: async (call, services) => json(200, { data: toRecord(await importOf(call, services)) }),
	},
	{
		methods: ['POST'],
		path: '/websites/:id/imports/:item_id/start',
		action: 'website.import',
		operationId: 'startImport',
		summary: 'Start an import',
		description:
			'Queues the import. It survives a restart of the service, and its data appears once the import is complete.',
		response: {
			status: 200,
			schema: singleRecord(importRecord),
			description: 'The queued import.',
		},
		errors: [...changeErrors, 'precondition_failed'],
		handle: async (call, services) => {
			const { id } = await importOf(call, services);
			return json(200, { data: toRecord(await startImport(services.postgres, id)) });
		},
	},
	{
		methods: ['DELETE'],
		path: '/websites/:id/imports/:item_id',
		action: 'website.import',
		operationId: 'deleteImport',
		summary: 'Undo an import',
		description:
			'Removes the imported data from all statistics immediately, and from disk soon after. Nothing else changes.',
		response: { status: 200, schema: deletedImport, description: 'The import was undone.' },
		errors: changeErrors,
		handle: async (call, services) => {
			const { id } = await importOf(call, services);
			await undoImport(services.imports, id);
			return json(200, { id, object: 'import', deleted: true });
		},
	},
];

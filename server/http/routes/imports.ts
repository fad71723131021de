import { one } from '../../../api/envelopes.ts';
import type { ErrorCode } from '../../../api/errors.ts';
import { createImportQuery, deletedImport, importRecord, listImportsAnswer } from '../../../api/imports.ts';
import { type SkipReason, skipReasons } from '../../import/importer.ts';
import {
	createImport,
	getImport,
	type Import,
	listImports,
	startImport,
	undoImport,
} from '../../import/imports.ts';
import { AppError } from '../../lib/app-error.ts';
import { getWebsite } from '../../websites/websites.ts';
import { type Answer, type Call, json, type Route, readId, type Services } from '../call.ts';
import { readParameters } from '../read-parameters.ts';

const toRecord = (found: Import) => ({
	id: found.id,
	object: 'import',
	source: found.source,
	kind: found.kind,
	state: found.state,
	fault: found.fault,
	file_name: found.fileName,
	timezone: found.zone,
	from: found.from,
	to: found.to,
	days: found.preview.days,
	events: found.preview.events,
	totals: found.preview.totals,
	dimensions: found.preview.dimensions,
	skipped: Object.entries(found.preview.skipped).map(([reason, count]) => ({
		reason,
		count,
		// Object.entries forgets that the names are those of reasons.
		means: skipReasons[reason as SkipReason],
	})),
	rows_done: found.doneRows,
	rows_total: found.totalRows,
	created_at: found.createdAt.toISOString(),
	ended_at: found.endedAt?.toISOString() ?? null,
});

/** Accounts that send a file at this moment: one at a time, because each fills the disk and reads a whole file. */
const sending = new Set<number>();

async function create(call: Call, services: Services): Promise<Answer> {
	const website = await getWebsite(services.postgres, call.principal, 'website.import', readId(call));
	const sent = readParameters(call.query, createImportQuery);
	const { upload } = call;
	if (!upload) throw new AppError('bad_request', 'The body must be the file.');
	// Who owns the website: several people and keys of one account share its turn.
	const turn = website.accountId;
	if (sending.has(turn))
		throw new AppError(
			'too_many_requests',
			'Another file of this account is being read; wait until it is done.',
			{
				retryAfterSeconds: 10,
			},
		);
	sending.add(turn);
	try {
		const made = await createImport(services.imports, {
			websiteId: website.id,
			accountId: accountOf(call),
			source: sent.source,
			fileName: sent.file_name,
			zone: sent.timezone,
			upload: await services.imports.uploads.receive(upload),
		});
		const location = `${call.mountedAt}/websites/${website.id}/imports/${made.id}`;
		return json(201, { data: toRecord(made) }, { location });
	} finally {
		sending.delete(turn);
	}
}

const accountOf = ({ principal }: Call): number | null =>
	principal.kind === 'account' || principal.kind === 'key' ? principal.accountId : null;

/** The import, if it may be changed by who calls. */
async function changed(call: Call, { postgres }: Services): Promise<Import> {
	const website = await getWebsite(postgres, call.principal, 'website.import', readId(call));
	return getImport(postgres, website.id, readId(call, 'item_id'));
}

const changeErrors: readonly ErrorCode[] = ['forbidden', 'not_found'];

export const importRoutes: readonly Route[] = [
	{
		methods: ['GET'],
		path: '/websites/:id/imports',
		action: 'website.read',
		operationId: 'listImports',
		summary: 'List imports',
		about:
			'What other products have counted and was brought here, the newest first. What was undone is not there.',
		answer: { status: 200, schema: listImportsAnswer, about: 'The imports.' },
		errors: ['not_found'],
		handle: async (call, { postgres }) =>
			json(200, { data: (await listImports(postgres, call.principal, readId(call))).map(toRecord) }),
	},
	{
		methods: ['POST'],
		path: '/websites/:id/imports',
		action: 'website.import',
		operationId: 'createImport',
		summary: 'Look at a file',
		about:
			'The body is the file, of at most 1 GB, whatever its type. It is read whole, and the answer says what it would bring and what of it is left out. Nothing is counted before it is started; after a day it is forgotten.',
		query: createImportQuery,
		isUpload: true,
		answer: { status: 201, schema: one(importRecord), about: 'What the file would bring.' },
		errors: [
			'bad_request',
			'forbidden',
			'not_found',
			'precondition_failed',
			'body_too_large',
			'validation_failed',
		],
		handle: create,
	},
	{
		methods: ['GET'],
		path: '/websites/:id/imports/:item_id',
		action: 'website.read',
		operationId: 'getImport',
		summary: 'Get an import',
		about: 'How far it is, and what it has brought.',
		answer: { status: 200, schema: one(importRecord), about: 'The import.' },
		errors: ['not_found'],
		handle: async (call, { postgres }) => {
			const website = await getWebsite(postgres, call.principal, 'website.read', readId(call));
			return json(200, { data: toRecord(await getImport(postgres, website.id, readId(call, 'item_id'))) });
		},
	},
	{
		methods: ['POST'],
		path: '/websites/:id/imports/:item_id/start',
		action: 'website.import',
		operationId: 'startImport',
		summary: 'Start an import',
		about:
			'It is brought in soon, also when the service is restarted meanwhile; nothing of it is seen before all of it is there.',
		answer: { status: 200, schema: one(importRecord), about: 'The import, which waits for its turn.' },
		errors: [...changeErrors, 'precondition_failed'],
		handle: async (call, services) => {
			const { id } = await changed(call, services);
			return json(200, { data: toRecord(await startImport(services.postgres, id)) });
		},
	},
	{
		methods: ['DELETE'],
		path: '/websites/:id/imports/:item_id',
		action: 'website.import',
		operationId: 'deleteImport',
		summary: 'Undo an import',
		about:
			'What it brought is out of every answer at once and off the disk soon after. Nothing else changes.',
		answer: { status: 200, schema: deletedImport, about: 'That it is gone.' },
		errors: changeErrors,
		handle: async (call, services) => {
			const { id } = await changed(call, services);
			await undoImport(services.imports, id);
			return json(200, { id, object: 'import', deleted: true });
		},
	},
];

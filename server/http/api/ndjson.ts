import { attachmentAs } from './csv.ts';
import type { ApiResponse } from './route.ts';

const pageSize = 500;

/** Records of any number as NDJSON. They are read page by page, as fast as the client takes them. */
export function ndjsonFile<Entry extends { id: number }>(
	words: readonly string[],
	readPage: (page: { afterId: number; count: number }) => Promise<Entry[]>,
	toRecord: (entry: Entry) => unknown,
): ApiResponse {
	return {
		status: 200,
		text: '',
		type: ndjsonType,
		headers: { 'cache-control': 'no-store', 'content-disposition': attachmentAs('ndjson', ...words) },
		file: { pieces: linesOf(readPage, toRecord), end: () => undefined },
	};
}

export const ndjsonType = 'application/x-ndjson';

async function* linesOf<Entry extends { id: number }>(
	readPage: (page: { afterId: number; count: number }) => Promise<Entry[]>,
	toRecord: (entry: Entry) => unknown,
): AsyncGenerator<Buffer> {
	let afterId = 0;
	for (;;) {
		const entries = await readPage({ afterId, count: pageSize });
		const last = entries.at(-1);
		if (!last) return;
		yield Buffer.from(entries.map((entry) => `${JSON.stringify(toRecord(entry))}\n`).join(''));
		afterId = last.id;
	}
}

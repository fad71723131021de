import { type EntryHead, type Passphrase, readBackup } from './file.ts';

export type BackupSource = { path: string; passphrase: Passphrase };
export type Report = (progress: { done: number; total: number }) => void;

/** Complete lines of one entry. The last block of an entry may be empty. */
export type Block = { entry: EntryHead; lines: Buffer; isLast: boolean };

/** Reads a backup in blocks of about the size that `blockBytes` chooses for an entry. */
export async function* readBlocks(
	{ path, passphrase }: BackupSource,
	report: Report,
	blockBytes: (entry: EntryHead) => number | 'skip' | 'stop',
): AsyncGenerator<Block> {
	let entry: EntryHead | undefined;
	let lines = collectLines(0);
	for await (const piece of readBackup(path, passphrase)) {
		report({ done: piece.position, total: piece.fileBytes });
		if ('begin' in piece) {
			const bytes = blockBytes(piece.begin);
			if (bytes === 'stop') return;
			entry = bytes === 'skip' ? undefined : piece.begin;
			if (bytes !== 'skip') lines = collectLines(bytes);
		} else if ('rows' in piece && entry) {
			const block = lines.add(piece.rows);
			if (block) yield { entry, lines: block, isLast: false };
		} else if ('end' in piece && entry) yield { entry, lines: lines.end(), isLast: true };
	}
}

/** Collects bytes until complete lines of at least `minBytes` are there. */
function collectLines(minBytes: number) {
	let pending: Buffer[] = [];
	let bytes = 0;
	return {
		add(piece: Buffer): Buffer | undefined {
			pending.push(piece);
			bytes += piece.length;
			if (bytes < minBytes || piece.lastIndexOf(10) === -1) return undefined;
			const all = Buffer.concat(pending);
			const end = all.lastIndexOf(10) + 1;
			pending = [all.subarray(end)];
			bytes = all.length - end;
			return all.subarray(0, end);
		},
		end: () => Buffer.concat(pending),
	};
}

export function countLines(bytes: Buffer): number {
	let lines = 0;
	for (let index = bytes.indexOf(10); index !== -1; index = bytes.indexOf(10, index + 1)) lines++;
	return lines;
}

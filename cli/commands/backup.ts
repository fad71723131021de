import { resolve } from 'node:path';
import type { Command } from 'commander';
import { examineBackup } from '../../server/backup/examine.ts';
import { createBackupFile, type Manifest, type Piece } from '../../server/backup/file.ts';

import { controlPath, isServed } from '../../server/control/call.ts';
import { createLog } from '../../server/lib/log.ts';
import { showProgress, size } from '../progress.ts';
import { runOperation } from '../run-operation.ts';
import { configOf, folderCommand, print, printJson } from '../settings.ts';
import { formatTable } from '../table.ts';

type Options = { data?: string; json?: boolean };

export const passphraseNote =
	'TIDEMARK_BACKUP_PASSPHRASE or TIDEMARK_BACKUP_PASSPHRASE_FILE sets the passphrase that encrypts and decrypts it.';

export function backupCommand(): Command {
	return folderCommand('backup', 'Write all data to one file, whether or not the service is running.')
		.argument('<file>', 'file to create; it must not exist yet')
		.option('--json', 'print JSON')
		.addHelpText('after', `\n${passphraseNote}`)
		.action(backup);
}

export function verifyCommand(): Command {
	return folderCommand('verify', 'Read a whole backup and verify its checksums.')
		.argument('<file>', 'a backup')
		.option('--json', 'print JSON')
		.addHelpText('after', `\n${passphraseNote}`)
		.action(verify);
}

export function restoreCommand(): Command {
	return folderCommand('restore', 'Restore a backup into an empty folder or empty servers.')
		.argument('<file>', 'a backup')
		.option('--erased-in <file>', 'a later backup; data erased by then is erased here too')
		.option('--json', 'print JSON')
		.addHelpText('after', `\n${passphraseNote}`)
		.action(restoreInto);
}

export async function backup(path: string, options: Options) {
	const config = configOf(options);
	const { backupPassphrase: passphrase } = config;
	const file = await createBackupFile(resolve(path), passphrase);
	try {
		const withSecret = passphrase !== undefined;
		// The control socket is served by this same program.
		await runOperation(config, 'backup', { withSecret }, (message) => file.take(message as Piece));
		const { bytes, manifest } = await file.finish();
		if (options.json) printJson({ file: resolve(path), bytes, encrypted: withSecret, ...countsOf(manifest) });
		else
			print(
				`Wrote ${path}: ${inWords(manifest)}, ${size(bytes)}, ${withSecret ? 'encrypted' : 'not encrypted'}.`,
			);
	} catch (error) {
		await file.discard();
		throw error;
	}
}

async function verify(path: string, options: Options) {
	const config = configOf(options);
	const progress = showProgress(size);
	const { head, manifest } = await examineBackup(resolve(path), config.backupPassphrase, progress.report);
	progress.end();
	if (options.json) {
		const { madeAt: made_at, version, postgres, clickhouse } = head;
		printJson({ file: resolve(path), made_at, version, postgres, clickhouse, entries: manifest.entries });
		return;
	}
	print(
		formatTable(
			['entry', 'rows', 'bytes', 'sha256'],
			manifest.entries.map(({ name, rows, bytes, sha256 }) => [name, rows, bytes, sha256.slice(0, 16)]),
		),
	);
	print(
		`\nValid: ${inWords(manifest)}, as of ${head.madeAt}, written by Tidemark ${head.version} ` +
			`(PostgreSQL ${head.postgres.version}, ClickHouse ${head.clickhouse.version}).`,
	);
}

async function restoreInto(path: string, options: Options & { erasedIn?: string }) {
	const config = configOf(options);
	if (await isServed(controlPath(config)))
		throw new Error(
			`Tidemark is running on ${config.dataFolder}. Stop it first, or choose another folder with --data.`,
		);
	const progress = showProgress(size);
	// Loaded only here, because it imports the whole service: --help must not wait for it.
	const { restore } = await import('../../server/main.ts');
	const { head, manifest, lockedSecondFactors } = await restore(config, {
		path: resolve(path),
		erasedIn: options.erasedIn === undefined ? undefined : resolve(options.erasedIn),
		log: createLog(config.logLevel === 'info' ? 'warn' : config.logLevel),
		report: progress.report,
	}).finally(progress.end);
	if (options.json)
		printJson({ made_at: head.madeAt, ...countsOf(manifest), locked_second_factors: lockedSecondFactors });
	else
		print(
			`Restored ${inWords(manifest)}, as of ${head.madeAt}. Start with: tidemark serve --data ${config.dataFolder}`,
		);
	if (lockedSecondFactors > 0)
		process.stderr.write(
			`${lockedSecondFactors} accounts have a second factor that is encrypted with the secret of the old installation. ` +
				`Copy its secrets/secret to ${config.dataFolder}/secrets before the first start. Otherwise these users need their recovery codes.\n`,
		);
}

const rowsOf = ({ entries }: Manifest, table: string) =>
	entries.filter((entry) => entry.table === table).reduce((sum, { rows }) => sum + rows, 0);

const countsOf = (manifest: Manifest) => ({
	websites: rowsOf(manifest, 'websites'),
	events: rowsOf(manifest, 'events'),
	log_rows: rowsOf(manifest, 'event_log'),
});

const inWords = (manifest: Manifest): string => {
	const { websites, events, log_rows } = countsOf(manifest);
	const pending = log_rows === 0 ? '' : `, plus ${log_rows} rows of the event log`;
	return `${websites} ${websites === 1 ? 'website' : 'websites'} and ${events} events${pending}`;
};

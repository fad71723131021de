import type { Command } from 'commander';
import type { TailLine } from '../../server/control/tail.ts';
import { runOperation } from '../run-operation.ts';
import { configOf, folderCommand, print, readWebsiteId } from '../settings.ts';

export function tailCommand(): Command {
	return folderCommand('tail', 'Show incoming and dropped events live. Ctrl-C ends it.')
		.option('--website <id>', 'only this website', readWebsiteId)
		.option('--json', 'print JSON, one object per line')
		.action(follow);
}

async function follow(options: { data?: string; website?: number; json?: boolean }) {
	for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(0));
	// `tidemark tail | head` closes stdout.
	process.stdout.on('error', () => process.exit(0));
	await runOperation(configOf(options), 'tail', { websiteId: options.website }, (message) => {
		// The control socket is served by this same program.
		const line = message as TailLine;
		print(stripControls(options.json ? JSON.stringify(line) : describe(line)));
	});
}

/** Visitors choose names and URLs: control characters in them could send escape sequences to the terminal. */
const stripControls = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '�');

function describe(line: TailLine): string {
	if ('skipped' in line) return `… ${line.skipped} more not shown, because the terminal is too slow.`;
	const head = `${line.time.slice(11)}  ${String(line.websiteId).padStart(4)}`;
	if ('dropped' in line) return `${head}  dropped: ${line.dropped}`;
	const what = line.kind === 'custom' ? `${line.name} ${line.path}` : line.path;
	const more = [line.source, line.country, [line.browser, line.device].filter(Boolean).join(' ')];
	return [head, line.kind.padEnd(10), what, ...more.map((word) => word || '-')].join('  ');
}

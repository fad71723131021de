import type { Command } from 'commander';
import type { TailLine } from '../../server/control/tail.ts';
import { operate } from '../operate.ts';
import { configOf, folderCommand, print, readWebsiteId } from '../settings.ts';

export function tailCommand(): Command {
	return folderCommand('tail', 'Show events and drops as they come, until Ctrl-C.')
		.option('--website <id>', 'of this website only', readWebsiteId)
		.option('--json', 'as JSON, one object a line')
		.action(follow);
}

async function follow(options: { data?: string; website?: number; json?: boolean }) {
	for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(0));
	// `tidemark tail | head` closes our end.
	process.stdout.on('error', () => process.exit(0));
	await operate(configOf(options), 'tail', { websiteId: options.website }, (said) => {
		// The other end is this same program.
		const line = said as TailLine;
		print(plain(options.json ? JSON.stringify(line) : describe(line)));
	});
}

/** Names and addresses are what somebody sent: an escape among them would speak to the terminal. */
const plain = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '�');

function describe(line: TailLine): string {
	if ('skipped' in line)
		return `… ${line.skipped} more were not shown: they came faster than this terminal reads.`;
	const head = `${line.time.slice(11)}  ${String(line.websiteId).padStart(4)}`;
	if ('dropped' in line) return `${head}  dropped: ${line.dropped}`;
	const what = line.kind === 'custom' ? `${line.name} ${line.path}` : line.path;
	const more = [line.source, line.country, [line.browser, line.device].filter(Boolean).join(' ')];
	return [head, line.kind.padEnd(10), what, ...more.map((word) => word || '-')].join('  ');
}

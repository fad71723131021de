import { basename } from 'node:path';
import { Command } from 'commander';
import { followLog, type Sent } from '../follow-log.ts';
import { keyOfEnvironment, serviceAt } from '../remote.ts';
import { readWebsiteId } from '../settings.ts';

export function followCommand(): Command {
	return new Command('follow')
		.description('Count the pages in a web server’s log as it grows, for websites without a script.')
		.argument('<file>', 'access log of nginx, Apache or Caddy')
		.requiredOption('--website <id>', 'of this website', readWebsiteId)
		.option('--url <address>', 'the service to send to', 'http://127.0.0.1:8090')
		.option('--state <file>', 'where the place in the log is kept (default: ./FILE.place)')
		.option('--all', 'begin with what is in the file, of the last seven days')
		.option('--once', 'send what is there, and end')
		.addHelpText('after', '\nThe key is read from TIDEMARK_API_KEY; one for this website alone is best.')
		.action(follow);
}

async function follow(
	path: string,
	options: { website: number; url: string; state?: string; all?: boolean; once?: boolean },
) {
	const service = serviceAt(options.url, keyOfEnvironment('that may send events'));
	const found = await service.ask(`/websites/${options.website}`);
	if (found.status !== 200)
		throw new Error(`There is no website ${options.website} for this key at ${options.url}.`);
	const leaving = new AbortController();
	for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => leaving.abort());
	const sent = await followLog({
		path,
		statePath: options.state ?? `${basename(path)}.place`,
		all: options.all ?? false,
		once: options.once ?? false,
		domain: JSON.parse(found.text).data.domain,
		post: (events) => service.post(`/websites/${options.website}/events`, { events }),
		report: (so) => (process.stderr.isTTY ? process.stderr.write(`\r${describe(so)}`) : undefined),
		say: (text) => process.stderr.write(`${text}\n`),
		signal: leaving.signal,
	});
	process.stderr.write(`${process.stderr.isTTY ? '\r' : ''}${describe(sent)}\n`);
}

const describe = ({ read, pages, accepted, dropped, refused }: Sent): string =>
	`${read} lines read, ${pages} pages: ${accepted} counted, ${dropped} dropped${refused > 0 ? `, ${refused} refused` : ''}`;

import { basename } from 'node:path';
import { Command } from 'commander';
import { followLog, type Sent } from '../follow-log.ts';
import { keyOfEnvironment, serviceAt } from '../remote.ts';
import { printError, readWebsiteId } from '../settings.ts';

export function followCommand(): Command {
	return new Command('follow')
		.description(
			'Follow a web server’s access log and count its page views, for websites without the tracker script.',
		)
		.argument('<file>', 'access log of nginx, Apache or Caddy')
		.requiredOption('--website <id>', 'id of the website', readWebsiteId)
		.option('--url <address>', 'URL of the service', 'http://127.0.0.1:8090')
		.option('--state <file>', 'file that stores the position in the log (default: ./FILE.place)')
		.option('--all', 'start with the existing lines of the last seven days')
		.option('--once', 'send the existing lines, then exit')
		.addHelpText('after', '\nThe API key is read from TIDEMARK_API_KEY. Use a key for this website only.')
		.action(follow);
}

async function follow(
	path: string,
	options: { website: number; url: string; state?: string; all?: boolean; once?: boolean },
) {
	const service = serviceAt(options.url, keyOfEnvironment('that can send events'));
	const website = await service.get(`/websites/${options.website}`);
	if (website.status !== 200)
		throw new Error(`This API key has no access to a website ${options.website} at ${options.url}.`);
	const stopping = new AbortController();
	for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
	const sent = await followLog({
		path,
		statePath: options.state ?? `${basename(path)}.place`,
		all: options.all ?? false,
		once: options.once ?? false,
		domain: JSON.parse(website.text).data.domain,
		post: (events) => service.post(`/websites/${options.website}/events`, { events }),
		report: (current) => (process.stderr.isTTY ? process.stderr.write(`\r${describe(current)}`) : undefined),
		warn: printError,
		signal: stopping.signal,
	});
	process.stderr.write(`${process.stderr.isTTY ? '\r' : ''}${describe(sent)}\n`);
}

const describe = ({ read, pages, accepted, dropped, refused }: Sent): string =>
	`${read} lines read, ${pages} page views: ${accepted} accepted, ${dropped} dropped${refused > 0 ? `, ${refused} rejected` : ''}`;

import type { Command } from 'commander';
import type { DemoSaid } from '../../server/demo/fill-demo.ts';
import { operate } from '../operate.ts';
import { passwordUrl } from '../password-url.ts';
import { configOf, folderCommand, print, printJson } from '../settings.ts';

export function demoCommand(): Command {
	return folderCommand(
		'demo',
		'Fill a website with days that tell a story; prints its id. A later run adds only what is missing.',
	)
		.option('--days <number>', 'days up to today', readDays, 90)
		.option(
			'--account <email>',
			'account that will own it (default: the only one, or a new demo@example.com)',
		)
		.option('--domain <domain>', 'domain of the website', 'example.com')
		.option('--json', 'as JSON')
		.action(fill);
}

async function fill(options: {
	data?: string;
	days: number;
	account?: string;
	domain: string;
	json?: boolean;
}) {
	const request = { email: options.account, domain: options.domain, days: options.days };
	const config = configOf(options);
	let made: string | undefined;
	const demo = await operate(config, 'demo', request, (said) => {
		// The other end is this same program.
		const { email, secret } = said as DemoSaid;
		made = email;
		say(`The account ${email} was made for it. Its API key, shown this once: ${secret}`);
	});
	if (options.json) {
		printJson({
			website_id: demo.websiteId,
			domain: demo.domain,
			account: demo.email,
			from: demo.from,
			to: demo.to,
			events: demo.events,
			added: demo.added,
		});
	} else print(String(demo.websiteId));
	say(
		`${demo.domain} of ${demo.email} has ${demo.events} events from ${demo.from} to ${demo.to}; ${demo.added} were added.`,
	);
	if (made === undefined) return;
	const url = passwordUrl(config, await operate(config, 'account.reset', { email: made }));
	say(`To look at it, set a password for ${made} within half an hour: ${url}`);
}

const say = (text: string) => process.stderr.write(`${text}\n`);

function readDays(text: string): number {
	const days = /^\d{1,4}$/.test(text) ? Number(text) : 0;
	if (days < 1 || days > 1_000) throw new Error(`"${text}" is not a number of days between 1 and 1000.`);
	return days;
}

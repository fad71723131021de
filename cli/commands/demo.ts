import type { Command } from 'commander';
import type { DemoSaid } from '../../server/demo/fill-demo.ts';
import { dashboardUrl, passwordUrl } from '../password-url.ts';
import { runOperation } from '../run-operation.ts';
import { configOf, folderCommand, print, printError, printJson } from '../settings.ts';

export function demoCommand(): Command {
	return folderCommand(
		'demo',
		'Fill a private website with demo data, goals, a funnel, segments and notes, and print its id and URL. Running it again adds only missing days.',
	)
		.option('--days <number>', 'number of days up to today', readDays, 90)
		.option(
			'--account <email>',
			'account that owns the website (default: the only account, or a new demo@example.com)',
		)
		.option('--domain <domain>', 'domain of the website', 'example.com')
		.option('--json', 'print JSON')
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
	let newEmail: string | undefined;
	const demo = await runOperation(config, 'demo', request, (message) => {
		// The control socket is served by this same program.
		const { email, secret } = message as DemoSaid;
		newEmail = email;
		printError(`Created account ${email}. API key (shown only once): ${secret}`);
	});
	const url = `${dashboardUrl(config, demo.publicAddress)}/websites/${demo.websiteId}`;
	if (options.json) {
		printJson({
			website_id: demo.websiteId,
			url,
			domain: demo.domain,
			account: demo.email,
			from: demo.from,
			to: demo.to,
			events: demo.events,
			added: demo.added,
		});
	} else print(String(demo.websiteId));
	printError(
		`${demo.domain} (${demo.email}) has ${demo.events} events from ${demo.from} to ${demo.to}; ${demo.added} added.`,
	);
	printError(`Open ${url}`);
	if (newEmail === undefined) return;
	const link = passwordUrl(config, await runOperation(config, 'account.reset', { email: newEmail }));
	printError(`To sign in, set a password for ${newEmail} within 30 minutes: ${link}`);
}

function readDays(text: string): number {
	const days = /^\d{1,4}$/.test(text) ? Number(text) : 0;
	if (days < 1 || days > 1_000) throw new Error(`"${text}" is not a number of days between 1 and 1000.`);
	return days;
}

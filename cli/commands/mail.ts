import { Command } from 'commander';
import { operate } from '../operate.ts';
import { configOf, folderCommand, print } from '../settings.ts';

export function mailCommand(): Command {
	return new Command('mail')
		.description('Try the mail server.')
		.addCommand(
			folderCommand('test', 'Send a mail by the settings in use, and say what became of it.')
				.requiredOption('--to <address>', 'whom to send it to')
				.action(test),
		);
}

async function test(options: { data?: string; to: string }) {
	const { host, port, from } = await operate(configOf(options), 'mail.test', { to: options.to });
	print(
		`${host}:${port} took a mail from ${from} to ${options.to}. Whether it arrives shows in that mailbox.`,
	);
}

import { Command } from 'commander';
import { runOperation } from '../run-operation.ts';
import { configOf, folderCommand, print } from '../settings.ts';

export function mailCommand(): Command {
	return new Command('mail')
		.description('Test the mail settings.')
		.addCommand(
			folderCommand('test', 'Send a test mail and print the result.')
				.requiredOption('--to <address>', 'recipient')
				.action(test),
		);
}

async function test(options: { data?: string; to: string }) {
	const { host, port, from } = await runOperation(configOf(options), 'mail.test', { to: options.to });
	print(`${host}:${port} accepted a mail from ${from} to ${options.to}. Check that it arrives.`);
}

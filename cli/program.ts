/** The list of commands. Each parses its options, calls one function and prints what came back. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { ConfigError } from '../server/config.ts';
import { AppError } from '../server/lib/app-error.ts';
import { packageFolder } from '../server/main.ts';
import { accountCommand } from './commands/account.ts';
import { configCommand } from './commands/config.ts';
import { keyCommand } from './commands/key.ts';
import { serveCommand } from './commands/serve.ts';
import { websiteCommand } from './commands/website.ts';

const { version }: { version: string } = JSON.parse(
	readFileSync(join(packageFolder, 'package.json'), 'utf8'),
);

const program = new Command('tidemark')
	.description('Website statistics that you run yourself.')
	.version(version, '-V, --version', 'show the version')
	.helpOption('-h, --help', 'show this help')
	.showHelpAfterError('Run with --help to see what there is.')
	.addCommand(serveCommand())
	.addCommand(accountCommand())
	.addCommand(keyCommand())
	.addCommand(websiteCommand())
	.addCommand(configCommand());

export async function runProgram(): Promise<void> {
	try {
		await program.parseAsync();
	} catch (error) {
		process.stderr.write(`${explain(error)}\n`);
		process.exitCode = 1;
	}
}

function explain(error: unknown): string {
	if (error instanceof ConfigError) {
		return `Tidemark cannot start with these settings:\n${error.faults.map((fault) => `  - ${fault}`).join('\n')}\n\`tidemark config\` shows all settings.`;
	}
	if (error instanceof AppError || process.env.TIDEMARK_LOG_LEVEL !== 'debug') {
		const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : '';
		return `${error instanceof Error ? error.message : error}${cause}`;
	}
	return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

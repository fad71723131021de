/** The list of commands. Each parses its options, calls one function and prints what came back. */
import { Command } from 'commander';
import type { FieldErrors } from '../api/errors.ts';
import { ConfigError } from '../server/config.ts';
import { AppError } from '../server/lib/app-error.ts';
import { version } from '../server/main.ts';
import { accountCommand } from './commands/account.ts';
import { archiveCommand } from './commands/archive.ts';
import { backupCommand, restoreCommand, verifyCommand } from './commands/backup.ts';
import { checkCommand } from './commands/check.ts';
import { configCommand } from './commands/config.ts';
import { deadLettersCommand } from './commands/dead-letters.ts';
import { demoCommand } from './commands/demo.ts';
import { doctorCommand } from './commands/doctor.ts';
import { exportCommand } from './commands/export.ts';
import { followCommand } from './commands/follow.ts';
import { importCommand, importsCommand } from './commands/import.ts';
import { keyCommand } from './commands/key.ts';
import { mailCommand } from './commands/mail.ts';
import { mcpCommand } from './commands/mcp.ts';
import { rebuildCommand } from './commands/rebuild.ts';
import { reportCommand } from './commands/report.ts';
import { serveCommand } from './commands/serve.ts';
import { tailCommand } from './commands/tail.ts';
import { upgradeCommand } from './commands/upgrade.ts';
import { websiteCommand } from './commands/website.ts';

const program = new Command('tidemark')
	.description('Website statistics that you run yourself.')
	.version(version, '-V, --version', 'show the version')
	.helpOption('-h, --help', 'show this help')
	.showHelpAfterError('Run with --help to see what there is.')
	.addCommand(serveCommand())
	.addCommand(accountCommand())
	.addCommand(keyCommand())
	.addCommand(websiteCommand())
	.addCommand(mailCommand())
	.addCommand(reportCommand())
	.addCommand(followCommand())
	.addCommand(mcpCommand())
	.addCommand(demoCommand())
	.addCommand(tailCommand())
	.addCommand(importCommand())
	.addCommand(importsCommand())
	.addCommand(rebuildCommand())
	.addCommand(checkCommand())
	.addCommand(doctorCommand())
	.addCommand(deadLettersCommand())
	.addCommand(exportCommand())
	.addCommand(backupCommand())
	.addCommand(verifyCommand())
	.addCommand(restoreCommand())
	.addCommand(archiveCommand())
	.addCommand(upgradeCommand())
	.addCommand(configCommand());

shareSettings(program);

/** Commander hands its settings only to commands that it has made itself. */
function shareSettings(parent: Command): void {
	for (const command of parent.commands) {
		command.copyInheritedSettings(parent);
		shareSettings(command);
	}
}

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
	if (error instanceof AppError && error.errors) return listFaults(error.message, error.errors);
	if (error instanceof AppError || process.env.TIDEMARK_LOG_LEVEL !== 'debug') {
		const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : '';
		return `${error instanceof Error ? error.message : error}${cause}`;
	}
	return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

const maxFaults = 20;

/** Everything that is wrong, a line each: a list of a thousand domains is not mended one run at a time. */
function listFaults(message: string, errors: FieldErrors): string {
	const faults = Object.entries(errors).flatMap(([name, messages]) =>
		messages.map((text) => [name, text] as const),
	);
	if (faults.length === 1 && faults[0]?.[1] === message) return message;
	const lines = faults.slice(0, maxFaults).map(([name, text]) => `  - ${name}: ${text}`);
	if (faults.length > maxFaults) lines.push(`  … and ${faults.length - maxFaults} more.`);
	const heading = faults.some(([, text]) => text === message) ? 'This cannot be done:' : message;
	return [heading, ...lines].join('\n');
}

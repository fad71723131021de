/** The list of commands. Each parses its options, calls one function and prints what came back. */
import { Command } from 'commander';
import type { FieldErrors } from '../api/errors.ts';
import { ConfigError } from '../server/config.ts';
import { AppError } from '../server/lib/app-error.ts';
import { version } from '../server/lib/package.ts';

/** By their names, in the order of the help. Each is loaded when it is called: most need little of what others need. */
const commands: Record<string, () => Promise<Command>> = {
	serve: async () => (await import('./commands/serve.ts')).serveCommand(),
	account: async () => (await import('./commands/account.ts')).accountCommand(),
	key: async () => (await import('./commands/key.ts')).keyCommand(),
	website: async () => (await import('./commands/website.ts')).websiteCommand(),
	mail: async () => (await import('./commands/mail.ts')).mailCommand(),
	report: async () => (await import('./commands/report.ts')).reportCommand(),
	follow: async () => (await import('./commands/follow.ts')).followCommand(),
	mcp: async () => (await import('./commands/mcp.ts')).mcpCommand(),
	demo: async () => (await import('./commands/demo.ts')).demoCommand(),
	tail: async () => (await import('./commands/tail.ts')).tailCommand(),
	import: async () => (await import('./commands/import.ts')).importCommand(),
	imports: async () => (await import('./commands/import.ts')).importsCommand(),
	rebuild: async () => (await import('./commands/rebuild.ts')).rebuildCommand(),
	check: async () => (await import('./commands/check.ts')).checkCommand(),
	doctor: async () => (await import('./commands/doctor.ts')).doctorCommand(),
	'dead-letters': async () => (await import('./commands/dead-letters.ts')).deadLettersCommand(),
	export: async () => (await import('./commands/export.ts')).exportCommand(),
	backup: async () => (await import('./commands/backup.ts')).backupCommand(),
	verify: async () => (await import('./commands/backup.ts')).verifyCommand(),
	restore: async () => (await import('./commands/backup.ts')).restoreCommand(),
	archive: async () => (await import('./commands/archive.ts')).archiveCommand(),
	upgrade: async () => (await import('./commands/upgrade.ts')).upgradeCommand(),
	config: async () => (await import('./commands/config.ts')).configCommand(),
};

/** The command that was called; all of them for who wants to see what there is, or has mistyped one. */
function loadCommands(called: string | undefined): Promise<Command[]> {
	const one = called !== undefined && Object.hasOwn(commands, called) ? commands[called] : undefined;
	const isVersion = called === '-V' || called === '--version';
	const wanted = one ? [one] : isVersion ? [] : Object.values(commands);
	return Promise.all(wanted.map((load) => load()));
}

/** Commander hands its settings only to commands that it has made itself. */
function shareSettings(parent: Command): void {
	for (const command of parent.commands) {
		command.copyInheritedSettings(parent);
		shareSettings(command);
	}
}

export async function runProgram(): Promise<void> {
	const program = new Command('tidemark')
		.description('Website statistics that you run yourself.')
		.version(version, '-V, --version', 'show the version')
		.helpOption('-h, --help', 'show this help')
		.showHelpAfterError('Run with --help to see what there is.');
	for (const command of await loadCommands(process.argv[2])) program.addCommand(command);
	shareSettings(program);
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

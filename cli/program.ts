/** The list of commands. */
import { Command } from 'commander';
import { version } from '../server/lib/package.ts';
import { reportFailure } from './explain.ts';

/** In the order of the help. Each command is loaded only when it is called, to start quickly. */
const commands: Record<string, () => Promise<Command>> = {
	serve: async () => (await import('./commands/serve.ts')).serveCommand(),
	account: async () => (await import('./commands/account.ts')).accountCommand(),
	key: async () => (await import('./commands/key.ts')).keyCommand(),
	operator: async () => (await import('./commands/operator.ts')).operatorCommand(),
	signup: async () => (await import('./commands/signup.ts')).signupCommand(),
	oidc: async () => (await import('./commands/oidc.ts')).oidcCommand(),
	policy: async () => (await import('./commands/policy.ts')).policyCommand(),
	website: async () => (await import('./commands/website.ts')).websiteCommand(),
	mail: async () => (await import('./commands/mail.ts')).mailCommand(),
	report: async () => (await import('./commands/report.ts')).reportCommand(),
	follow: async () => (await import('./commands/follow.ts')).followCommand(),
	mcp: async () => (await import('./commands/mcp.ts')).mcpCommand(),
	geo: async () => (await import('./commands/geo.ts')).geoCommand(),
	demo: async () => (await import('./commands/demo.ts')).demoCommand(),
	tail: async () => (await import('./commands/tail.ts')).tailCommand(),
	import: async () => (await import('./commands/import.ts')).importCommand(),
	imports: async () => (await import('./commands/import.ts')).importsCommand(),
	rules: async () => (await import('./commands/rules.ts')).rulesCommand(),
	rebuild: async () => (await import('./commands/rebuild.ts')).rebuildCommand(),
	check: async () => (await import('./commands/check.ts')).checkCommand(),
	doctor: async () => (await import('./commands/doctor.ts')).doctorCommand(),
	'dead-letters': async () => (await import('./commands/dead-letters.ts')).deadLettersCommand(),
	export: async () => (await import('./commands/export.ts')).exportCommand(),
	backup: async () => (await import('./commands/backup.ts')).backupCommand(),
	verify: async () => (await import('./commands/backup.ts')).verifyCommand(),
	restore: async () => (await import('./commands/backup.ts')).restoreCommand(),
	repair: async () => (await import('./commands/repair.ts')).repairCommand(),
	archive: async () => (await import('./commands/archive.ts')).archiveCommand(),
	upgrade: async () => (await import('./commands/upgrade.ts')).upgradeCommand(),
	config: async () => (await import('./commands/config.ts')).configCommand(),
};

/** The named command; all commands for the help and for unknown names. */
function loadCommands(name: string | undefined): Promise<Command[]> {
	const command = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined;
	const isVersion = name === '-V' || name === '--version';
	const wanted = command ? [command] : isVersion ? [] : Object.values(commands);
	return Promise.all(wanted.map((load) => load()));
}

/** Commander passes its settings only to commands that it creates itself. */
function shareSettings(parent: Command): void {
	for (const command of parent.commands) {
		command.copyInheritedSettings(parent);
		shareSettings(command);
	}
}

export async function runProgram(): Promise<void> {
	const program = new Command('tidemark')
		.description('Self-hosted website statistics.')
		.version(version, '-V, --version', 'show the version')
		.helpOption('-h, --help', 'show this help')
		.showHelpAfterError('Run with --help for usage.');
	for (const command of await loadCommands(process.argv[2])) program.addCommand(command);
	shareSettings(program);
	// The reader of stdout may exit, as `head` does. The service continues; a command has nothing left to do.
	process.stdout.on('error', () => {
		if (process.argv[2] !== 'serve') process.exit(0);
	});
	try {
		await program.parseAsync();
	} catch (error) {
		reportFailure(error);
		process.exitCode = 1;
	}
}

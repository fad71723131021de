import type { Command } from 'commander';
import type { Finding } from '../../api/doctor.ts';
import { ConfigError } from '../../server/config.ts';
import { runOperation } from '../run-operation.ts';
import { configOf, folderCommand, print, printJson } from '../settings.ts';

export function doctorCommand(): Command {
	return folderCommand(
		'doctor',
		'Check settings, machine, databases and data, with advice. Exits with 1 if there is a problem.',
	)
		.option('--json', 'print JSON')
		.action(doctor);
}

async function doctor(options: { data?: string; json?: boolean }) {
	const findings = await examine(options);
	const problems = findings.filter(({ state }) => state === 'problem').length;
	const notices = findings.filter(({ state }) => state === 'notice').length;
	if (problems > 0) process.exitCode = 1;
	if (options.json) return printJson({ findings });
	for (const { check, state, what, advice } of findings) {
		print(`${state.padEnd(8)} ${check.replace('_', ' ').padEnd(13)} ${what}`);
		if (advice !== null) print(`${' '.repeat(23)}→ ${advice}`);
	}
	const fine = findings.length - problems - notices;
	print(`\n${inWords(problems, 'problem')}, ${inWords(notices, 'notice')}, ${fine} ok.`);
}

const inWords = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`;

/** Databases that cannot be opened are a finding too. */
async function examine(options: { data?: string }): Promise<Finding[]> {
	const config = configOf(options);
	try {
		return (await runOperation(config, 'doctor', {})).findings;
	} catch (error) {
		if (error instanceof ConfigError) throw error;
		const reason = error instanceof Error ? error.message : String(error);
		return [
			{
				check: 'engines',
				state: 'problem',
				what: `The databases of ${config.dataFolder} could not be opened: ${reason}`,
				advice: 'Fix this first. `tidemark config` shows which databases are configured.',
			},
		];
	}
}

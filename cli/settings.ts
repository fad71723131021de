import { Command } from 'commander';
import { type Config, readConfig } from '../server/config.ts';

/** A command with the option --data. */
export function folderCommand(name: string, description: string): Command {
	return new Command(name)
		.description(description)
		.option('--data <folder>', 'data folder (default: ./data)');
}

export type ServeOptions = { data?: string; port?: string; host?: string; role?: string; workers?: string };

export function configOf(options: ServeOptions): Config {
	const { data: dataFolder, port, host, role: roles, workers } = options;
	return readConfig(process.env, { dataFolder, port, host, roles, workers });
}

export function readWebsiteId(text: string): number {
	if (!/^[1-9]\d{0,9}$/.test(text)) throw new Error(`"${text}" is not a website id.`);
	return Number(text);
}

export function readDate(text: string): string {
	const isDate = /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`));
	if (!isDate || new Date(`${text}T00:00:00Z`).toISOString().slice(0, 10) !== text)
		throw new Error(`"${text}" is not a date such as 2026-11-01.`);
	return text;
}

export const print = (text: string): void => {
	process.stdout.write(`${text}\n`);
};

/** Messages for a person go to stderr, so that stdout holds only the result. */
export const printError = (text: string): void => {
	process.stderr.write(`${text}\n`);
};

export const printJson = (value: unknown): void => print(JSON.stringify(value));

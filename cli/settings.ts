import { Command } from 'commander';
import { type Config, readConfig } from '../server/config.ts';

/** A command that works on a data folder. */
export function folderCommand(name: string, description: string): Command {
	return new Command(name)
		.description(description)
		.option('--data <folder>', 'data folder (default: ./data)');
}

export function configOf(options: { data?: string; port?: string; host?: string }): Config {
	return readConfig(process.env, { dataFolder: options.data, port: options.port, host: options.host });
}

export const print = (text: string): void => {
	process.stdout.write(`${text}\n`);
};

export const printJson = (value: unknown): void => print(JSON.stringify(value));

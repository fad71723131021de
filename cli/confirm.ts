import { createInterface } from 'node:readline/promises';

/** Asks the user to type a word before data is deleted. */
export async function confirm(warning: string, word: string): Promise<boolean> {
	if (!process.stdin.isTTY) throw new Error(`${warning} stdin is not a terminal; pass --yes to confirm.`);
	const terminal = createInterface({ input: process.stdin, output: process.stderr });
	const typed = await terminal.question(`${warning}\nType ${word} to confirm: `);
	terminal.close();
	if (typed.trim() === word) return true;
	process.stderr.write('Nothing was changed.\n');
	return false;
}

import { createInterface } from 'node:readline/promises';

/** Asks for a word to be typed before something is lost. Without a terminal nobody can answer: that is a no. */
export async function confirm(warning: string, word: string): Promise<boolean> {
	if (!process.stdin.isTTY)
		throw new Error(`${warning} Nobody is here to confirm it; add --yes to do it all the same.`);
	const terminal = createInterface({ input: process.stdin, output: process.stderr });
	const typed = await terminal.question(`${warning}\nType ${word} to go on: `);
	terminal.close();
	if (typed.trim() === word) return true;
	process.stderr.write('Nothing was changed.\n');
	return false;
}

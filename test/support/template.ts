/**
 * Stores as a first start makes them: empty and up to date. A run of many files makes them once, and each world begins with a
 * copy, which costs a tenth of the time. How a first start goes is tried by test/package and others that begin
 * with a folder of their own.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';

/** On a server it is the database that others are copied from. */
export const templateDatabase = 'tidemark_template';

/** Puts the template of this run into a folder that is empty or not there; without a template it stays so. */
export function copyTemplate(folder: string): void {
	const template = process.env.TEST_TEMPLATE;
	if (!template) return;
	mkdirSync(folder, { recursive: true });
	// Owners and modes too: PostgreSQL refuses a folder that others can read.
	execFileSync('cp', ['-a', `${template}/.`, folder]);
}

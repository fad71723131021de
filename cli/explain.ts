/** Error messages of failed commands. */
import { userInfo } from 'node:os';
import type { FieldErrors } from '../api/errors.ts';
import { ConfigError } from '../server/config.ts';
import { AppError } from '../server/lib/app-error.ts';
import { createLog } from '../server/lib/log.ts';

/** A service that failed to start says so in the format of its log. On a terminal that is a plain sentence. */
export function reportFailure(error: unknown): void {
	const text = explain(error);
	if (process.argv[2] === 'serve' && !process.stderr.isTTY) createLog('fatal').fatal(text);
	else process.stderr.write(`${text}\n`);
}

function explain(error: unknown): string {
	if (error instanceof ConfigError) {
		return `Invalid settings:\n${error.faults.map((fault) => `  - ${fault}`).join('\n')}\n\`tidemark config\` shows all settings.`;
	}
	if (error instanceof AppError && error.errors) return listFaults(error.message, error.errors);
	if (!(error instanceof AppError) && process.env.TIDEMARK_LOG_LEVEL === 'debug' && error instanceof Error)
		return error.stack ?? error.message;
	const sentence = explainSystemError(error);
	if (sentence !== undefined) return sentence;
	const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : '';
	return `${error instanceof Error ? error.message : error}${cause}`;
}

/** Adds advice to the codes of system errors. */
function explainSystemError(error: unknown): string | undefined {
	if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) return undefined;
	const { code, syscall } = error;
	const path = 'path' in error && typeof error.path === 'string' ? error.path : 'a file';
	const reason = `(${code}, ${syscall})`;
	switch (code) {
		case 'EACCES':
		case 'EPERM':
			return `The user ${userInfo().username} has no permission for ${path} ${reason}. Change its owner with chown, or choose another path.`;
		case 'EROFS':
			return `${path} is on a read-only file system ${reason}. Choose another path, or mount it writable.`;
		case 'ENOSPC':
		case 'EDQUOT':
			return `The disk of ${path} is full ${reason}. Free some space and try again.`;
		case 'ENOTDIR':
		case 'EEXIST':
			return `${path} cannot be created because part of the path is a file ${reason}. Choose another path.`;
		case 'EMFILE':
		case 'ENFILE':
			return `Too many files are open ${reason}. Raise the limit with \`ulimit -n 65536\` and try again.`;
		case 'EPIPE':
		case 'ECONNRESET':
		case 'ECONNREFUSED':
			return `A database closed the connection ${reason}. Try again; for the cause see the log and postgres.log in the data folder.`;
		default:
			return undefined;
	}
}

const maxFaults = 20;

/** Lists all errors, one per line, so that a long list of domains can be fixed in one go. */
function listFaults(message: string, errors: FieldErrors): string {
	const faults = Object.entries(errors).flatMap(([name, messages]) =>
		messages.map((text) => [name, text] as const),
	);
	if (faults.length === 1 && faults[0]?.[1] === message) return message;
	const lines = faults.slice(0, maxFaults).map(([name, text]) => `  - ${name}: ${text}`);
	if (faults.length > maxFaults) lines.push(`  … and ${faults.length - maxFaults} more.`);
	const heading = faults.some(([, text]) => text === message) ? 'Invalid input:' : message;
	return [heading, ...lines].join('\n');
}

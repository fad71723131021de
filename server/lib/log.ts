import { type Logger, pino } from 'pino';
import { prettyLine } from './pretty-log.ts';

export type Log = Logger;

/** `auto` is `text` if stderr is a terminal, else `json`. */
export type LogFormat = 'auto' | 'json' | 'text';

/**
 * Logs one JSON object or one line of text per entry to stderr. Lines contain ids, but no bodies, headers or IP addresses. The
 * redaction is a second line of defense, in case a request or an error with such data is logged.
 */
export function createLog(level: string, write?: (line: string) => void, format: LogFormat = 'auto'): Log {
	const destination = write ? { write } : openStandardError();
	const isTerminal = !write && process.stderr.isTTY === true;
	const isText = format === 'text' || (format === 'auto' && isTerminal);
	const options = { isColored: isTerminal && process.stderr.hasColors(), hasStacks: level === 'debug' };
	return pino(
		{
			level,
			base: null,
			timestamp: pino.stdTimeFunctions.isoTime,
			formatters: { level: (label) => ({ level: label }) },
			redact: {
				paths: secretNames.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
				censor: '[redacted]',
			},
			serializers: { error: describeError },
		},
		{
			write: (line: string) => {
				const redacted = line.replace(keyPattern, 'tm_[redacted]').replace(emailPattern, '[email]');
				destination.write(isText ? prettyLine(redacted, options) : redacted);
			},
		},
	);
}

/** Lines that cannot be written, for example to a full disk, are dropped above this buffer size. */
function openStandardError() {
	const destination = pino.destination({ dest: 2, sync: true, maxLength: 1_048_576 });
	destination.on('error', () => undefined);
	return destination;
}

const secretNames = [
	'password',
	'authorization',
	'Authorization',
	'cookie',
	'secret',
	'key',
	'token',
	'parameters',
];

/** API keys in any field. */
const keyPattern = /\btm(?:op)?_[0-9A-Za-z]{20,}/g;

/**
 * Email addresses in any field, because mail servers and databases quote them in errors. Without the length limits of the
 * standards, matching a long text would take quadratic time.
 */
const emailPattern = /[^\s"'`<>()[\]{},;:\\/=]{1,64}@[^\s"'`<>()[\]{},;:\\/]{1,253}\.[a-z0-9-]{2,63}/gi;

/** Without PostgreSQL's `detail`, which quotes the values of the row. */
function describeError(error: unknown): unknown {
	if (!(error instanceof Error)) return { message: String(error) };
	const code = 'code' in error ? error.code : undefined;
	const cause = error.cause === undefined ? undefined : describeError(error.cause);
	return { name: error.name, message: error.message, code, stack: error.stack, cause };
}

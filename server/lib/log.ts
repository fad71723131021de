import { type Logger, pino } from 'pino';

export type Log = Logger;

/**
 * One JSON object a line, on standard error; standard output is for what a person reads.
 * Lines name things by id and never hold a body, a header or an address. The redaction below is the second
 * line of defence, for the day somebody logs a request or an error that carries one.
 */
export function createLog(level: string, write?: (line: string) => void): Log {
	const destination = write ? { write } : openStandardError();
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
		{ write: (line: string) => destination.write(line.replace(keyPattern, 'tm_[redacted]')) },
	);
}

/** A full disk costs lines, not the service: those that cannot be written are dropped once so many bytes wait. */
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

/** Any API key that found its way into a line, whatever member it is in. */
const keyPattern = /\btm_[0-9A-Za-z]{20,}/g;

/** What may be told of an error: PostgreSQL's `detail` quotes the values of the row and is left out. */
function describeError(error: unknown): unknown {
	if (!(error instanceof Error)) return { message: String(error) };
	const code = 'code' in error ? error.code : undefined;
	const cause = error.cause === undefined ? undefined : describeError(error.cause);
	return { name: error.name, message: error.message, code, stack: error.stack, cause };
}

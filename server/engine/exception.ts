/** An error in ClickHouse's format, so that the client throws its ClickHouseError. */
export class Exception extends Error {
	readonly code: number;
	readonly type: string;

	constructor(type: ExceptionType, message: string) {
		super(message);
		this.code = exceptionTypes[type].code;
		this.type = type;
	}
}

/** Codes from ClickHouse's src/Common/ErrorCodes.cpp, and the statuses of its HTTP handler. */
export const exceptionTypes = {
	UNSUPPORTED_METHOD: { code: 1, status: 501 },
	BAD_ARGUMENTS: { code: 36, status: 400 },
	NOT_IMPLEMENTED: { code: 48, status: 501 },
	SYNTAX_ERROR: { code: 62, status: 400 },
	TIMEOUT_EXCEEDED: { code: 159, status: 500 },
	TOO_MANY_SIMULTANEOUS_QUERIES: { code: 202, status: 503 },
	QUERY_WITH_SAME_ID_IS_ALREADY_RUNNING: { code: 216, status: 500 },
	QUERY_WAS_CANCELLED: { code: 394, status: 500 },
	SETTING_CONSTRAINT_VIOLATION: { code: 452, status: 500 },
	BAD_QUERY_PARAMETER: { code: 457, status: 400 },
	UNKNOWN_QUERY_PARAMETER: { code: 456, status: 400 },
	ACCESS_DENIED: { code: 497, status: 403 },
	AUTHENTICATION_FAILED: { code: 516, status: 403 },
} satisfies Record<string, { code: number; status: number }>;

export type ExceptionType = keyof typeof exceptionTypes;

export type ExceptionResponse = { code: number; status: number; text: string };

/** The HTTP response for an error of ours, of the engine, or of the endpoint itself. */
export function describeException(thrown: unknown): ExceptionResponse {
	if (thrown instanceof Exception) {
		const { code, message, type } = thrown;
		const status = Object.entries(exceptionTypes).find(([name]) => name === type)?.[1].status ?? 500;
		return { code, status, text: `Code: ${code}. DB::Exception: ${message} (${type})\n` };
	}
	const message = thrown instanceof Error ? thrown.message : String(thrown);
	// The engine's text, optionally after chDB's prefix 'Query failed: '.
	const start = message.search(/Code: \d+\. /);
	if (start >= 0) {
		const text = message.slice(start);
		return {
			code: Number(/\d+/.exec(text)?.[0]),
			status: 500,
			text: text.endsWith('\n') ? text : `${text}\n`,
		};
	}
	return { code: 49, status: 500, text: `Code: 49. DB::Exception: ${message} (LOGICAL_ERROR)\n` };
}

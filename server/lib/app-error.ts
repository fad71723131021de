import type { ErrorCode, FieldErrors } from '../../api/errors.ts';

/** An error that a client can cause. All other errors are bugs or outages. */
export class AppError extends Error {
	readonly code: ErrorCode;
	readonly errors: FieldErrors | undefined;
	/** Additional fields of the response body, such as `website_id` for a domain that is taken. */
	readonly members: Readonly<Record<string, unknown>>;
	readonly retryAfterSeconds: number | undefined;

	constructor(
		code: ErrorCode,
		message: string,
		more: { errors?: FieldErrors; members?: Record<string, unknown>; retryAfterSeconds?: number } = {},
	) {
		// No stack trace: clients can cause thousands of these per second, and the trace was the main cost of rejecting a hit.
		const { stackTraceLimit } = Error;
		Error.stackTraceLimit = 0;
		super(message);
		Error.stackTraceLimit = stackTraceLimit;
		this.name = 'AppError';
		this.code = code;
		this.errors = more.errors;
		this.members = more.members ?? {};
		this.retryAfterSeconds = more.retryAfterSeconds;
	}
}

/** A 422 for one or more fields. Its message is the first error, because most clients show one line. */
export function invalid(errors: FieldErrors): AppError {
	const first = Object.values(errors)[0]?.[0] ?? 'The request is not valid.';
	return new AppError('validation_failed', first, { errors });
}

export type Faults = ReturnType<typeof gatherFaults>;

/** Collects the field errors of several steps, so that all are reported at once. */
export function gatherFaults() {
	// Without a prototype, because a field may be called `constructor`. Only the first error of a field is kept.
	const errors: FieldErrors = Object.create(null);
	const add = (more: FieldErrors): void => {
		for (const [field, messages] of Object.entries(more)) errors[field] ??= messages;
	};
	const attempt = <Result>(work: () => Result): Result | undefined => {
		try {
			return work();
		} catch (error) {
			if (!(error instanceof AppError) || !error.errors) throw error;
			add(error.errors);
			return undefined;
		}
	};
	/** Throws if any step had an error. */
	const end = (): void => {
		if (Object.keys(errors).length > 0) throw invalid(errors);
	};
	return {
		add,
		attempt,
		end,
		/** Runs the last step and returns its result. Throws if any step had an error. */
		last<Result>(work: () => Result): Result {
			const result = attempt(() => ({ value: work() }));
			end();
			if (!result) throw new Error('A step without errors has no result.');
			return result.value;
		},
	};
}

import type { ErrorCode, FieldErrors } from '../../api/errors.ts';

/** A refusal that a caller can cause. Everything else that is thrown is a bug or an outage. */
export class AppError extends Error {
	readonly code: ErrorCode;
	readonly errors: FieldErrors | undefined;
	/** Further members of the body, such as `website_id` of a domain that is taken. */
	readonly members: Readonly<Record<string, unknown>>;
	/** When it may be worth another try. */
	readonly retryAfterSeconds: number | undefined;

	constructor(
		code: ErrorCode,
		message: string,
		more: { errors?: FieldErrors; members?: Record<string, unknown>; retryAfterSeconds?: number } = {},
	) {
		// What a caller causes, a caller can cause a thousand times a second, and nobody asks where it was thrown: a walk
		// up the stack was the dearest part of refusing a hit.
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

/** A 422 over one or several fields; its text is the first fault, as most clients show one line. */
export function invalid(errors: FieldErrors): AppError {
	const first = Object.values(errors)[0]?.[0] ?? 'The request is not valid.';
	return new AppError('validation_failed', first, { errors });
}

/** For work in several parts: what is wrong in each of them is told at once. */
export function gatherFaults() {
	const errors: FieldErrors = {};
	return {
		attempt<Result>(work: () => Result): Result | undefined {
			try {
				return work();
			} catch (error) {
				if (!(error instanceof AppError) || !error.errors) throw error;
				Object.assign(errors, error.errors);
				return undefined;
			}
		},
		/** Throws if any part had a fault. */
		end(): void {
			if (Object.keys(errors).length > 0) throw invalid(errors);
		},
	};
}

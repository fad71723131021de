import { errorCodes, statusTitles } from '../../api/errors.ts';
import { AppError } from '../lib/app-error.ts';
import { acceptedTypes } from './read-body.ts';

export type Problem = { status: number; text: string; headers: Record<string, string> };

/** The one body of every error. Only an AppError says more than its status. */
export function describeProblem(error: AppError): Problem {
	const status = errorCodes[error.code];
	const text = JSON.stringify({
		type: 'about:blank',
		title: statusTitles[status],
		status,
		code: error.code,
		detail: error.message,
		message: error.message,
		...(error.errors ? { errors: error.errors } : {}),
		...error.members,
	});
	const headers: Record<string, string> = {};
	if (error.code === 'unauthenticated') headers['www-authenticate'] = 'Bearer';
	if (error.code === 'unsupported_media_type') headers['accept-post'] = acceptedTypes;
	// Long enough for PostgreSQL to be up again, short enough for a page that is still open.
	if (error.code === 'unavailable') headers['retry-after'] = '2';
	if (error.retryAfterSeconds !== undefined) headers['retry-after'] = String(error.retryAfterSeconds);
	return { status, text, headers };
}

/** What the framework and the parser below it refuse, in our own words. Anything else is a bug or an outage. */
export function asAppError(error: unknown): AppError | undefined {
	if (error instanceof AppError) return error;
	const code = error instanceof Error && 'code' in error ? error.code : undefined;
	switch (code) {
		case 'FST_ERR_CTP_BODY_TOO_LARGE':
			return new AppError(
				'body_too_large',
				'The body is larger than this address takes: 1 MiB below /api, 64 KiB for a hit.',
			);
		case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
			return new AppError('unsupported_media_type', `A body must be ${acceptedTypes.replace(', ', ' or ')}.`);
		case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
		case 'FST_ERR_BAD_URL':
			return new AppError('bad_request', 'The request is not well formed.');
		default:
			return undefined;
	}
}

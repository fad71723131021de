import { errorCodes, statusTitles } from '../../../api/errors.ts';
import { AppError } from '../../lib/app-error.ts';
import { acceptedTypes } from './read-body.ts';

export type Problem = { status: number; text: string; headers: Record<string, string> };

/** The body of every error response. */
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
	// Long enough for PostgreSQL to restart, short enough for an open page.
	if (error.code === 'unavailable') headers['retry-after'] = '2';
	if (error.retryAfterSeconds !== undefined) headers['retry-after'] = String(error.retryAfterSeconds);
	return { status, text, headers };
}

/** Translates errors of Fastify and the HTTP parser. Anything else is a bug or an outage. */
export function asAppError(error: unknown): AppError | undefined {
	if (error instanceof AppError) return error;
	const code = error instanceof Error && 'code' in error ? error.code : undefined;
	switch (code) {
		case 'FST_ERR_CTP_BODY_TOO_LARGE':
			return new AppError(
				'body_too_large',
				'The body is too large. The limit is 1 MiB for the API and 64 KiB for hits.',
			);
		case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
			return new AppError('unsupported_media_type', `A body must be ${acceptedTypes.replace(', ', ' or ')}.`);
		case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
		case 'FST_ERR_BAD_URL':
			return new AppError('bad_request', 'The request is malformed.');
		default:
			// Any other client error that Fastify reports.
			return typeof code === 'string' && code.startsWith('FST_ERR_') && isClientError(error)
				? new AppError('bad_request', 'The request is malformed.')
				: undefined;
	}
}

const isClientError = (error: unknown): boolean => {
	const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
	return status >= 400 && status < 500;
};

/** Every refusal a caller can meet, with its HTTP status. Nothing else is answered on purpose. */
export const errorCodes = {
	bad_request: 400,
	unauthenticated: 401,
	sign_in_failed: 401,
	code_needed: 401,
	password_needed: 401,
	forbidden: 403,
	address_unconfirmed: 403,
	second_factor_required: 403,
	provider_required: 403,
	network_not_allowed: 403,
	not_found: 404,
	method_not_allowed: 405,
	idempotency_conflict: 409,
	account_changed: 409,
	link_dead: 410,
	precondition_failed: 412,
	body_too_large: 413,
	unsupported_media_type: 415,
	validation_failed: 422,
	domain_taken: 422,
	limit_reached: 422,
	idempotency_mismatch: 422,
	too_many_requests: 429,
	headers_too_large: 431,
	internal_error: 500,
	unavailable: 503,
} as const satisfies Record<string, number>;

export type ErrorCode = keyof typeof errorCodes;

/** The reason phrases of RFC 9110 and its companions: `title` in every error body. */
export const statusTitles: Readonly<Record<number, string>> = {
	400: 'Bad Request',
	401: 'Unauthorized',
	403: 'Forbidden',
	404: 'Not Found',
	405: 'Method Not Allowed',
	409: 'Conflict',
	410: 'Gone',
	412: 'Precondition Failed',
	413: 'Content Too Large',
	415: 'Unsupported Media Type',
	422: 'Unprocessable Content',
	429: 'Too Many Requests',
	431: 'Request Header Fields Too Large',
	500: 'Internal Server Error',
	503: 'Service Unavailable',
};

/** Messages by field, as a 422 shows them. */
export type FieldErrors = Record<string, string[]>;

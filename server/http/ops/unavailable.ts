import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '../../lib/app-error.ts';
import { describeProblem } from '../request/problem.ts';

/** The response to every request while no worker is running. */
export function answerUnavailable(_request: IncomingMessage, response: ServerResponse): void {
	const { status, text, headers } = describeProblem(
		new AppError('unavailable', 'The service is restarting. Try again shortly.'),
	);
	response.writeHead(status, {
		...headers,
		'content-type': 'application/json',
		'cache-control': 'no-store',
		// Without this header, trackers would take the response for a network error.
		'access-control-allow-origin': '*',
		connection: 'close',
	});
	response.end(text);
}

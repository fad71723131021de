import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '../lib/app-error.ts';
import { describeProblem } from './problem.ts';

/** The answer to every request while there is no process that could give a better one. */
export function answerUnavailable(_request: IncomingMessage, response: ServerResponse): void {
	const { status, text, headers } = describeProblem(
		new AppError('unavailable', 'The service is starting again; try again shortly.'),
	);
	response.writeHead(status, {
		...headers,
		'content-type': 'application/json',
		'cache-control': 'no-store',
		// A tracker that may not read the answer takes it for a broken net.
		'access-control-allow-origin': '*',
		connection: 'close',
	});
	response.end(text);
}

import { isIPv6 } from 'node:net';
import type { Config } from '../server/config.ts';
import type { OperationResult } from '../server/control/operations.ts';

/** The token is in the fragment, so that it appears in no server, log or Referer header. */
export function passwordUrl(config: Config, link: OperationResult<'account.reset'>): string {
	const host = isIPv6(config.host) ? `[${config.host}]` : config.host;
	const base = config.baseUrl ?? link.publicAddress ?? `http://${host}:${config.port}`;
	return `${base}/password#token=${link.token}`;
}

import { isIPv6 } from 'node:net';
import type { Config } from '../server/config.ts';
import type { OperationResult } from '../server/control/operations.ts';

/** The URL of the dashboard. `publicAddress` was entered with the first account. */
export function dashboardUrl(config: Config, publicAddress: string | undefined): string {
	const host = isIPv6(config.host) ? `[${config.host}]` : config.host;
	return config.baseUrl ?? publicAddress ?? `http://${host}:${config.port}`;
}

/** The token is in the fragment, so that it appears in no server, log or Referer header. */
export function passwordUrl(config: Config, link: OperationResult<'account.reset'>): string {
	return `${dashboardUrl(config, link.publicAddress)}/password#token=${link.token}`;
}

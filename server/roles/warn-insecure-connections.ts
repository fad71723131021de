import type { Config } from '../config.ts';
import { isLocalNetwork, isLoopback } from '../lib/local-network.ts';
import type { Log } from '../lib/log.ts';

/** Warns at start about connections that are not encrypted or not verified. */
export function warnInsecureConnections(config: Config, log: Log): void {
	for (const { variable, host, fault } of unverified(config))
		log.warn(
			{ variable, host },
			`connection to ${host} is not ${fault}: see ${variable} in docs/settings.md`,
		);
}

function unverified(config: Config): { variable: string; host: string; fault: 'encrypted' | 'verified' }[] {
	const found: ReturnType<typeof unverified> = [];
	if (config.databaseUrl !== undefined && config.databaseCa === undefined) {
		const { hostname: host, searchParams } = new URL(config.databaseUrl);
		const mode = searchParams.get('sslmode');
		// An explicit sslmode is reported for every remote host, a missing one only outside the local network.
		const isReported = mode === null ? !isLocalNetwork(host) : !isLoopback(host);
		const fault = mode === 'no-verify' ? 'verified' : 'encrypted';
		if (isReported && (mode === null || mode === 'disable' || mode === 'no-verify'))
			found.push({ variable: 'DATABASE_URL', host, fault });
	}
	if (config.clickhouseUrl !== undefined) {
		const { hostname: host, protocol } = new URL(config.clickhouseUrl);
		if (protocol === 'http:' && !isLocalNetwork(host))
			found.push({ variable: 'CLICKHOUSE_URL', host, fault: 'encrypted' });
	}
	for (const url of config.natsUrl?.split(',') ?? []) {
		const { hostname: host, protocol } = new URL(url.trim());
		if (protocol === 'nats:' && !isLocalNetwork(host))
			found.push({ variable: 'NATS_URL', host, fault: 'encrypted' });
	}
	return found;
}

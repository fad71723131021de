import type { Config } from '../config.ts';
import type { Log } from '../lib/log.ts';
import { isHere, isNear } from '../lib/nearby.ts';

/** Says at the start which server could be somebody else, or be overheard, because nothing of it is verified. */
export function warnOfNets(config: Config, log: Log): void {
	for (const { variable, host, fault } of unverified(config))
		log.warn(
			{ variable, host },
			`the connection to ${host} is not ${fault}: see ${variable} in docs/settings.md`,
		);
}

function unverified(config: Config): { variable: string; host: string; fault: 'encrypted' | 'verified' }[] {
	const found: ReturnType<typeof unverified> = [];
	if (config.databaseUrl !== undefined && config.databaseCa === undefined) {
		const { hostname: host, searchParams } = new URL(config.databaseUrl);
		const mode = searchParams.get('sslmode');
		// What was said on purpose is told wherever it crosses a net; what was left out, where that is not one's own.
		const isTold = mode === null ? !isNear(host) : !isHere(host);
		const fault = mode === 'no-verify' ? 'verified' : 'encrypted';
		if (isTold && (mode === null || mode === 'disable' || mode === 'no-verify'))
			found.push({ variable: 'DATABASE_URL', host, fault });
	}
	if (config.clickhouseUrl !== undefined) {
		const { hostname: host, protocol } = new URL(config.clickhouseUrl);
		if (protocol === 'http:' && !isNear(host))
			found.push({ variable: 'CLICKHOUSE_URL', host, fault: 'encrypted' });
	}
	for (const url of config.natsUrl?.split(',') ?? []) {
		const { hostname: host, protocol } = new URL(url.trim());
		if (protocol === 'nats:' && !isNear(host)) found.push({ variable: 'NATS_URL', host, fault: 'encrypted' });
	}
	return found;
}

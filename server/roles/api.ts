import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAttempts } from '../accounts/attempts.ts';
import { createKnownDevices } from '../accounts/known-devices.ts';
import { createTwoFactor } from '../accounts/two-factor.ts';
import type { CollectServices } from '../collect/keep.ts';
import { eventsAtOnce } from '../derive/seal.ts';
import { examineOnce } from '../doctor/doctor.ts';
import { createRunningExports } from '../export/running.ts';
import type { ApiParts } from '../http/app.ts';
import { createIdentify } from '../http/identify.ts';
import type { ProxyWatch } from '../http/watch-proxies.ts';
import { importing } from '../import/imports.ts';
import { deriveKey } from '../lib/secrets.ts';
import type { Stats } from '../stats/ask.ts';
import { listCountedGoals } from '../stats/goals.ts';
import { createOverviews } from '../stats/overview.ts';
import { createLive } from '../stats/watch-live.ts';
import type { ClickHouse } from '../store/clickhouse.ts';
import { createUnlocking } from '../websites/shares.ts';
import type { Base } from './base.ts';
import type { PublicAddress } from './public-address.ts';
import type { Telling } from './telling.ts';

/** Pages and interface: all that the door gives to people and programs. */
export function openApi(
	{ config, postgres, secret, now, log, opened }: Base,
	of: {
		clickhouse: ClickHouse;
		collect: CollectServices;
		stats: Stats;
		telling: Telling;
		proxies: ProxyWatch;
		publicAddress: PublicAddress;
		packageFolder: string;
		version: string;
	},
): ApiParts {
	const { clickhouse, collect, stats, telling, proxies, publicAddress, packageFolder, version } = of;
	const { mail, links, quota, alerts } = telling;
	const identify = createIdentify(postgres, now, log);
	opened.push(() => identify.close());
	const live = createLive({ postgres, clickhouse, now, log });
	const leaving = new AbortController();
	opened.push(async () => leaving.abort());
	return {
		version,
		openapi: readFileSync(join(packageFolder, 'api', 'openapi.json'), 'utf8'),
		dashboardFolder: join(packageFolder, 'dist', 'pages'),
		services: {
			postgres,
			clickhouse,
			exports: createRunningExports(),
			now,
			bodyKey: deriveKey(secret, 'idempotent bodies'),
			forgetKeys: () => identify.forget(),
			collect,
			stats,
			live,
			overviews: createOverviews({ postgres, now }),
			imports: { postgres, clickhouse, now, log, ...importing(config) },
			alerts,
		},
		identify,
		signIn: {
			postgres,
			now,
			attempts: createAttempts(postgres, now, deriveKey(secret, 'names of attempts')),
			twoFactor: createTwoFactor(postgres, now, deriveKey(secret, 'secrets of second factors')),
			...{ hasMail: mail !== undefined, links, quota },
			examine: examineOnce(() => ({
				...{ postgres, clickhouse, now, log, mail, signal: leaving.signal },
				...{ config, version, lag: collect.eventLog.lag, proxies: proxies.seen() },
				atOnce: { events: eventsAtOnce },
				goalsOf: (websiteIds) => listCountedGoals(postgres, websiteIds),
			})),
			knownDevices: createKnownDevices(deriveKey(secret, 'known devices')),
			unlocking: createUnlocking(deriveKey(secret, 'unlocked websites'), now),
			publicAddress,
		},
	};
}

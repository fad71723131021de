import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAttempts } from '../accounts/attempts.ts';
import { createKnownDevices } from '../accounts/known-devices.ts';
import { createPasskeys } from '../accounts/passkeys.ts';
import { requireProof } from '../accounts/sign-in.ts';
import { createTwoFactor } from '../accounts/two-factor.ts';
import { listUpgradeBackups } from '../backup/before-upgrade.ts';
import { maxEventsPerStatement } from '../derive/seal.ts';
import { examineOnce } from '../doctor/doctor.ts';
import { createRunningExports } from '../export/running.ts';
import type { ApiParts } from '../http/app.ts';
import { createApiKeyCache } from '../http/auth/api-key-cache.ts';
import type { ProxyCheck } from '../http/ops/proxy-check.ts';
import { importing } from '../import/imports.ts';
import type { IngestServices } from '../ingest/ingest.ts';
import { deriveKey } from '../lib/secrets.ts';
import { createAccountNotices } from '../notify/mail/account-notices.ts';
import { createOidcClient } from '../oidc/client.ts';
import { clientSecretPurpose } from '../oidc/providers.ts';
import type { Stats } from '../stats/answer/ask.ts';
import { createLive } from '../stats/live/watch-live.ts';
import { createOverviews } from '../stats/overview/overview.ts';
import { listCountedGoals } from '../stats/question/goals.ts';
import type { ClickHouse } from '../store/clickhouse.ts';
import type { Queries } from '../store/postgres.ts';
import { createUnlocking } from '../websites/shares.ts';
import type { RoleContext } from './context.ts';
import type { Notifications } from './notifications.ts';
import type { PublicAddress } from './public-address.ts';

/** Opens what the dashboard and the API need. */
export function openApi(
	{ config, postgres, secret, now, log, opened }: RoleContext,
	services: {
		clickhouse: ClickHouse;
		collect: IngestServices;
		stats: Stats;
		notifications: Notifications;
		proxies: ProxyCheck;
		publicAddress: PublicAddress;
		packageFolder: string;
		version: string;
	},
): ApiParts {
	const { clickhouse, collect, stats, proxies, publicAddress, packageFolder, version } = services;
	const { mail, links, quota, alerts, webhooks } = services.notifications;
	const identify = createApiKeyCache(postgres, now, log);
	opened.push(() => identify.close());
	const live = createLive({ postgres, clickhouse, now, log });
	const attemptsIn = (queries: Queries) =>
		createAttempts(queries, now, deriveKey(secret, 'names of attempts'));
	const attempts = attemptsIn(postgres);
	const twoFactor = createTwoFactor(postgres, now, deriveKey(secret, 'secrets of second factors'));
	const hasMail = mail !== undefined;
	const notices = createAccountNotices({ now, attemptsIn, hasMail, publicAddress });
	const passkeys = createPasskeys({
		postgres,
		now,
		key: deriveKey(secret, 'user handles of passkeys'),
		publicAddress,
		onCopied: (personId) =>
			postgres.transaction((tx) => notices.queue(tx, personId, { kind: 'passkeyCopied' })),
	});
	const forgetKeys = () => identify.forget();
	const shareLinks = { key: deriveKey(secret, 'share links'), baseUrl: publicAddress.current };
	const stopping = new AbortController();
	opened.push(async () => stopping.abort());
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
			prove: (personId, proof) =>
				requireProof({ postgres, now, attempts, twoFactor, passkeys }, personId, proof),
			notices,
			canMail: hasMail,
			baseUrl: publicAddress.current,
			forgetKeys,
			attempts,
			collect,
			stats,
			live,
			overviews: createOverviews({ postgres, now }),
			imports: { postgres, clickhouse, now, log, ...importing(config) },
			listBackups: () => listUpgradeBackups(config.dataFolder),
			alerts,
			shareLinks,
			webhooks,
		},
		identify,
		signIn: {
			postgres,
			now,
			attempts,
			twoFactor,
			passkeys,
			notices,
			forgetKeys,
			hasMail,
			links,
			quota,
			examine: examineOnce(() => ({
				postgres,
				clickhouse,
				now,
				log,
				mail,
				signal: stopping.signal,
				config,
				version,
				lag: collect.eventLog.lag,
				proxies: proxies.seen(),
				atOnce: { events: maxEventsPerStatement },
				goalsOf: (websiteIds) => listCountedGoals(postgres, websiteIds),
			})),
			log,
			oidc: createOidcClient(now, deriveKey(secret, clientSecretPurpose)),
			shareLinks,
			knownDevices: createKnownDevices(deriveKey(secret, 'known devices')),
			unlocking: createUnlocking(deriveKey(secret, 'unlocked websites'), now),
			publicAddress,
		},
	};
}

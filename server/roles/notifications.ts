import type { Config } from '../config.ts';
import { deriveKey } from '../lib/secrets.ts';
import type { SmtpSettings } from '../notify/mail/smtp.ts';
import type { RoleContext } from './context.ts';

/** Undefined when mail is not configured. */
export function smtpSettings(config: Config): SmtpSettings | undefined {
	const { smtpHost, smtpPort, smtpTls, smtpUser, smtpPassword, mailFrom } = config;
	if (smtpHost === undefined || mailFrom === undefined) return undefined;
	return {
		host: smtpHost,
		port: smtpPort,
		tls: smtpTls,
		from: mailFrom,
		user: smtpUser,
		password: smtpPassword,
	};
}

export type Notifications = ReturnType<typeof describeNotifications>;

/** Settings for mail and webhooks, for the roles api and jobs. */
export function describeNotifications({ config, secret, now, log, baseUrl }: RoleContext) {
	const mail = smtpSettings(config);
	const links = { baseUrl, key: deriveKey(secret, 'links in mails') };
	const quota = { perAccount: config.mailsPerAccountADay, inAll: config.mailsADay, log };
	const vault = {
		key: deriveKey(secret, 'secrets of alerts'),
		allowedHosts: config.webhookAllowedHosts,
		now,
	};
	const webhooks = {
		key: deriveKey(secret, 'secrets of webhooks'),
		allowedHosts: config.webhookAllowedHosts,
	};
	const alerts = { now, links, quota, vault, hasMail: mail !== undefined };
	return { mail, links, quota, vault, webhooks, alerts };
}

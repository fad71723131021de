import type { Config } from '../config.ts';
import { deriveKey } from '../lib/secrets.ts';
import type { SmtpSettings } from '../mail/smtp.ts';
import type { Base } from './base.ts';

/** Where mail is given to, if the operator has said so. */
export function smtpSettings(config: Config): SmtpSettings | undefined {
	const { smtpHost, smtpPort, smtpTls, smtpUser, smtpPassword, mailFrom } = config;
	if (smtpHost === undefined || mailFrom === undefined) return undefined;
	return {
		...{ host: smtpHost, port: smtpPort, tls: smtpTls, from: mailFrom },
		...{ user: smtpUser, password: smtpPassword },
	};
}

export type Telling = ReturnType<typeof describeTelling>;

/** How people are told something: by api when they do something, by jobs when its time has come. */
export function describeTelling({ config, secret, now, log, baseUrl }: Base) {
	const mail = smtpSettings(config);
	const links = { baseUrl, key: deriveKey(secret, 'links in mails') };
	const quota = { perAccount: config.mailsPerAccountADay, inAll: config.mailsADay, log };
	const vault = {
		...{ key: deriveKey(secret, 'secrets of alerts'), allowedHosts: config.webhookAllowedHosts, now },
	};
	const alerts = { now, links, quota, vault, hasMail: mail !== undefined };
	return { mail, links, quota, vault, alerts };
}

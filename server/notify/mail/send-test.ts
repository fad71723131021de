import { AppError } from '../../lib/app-error.ts';
import { testMessage } from './messages.ts';
import { createSmtp, type SmtpSettings } from './smtp.ts';

/** Sends a test message, and reports the server that accepted it. */
export async function sendTest(
	mail: SmtpSettings | undefined,
	to: string,
): Promise<Pick<SmtpSettings, 'host' | 'port' | 'from'>> {
	if (!mail)
		throw new AppError(
			'unavailable',
			'No mail server is configured. Set TIDEMARK_SMTP_HOST and TIDEMARK_MAIL_FROM.',
		);
	const smtp = createSmtp(mail);
	try {
		const outcome = await smtp.send({ to, ...testMessage() }, async () => true);
		if (outcome.kind !== 'sent')
			throw new AppError(
				'unavailable',
				`${mail.host}:${mail.port} did not accept the mail: ${outcome.reason}`,
			);
		return { host: mail.host, port: mail.port, from: mail.from };
	} finally {
		smtp.close();
	}
}

import type { Clock } from '../lib/clock.ts';
import { createSmtp, type SmtpSettings } from '../notify/mail/smtp.ts';
import type { Postgres } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import { type CheckResult, notice, ok, problem, reasonOf, secondsInWords } from './finding.ts';

type MailServices = { mail: SmtpSettings | undefined; postgres: Postgres; now: Clock };

/** Checks the connection to the mail server without sending mail, and the queue. */
export async function examineMail({ mail, postgres, now }: MailServices): Promise<CheckResult[]> {
	if (!mail)
		return [
			notice(
				'No mail server is configured, so password resets and invitations work only by links that you pass on.',
				'To send mail, set TIDEMARK_SMTP_HOST and TIDEMARK_MAIL_FROM.',
			),
		];
	return [await checkConnection(mail), ...(await examineQueue(postgres, now))];
}

async function checkConnection(mail: SmtpSettings): Promise<CheckResult> {
	const server = `${mail.host}:${mail.port}`;
	const smtp = createSmtp(mail);
	try {
		await smtp.greet();
		return ok(
			`The mail server ${server} ${mail.user === undefined ? 'responds' : 'accepts the user name and password'}.`,
		);
	} catch (error) {
		return problem(
			`The mail server ${server} cannot be used: ${reasonOf(error)}`,
			'Check the TIDEMARK_SMTP_ settings. `tidemark mail test --to ADDRESS` sends a test mail.',
		);
	} finally {
		smtp.close();
	}
}

async function examineQueue(postgres: Postgres, now: Clock): Promise<CheckResult[]> {
	const [row] = await postgres.rows<{ waiting: number; oldest: Date | null; failed: number }>(sql`
		SELECT count(*) FILTER (WHERE state = 'waiting') AS waiting,
			min(created_at) FILTER (WHERE state = 'waiting') AS oldest,
			count(*) FILTER (WHERE state = 'failed' AND ended_at > ${value(now())}::timestamptz - interval '7 days') AS failed
		FROM outbox WHERE kind = 'mail'`);
	const seconds = row?.oldest ? (now().getTime() - row.oldest.getTime()) / 1000 : 0;
	const found: CheckResult[] = [];
	if (row && seconds > 3_600)
		found.push(
			notice(
				`${row.waiting} ${row.waiting === 1 ? 'mail is' : 'mails are'} queued, the oldest for ${secondsInWords(seconds)}.`,
				'They are sent once the mail server accepts them. The log has its responses.',
			),
		);
	if (row && row.failed > 0)
		found.push(
			notice(
				`${row.failed} ${row.failed === 1 ? 'mail' : 'mails'} could not be delivered in the last seven days.`,
				'The log has the reasons. An address may no longer exist.',
			),
		);
	return found;
}

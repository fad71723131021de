import type { Clock } from '../lib/clock.ts';
import { createSmtp, type SmtpSettings } from '../mail/smtp.ts';
import type { Postgres } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import { type Look, notice, ok, problem, reasonOf, secondsInWords } from './finding.ts';

type MailServices = { mail: SmtpSettings | undefined; postgres: Postgres; now: Clock };

/** Whether the mail server lets us in, without a mail; and what waits for it. */
export async function examineMail({ mail, postgres, now }: MailServices): Promise<Look[]> {
	if (!mail)
		return [
			notice(
				'No mail server is set, so forgotten passwords and invitations go by links alone.',
				'Set TIDEMARK_SMTP_HOST and TIDEMARK_MAIL_FROM, if mail is wanted.',
			),
		];
	return [await greet(mail), ...(await examineQueue(postgres, now))];
}

async function greet(mail: SmtpSettings): Promise<Look> {
	const server = `${mail.host}:${mail.port}`;
	const smtp = createSmtp(mail);
	try {
		await smtp.greet();
		return ok(`The mail server ${server} ${mail.user === undefined ? 'answers' : 'lets us sign in'}.`);
	} catch (error) {
		return problem(
			`The mail server ${server} does not let us in: ${reasonOf(error)}`,
			'Look at the TIDEMARK_SMTP_ settings; `tidemark mail test --to ADDRESS` tries them with a mail.',
		);
	} finally {
		smtp.close();
	}
}

async function examineQueue(postgres: Postgres, now: Clock): Promise<Look[]> {
	const [row] = await postgres.rows<{ waiting: number; oldest: Date | null; failed: number }>(sql`
		SELECT count(*) FILTER (WHERE state = 'waiting') AS waiting,
			min(created_at) FILTER (WHERE state = 'waiting') AS oldest,
			count(*) FILTER (WHERE state = 'failed' AND ended_at > ${value(now())}::timestamptz - interval '7 days') AS failed
		FROM mails`);
	const seconds = row?.oldest ? (now().getTime() - row.oldest.getTime()) / 1000 : 0;
	const found: Look[] = [];
	if (row && seconds > 3_600)
		found.push(
			notice(
				`${row.waiting} ${row.waiting === 1 ? 'mail waits' : 'mails wait'}, the oldest for ${secondsInWords(seconds)}.`,
				'They are sent once the mail server takes them; the log says what it answered.',
			),
		);
	if (row && row.failed > 0)
		found.push(
			notice(
				`${row.failed} ${row.failed === 1 ? 'mail was' : 'mails were'} given up in the last seven days.`,
				'The log says why; an address may not exist any more.',
			),
		);
	return found;
}

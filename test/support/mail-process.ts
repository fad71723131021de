/** A process that sends what is due until it is killed: node test/support/mail-process.ts PORT CONNECTION */
import { createLog } from '../../server/lib/log.ts';
import { sendMails } from '../../server/notify/mail/queue.ts';
import { createSmtp } from '../../server/notify/mail/smtp.ts';
import { openPostgres } from '../../server/store/postgres.ts';

const [port = '', connection = '{}'] = process.argv.slice(2);
const log = createLog('error');
const postgres = openPostgres(JSON.parse(connection), { log, connections: 2 });
const smtp = createSmtp({
	...{ host: '127.0.0.1', port: Number(port), tls: 'none', from: 'Tidemark <stats@example.test>' },
	...{ user: undefined, password: undefined },
});
await postgres.ping();
process.send?.('ready');
for (;;) {
	await sendMails({ postgres, now: () => new Date(), log, smtp, signal: new AbortController().signal });
	await new Promise((resolve) => setTimeout(resolve, 5));
}

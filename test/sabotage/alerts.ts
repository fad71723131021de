import type { Fault } from './faults.ts';

const alerts = ['test/notify/alerts.test.ts'];
const outside = ['test/notify/outside.test.ts'];
const manners = ['test/notify/mail/manners.test.ts'];

/** Faults of alerts, of requests to addresses that people typed in, of recipients and quotas. */
export const alertFaults: readonly Fault[] = [
	{
		name: 'a name that also leads inside is asked',
		file: 'server/lib/safe-fetch.ts',
		line: '!addresses.every(isPublicAddress)',
		instead: '!addresses.some(isPublicAddress)',
		tests: outside,
	},
	{
		name: 'what is connected to is not what was judged',
		file: 'server/lib/safe-fetch.ts',
		line: '\t\t\t\tlookup: (_name, options, done) =>\n\t\t\t\t\toptions.all ? done(null, [{ address, family }]) : done(null, address, family),\n',
		instead: '',
		tests: outside,
	},
	{
		name: 'any port is asked',
		file: 'server/lib/safe-fetch.ts',
		line: "if (url.port !== '' && url.port !== '80' && url.port !== '443')",
		instead: 'if (url.port === null)',
		tests: outside,
	},
	{
		name: 'IPv4 in the clothes of IPv6 is asked',
		file: 'server/lib/networks.ts',
		line: "const givenToHosts = blockListOf(['2000::/3']);",
		instead: "const givenToHosts = blockListOf(['::/0']);",
		tests: outside,
	},
	{
		name: 'an address is judged only when it is stored',
		file: 'server/lib/safe-fetch.ts',
		line: 'const url = readPublicUrl(text, allowedHosts);\n\t\tconst address = await Promise.race([judgedAddress(url, allowedHosts, resolve)',
		instead:
			'const url = new URL(text);\n\t\tconst address = await Promise.race([judgedAddress(url, [url.host], resolve)',
		tests: alerts,
	},
	{
		name: 'two who watch both tell it',
		file: 'server/notify/watch-alerts.ts',
		line: 'AND enabled AND (${where})`',
		instead: 'AND enabled`',
		tests: alerts,
	},
	{
		name: 'one odd week is what is usual',
		file: 'server/notify/watch-alerts.ts',
		line: '? medianOf(counts) : undefined',
		instead: '? Math.max(...counts) : undefined',
		tests: alerts,
	},
	{
		name: 'a stop of the service is a silence',
		file: 'server/notify/watch-alerts.ts',
		line: 'nowMs - watchedSinceMs >= lengthOf(alert)',
		instead: 'nowMs - watchedSinceMs >= 0',
		tests: alerts,
	},
	{
		name: 'a goal that was reached before is news',
		file: 'server/notify/count-goals.ts',
		line: 'WHERE ms >= since\n\t\tAND if(is_page',
		instead: 'WHERE ms >= 0\n\t\tAND if(is_page',
		tests: alerts,
	},
	{
		name: 'what was taken is sent again',
		file: 'server/notify/outbox.ts',
		line: "await end('sent', null);",
		instead:
			"await end('failed', null).then(() => postgres.run(sql`UPDATE outbox SET state = 'waiting', content = ${value(JSON.stringify('content' in row ? row.content : null))}::jsonb WHERE id = ${value(id)}`));",
		tests: alerts,
	},
	{
		name: 'a signature does not cover the time',
		file: 'server/notify/webhooks.ts',
		line: '.update(`${seconds}.${body}`)',
		instead: '.update(body)',
		tests: alerts,
	},
	{
		name: 'alerts of the former owner stay with a website that was moved',
		file: 'server/websites/transfers.ts',
		line: '\tawait tx.run(sql`DELETE FROM alerts WHERE website_id = ${value(id)}`);\n',
		instead: '',
		tests: alerts,
	},
	{
		name: 'who did not agree gets mail',
		file: 'server/notify/mail/recipients.ts',
		line: 'AND confirmed_at IS NOT NULL AND unsubscribed_at IS NULL AND lower(address)',
		instead: 'AND unsubscribed_at IS NULL AND lower(address)',
		tests: [...manners, ...alerts],
	},
	{
		name: 'a link that confirms is good twice',
		file: 'server/notify/mail/recipients.ts',
		line: 'SET confirmed_at = ${value(now())}, digest = NULL',
		instead: 'SET confirmed_at = ${value(now())}',
		tests: manners,
	},
	{
		name: 'who said no is asked again',
		file: 'server/notify/mail/recipients.ts',
		line: '\tif (earlier?.refusedAt)\n',
		instead: '\tif (earlier?.refusedAt && earlier.asked < 0)\n',
		tests: manners,
	},
	{
		name: 'opening a link stops mail',
		file: 'server/http/public/mail-pages.ts',
		line: '\t\tif (recipient && !isPost)\n',
		instead: '\t\tawait unsubscribe({ postgres, now, links }, stopped);\n\t\tif (recipient && !isPost)\n',
		tests: manners,
	},
	{
		name: 'anybody makes a link that stops mail',
		file: 'server/notify/mail/unsubscribe.ts',
		line: 'if (!isOurs) return undefined;',
		instead: 'void isOurs;',
		tests: manners,
	},
	{
		name: 'two at once are one mail for the quota',
		file: 'server/notify/mail/queue.ts',
		line: 'DO UPDATE SET mails = c.mails + 1 WHERE c.mails < ${value(limit)}::integer`',
		instead: 'DO UPDATE SET mails = c.mails + 1`',
		tests: manners,
	},
];

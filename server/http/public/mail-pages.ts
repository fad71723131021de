/**
 * The confirm and unsubscribe pages that mails link to, for recipients without an account. They need no JavaScript. A GET
 * changes nothing, because mail programs and scanners open every link.
 */
import { hash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../lib/clock.ts';
import { type PageTexts, pageTexts } from '../../notify/mail/recipient-texts.ts';
import {
	confirmRecipient,
	findRecipientRequest,
	findStopped,
	unsubscribe,
} from '../../notify/mail/recipients.ts';
import { type MailLinks, readUnsubscribe } from '../../notify/mail/unsubscribe.ts';
import { escapeMarkup } from '../../reports/render/html.ts';
import type { Postgres } from '../../store/postgres.ts';
import { applyLimit, type RateLimiter } from '../auth/rate-limits.ts';

export type MailPageServices = { postgres: Postgres; now: Clock; links: MailLinks };

const style = `:root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;max-width:34rem;margin:15vh auto;padding:0 1.5rem}
h1{font-size:1.5rem;line-height:1.25}p{overflow-wrap:anywhere}button{font:inherit;padding:.6rem 1.2rem;cursor:pointer}`;
const policy = [
	"default-src 'none'",
	`style-src 'sha256-${hash('sha256', style, 'base64')}'`,
	"form-action 'self'",
	"base-uri 'none'",
	"frame-ancestors 'none'",
].join('; ');

type Page = { status: number; locale: string; title: string; text: string; button?: string };

function render({ locale, title, text, button }: Page): string {
	const form =
		button === undefined ? '' : `<form method="post"><button>${escapeMarkup(button)}</button></form>`;
	return `<!doctype html>
<html lang="${escapeMarkup(locale)}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeMarkup(title)}</title><style>${style}</style></head>
<body><main><h1>${escapeMarkup(title)}</h1><p>${escapeMarkup(text)}</p>${form}</main></body>
</html>
`;
}

export function mountMailPages(
	app: FastifyInstance,
	options: MailPageServices & { limiter: RateLimiter; addressOf(request: FastifyRequest): string },
): void {
	const { postgres, now, links, limiter, addressOf } = options;

	const mount = (
		path: string,
		answer: (token: string, request: { isPost: boolean; language: string }) => Promise<Page>,
	) =>
		app.route<{ Params: { token: string } }>({
			method: ['GET', 'POST'],
			url: `${path}/:token`,
			bodyLimit: 4_096,
			handler: async (request, reply: FastifyReply) => {
				applyLimit(reply, ['address', limiter.count(addressOf(request))], now().getTime());
				const page = await answer(request.params.token, {
					isPost: request.method === 'POST',
					language: languageOf(request.headers['accept-language']),
				});
				return reply
					.code(page.status)
					.headers({
						'content-security-policy': policy,
						'cache-control': 'no-store',
						'x-robots-tag': 'noindex',
					})
					.type('text/html; charset=utf-8')
					.send(render(page));
			},
		});

	mount('/confirm', async (token, { isPost, language }) => {
		const request = await findRecipientRequest(postgres, now, token);
		if (!request) return expired(language, 410);
		const { locale, by, domain } = request;
		const texts = pageTexts(locale);
		if (!isPost)
			return {
				status: 200,
				locale,
				title: texts.askTitle,
				text: texts.ask(by, domain),
				button: texts.agree,
			};
		// Of two concurrent confirmations only the first succeeds; the second sees a used link.
		if (!(await confirmRecipient(postgres, now, token))) return expired(locale, 410);
		return { status: 200, locale, title: texts.agreedTitle, text: texts.agreed };
	});

	mount('/unsubscribe', async (token, { isPost, language }) => {
		const stopped = readUnsubscribe(links.key, token);
		if (!stopped) return expired(language, 404);
		const recipient = await findStopped(postgres, stopped);
		const locale = recipient?.locale ?? language;
		const texts = pageTexts(locale);
		if (recipient && !isPost)
			return {
				status: 200,
				locale,
				title: texts.stopTitle,
				text: texts.stop(recipient.address),
				button: texts.stopButton,
			};
		// A recipient that no longer exists gets no mail, so the result is the same.
		if (isPost) await unsubscribe({ postgres, now, links }, stopped);
		return { status: 200, locale, title: texts.stoppedTitle, text: texts.stopped };
	});
}

function expired(locale: string, status: number): Page {
	const texts: PageTexts = pageTexts(locale);
	return { status, locale, title: texts.deadTitle, text: texts.dead };
}

/** The browser's first language, used when the link does not determine one. */
const languageOf = (header = ''): string => /^[a-z]{2,3}\b/i.exec(header.trim())?.[0].toLowerCase() ?? 'en';

import { hash } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { notFound } from '../accounts/authorize.ts';
import { isSetupToken, useSetupToken } from '../accounts/setup.ts';
import { AppError } from '../lib/app-error.ts';
import type { Services } from './call.ts';
import { readForm } from './read-body.ts';

/** The page behind the one-time link: it makes the first account and shows its key, once. */
export function mountSetup(app: FastifyInstance, { postgres, now }: Services): void {
	app.get('/setup', async (request, reply) => {
		const token = textOf(readForm(request.url.split('?')[1] ?? '', formFields).token);
		if (!(await isSetupToken(postgres, token))) throw notFound();
		return sendPage(reply, 200, formPage(token, {}));
	});
	app.post('/setup', async (request, reply) => {
		const fields = readForm(Buffer.isBuffer(request.body) ? request.body.toString('utf8') : '', formFields);
		const [token, name, email] = [textOf(fields.token), textOf(fields.name), textOf(fields.email)];
		try {
			const timezone = textOf(fields.timezone) || undefined;
			const { secret } = await useSetupToken(postgres, now, token, { name, email, timezone });
			return sendPage(reply, 200, donePage(secret));
		} catch (error) {
			if (!(error instanceof AppError) || error.code !== 'validation_failed') throw error;
			return sendPage(reply, 422, formPage(token, { name, email, fault: error.message }));
		}
	});
}

const formFields = { names: new Set(['token', 'name', 'email', 'timezone']), lists: new Set<string>() };

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const style = `
:root { --paper: #f7f9f8; --surface: #fff; --ink: #0f1f1e; --ink-2: #50625f; --line: #e2e9e7; --sea: #0a7f78; --down: #b5473c; color-scheme: light dark }
@media (prefers-color-scheme: dark) { :root { --paper: #0b1212; --surface: #101a1a; --ink: #e8f0ee; --ink-2: #a3b5b1; --line: #1f2c2b; --sea: #3fbfb2; --down: #e0837a } }
* { box-sizing: border-box; margin: 0 }
body { background: var(--paper); color: var(--ink); font: 15px/22px ui-sans-serif, system-ui, sans-serif }
main { max-width: 440px; margin: 12vh auto 0; padding: 0 24px }
h1 { font-size: 26px; line-height: 34px; font-weight: 620; letter-spacing: -.02em; margin-bottom: 8px }
p { color: var(--ink-2); margin-bottom: 24px }
label { display: block; font-weight: 600; margin-bottom: 18px }
input { display: block; width: 100%; height: 40px; margin-top: 6px; padding: 0 12px; border: 1px solid var(--line); border-radius: 8px; background: var(--surface); color: inherit; font: inherit }
button { height: 40px; padding: 0 18px; border: 0; border-radius: 8px; background: var(--sea); color: var(--surface); font: inherit; font-weight: 600; cursor: pointer }
code, pre { font: 13px/20px ui-monospace, monospace; background: var(--surface); border: 1px solid var(--line); border-radius: 8px }
pre { padding: 12px; margin-bottom: 24px; overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere }
.fault { color: var(--down) }
`;

const policy = `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;

function sendPage(reply: FastifyReply, status: number, content: string) {
	const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>Set up Tidemark</title><style>${style}</style></head><body><main>${content}</main></body></html>`;
	return reply
		.code(status)
		.headers({ 'content-security-policy': policy, 'cache-control': 'no-store' })
		.type('text/html; charset=utf-8')
		.send(page);
}

const formPage = (token: string, filled: { name?: string; email?: string; fault?: string }) => `
<h1>Set up Tidemark</h1>
<p>This makes the first account. The link works once.</p>
${filled.fault ? `<p class="fault" role="alert">${escapeHtml(filled.fault)}</p>` : ''}
<form method="post" action="/setup">
<input type="hidden" name="token" value="${escapeHtml(token)}">
<label>Name<input name="name" required maxlength="200" autocomplete="name" value="${escapeHtml(filled.name ?? '')}"></label>
<label>E-mail address<input name="email" type="email" required autocomplete="email" value="${escapeHtml(filled.email ?? '')}"></label>
<button>Create the account</button>
</form>`;

const donePage = (secret: string) => `
<h1>Welcome</h1>
<p>This is the API key of the account. It is shown this once: keep it in a safe place.</p>
<pre>${escapeHtml(secret)}</pre>
<p>Add a first website:</p>
<pre>curl -H "Authorization: Bearer ${escapeHtml(secret)}" \\
  -d domain=example.com /api/v1/websites</pre>
<p>All calls can be tried at <a href="/docs/api">/docs/api</a>.</p>`;

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/**
 * Masks personal data in URLs and titles. Websites put email addresses, session ids and reset tokens into them; we store `[email]` and
 * `[hidden]` instead. Words, numbers and slugs stay, so that statistics by page stay useful. All patterns run in linear time.
 */
const email = '[email]';
const hidden = '[hidden]';

/** Whether something in a text may have been masked. */
export const hasMasked = (text: string): boolean => text.includes(email) || text.includes(hidden);

/** Masks everything that looks like an email address or a secret: for paths, queries, titles and referrers. */
export function mask(text: string): string {
	return maskRuns(maskPairs(text), (run) => (isEmail(run) ? email : isSecret(run) ? hidden : run));
}

/**
 * Masks only unmistakable secrets: for names, properties and campaigns, which the owner chose and which may be order or campaign
 * numbers.
 */
export function maskCertain(text: string): string {
	return maskRuns(text, (run) => (isEmail(run) ? email : isCertainSecret(run) ? hidden : run));
}

/** Whether a parameter holds a secret by its name: `token`, `access_token`, `X-Auth-Key`, `PHPSESSID`. */
export function isSecretName(name: string): boolean {
	const bare = name.toLowerCase().replace(/[^a-z0-9]/g, '');
	return secretNames.has(bare) || secretEndings.test(bare) || recipientNames.has(name.toLowerCase());
}

/** For properties, which the owner chose: only unmistakable names. */
export const isCertainSecretName = (name: string): boolean =>
	secretEndings.test(name.toLowerCase().replace(/[^a-z0-9]/g, ''));

const secretNames = new Set(
	`auth authorization bearer jwt key apikey code otp totp pin pass passwd pwd password secret sid sess session
	sessid ticket nonce sig signature hmac csrf xsrf saml samlresponse samlrequest oauthverifier invite magic login
	username user userid uid uuid guid customerid memberid email mail emailaddress phone telephone tel mobile firstname
	lastname surname fullname birthdate birthday dob iban ssn creditcard cardnumber cvv cvc
	cfid`.split(/\s+/),
);
/** Parameters of mailing tools and others that identify a recipient. */
const recipientNames = new Set(
	'mc_eid _hsenc _hsmi mkt_tok _ga _gl vero_id oly_enc_id oly_anon_id igshid igsh srsltid wickedid'.split(
		' ',
	),
);
const secretEndings =
	/(?:token|password|passwd|secret|sessionid|sessid|sessionkey|apikey|accesskey|signature|authkey)$/;

/** `…;jsessionid=1A2B` in a path, `…?token=abc` in a URL that is itself a parameter. */
function maskPairs(text: string): string {
	if (!text.includes('=')) return text;
	let masked = '';
	let end = 0;
	for (const match of text.matchAll(/(?<![\w.-])([\w.-]+)=/g)) {
		const start = match.index + match[0].length;
		if (start <= end || !isSecretName(match[1] ?? '')) continue;
		const length = text.slice(start).search(/[&;#\s]|$/);
		masked += text.slice(end, start) + maskNamed(text.slice(start, start + length));
		end = start + length;
	}
	return masked + text.slice(end);
}

/** Masks the value of a parameter with a secret name. Booleans identify nobody. */
export const maskNamed = (value: string): string =>
	/^(?:|[01]|true|false|yes|no|on|off)$/i.test(value) ? value : hidden;

/** Text between spaces and URL delimiters. */
const runs = /[^\s/?&=;:,<>()[\]{}"'|\\]+/g;

/** A cheap test that most texts fail: without a match there is no email address or secret. */
const suspicious = /[@＠%]|[^\s/?&=;:,<>()[\]{}"'|\\]{16}/;

const maskRuns = (text: string, maskRun: (run: string) => string): string =>
	suspicious.test(text) ? text.replace(runs, maskRun) : text;

/** `@` in any encoding, with text before it and a domain after it; not `/@name` or `pkg@1.2.3`. */
function isEmail(run: string): boolean {
	const [, local = '', domain = ''] = /^(.+)(?:@|＠|%40)(.+)$/i.exec(run) ?? [];
	return local !== '' && /^[^.].*\.\p{L}{2,}/u.test(domain);
}

const isSecret = (run: string): boolean =>
	run.length >= 16 && (isCertainSecret(run) || uuid.test(run) || isOpaque(run));

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;

/** JWTs, and API keys with a known prefix. */
const isCertainSecret = (run: string): boolean =>
	/(?:^|[^a-z0-9])eyJ[\w-]{8,}\.[\w-]{4,}/i.test(run) ||
	/^(?:[spr]k_(?:live|test)_\w{8,}|whsec_\w{8,}|gh[opsur]_\w{16,}|github_pat_\w{16,}|glpat-[\w-]{16,}|xox[a-z]-[\w-]{8,}|A[KS]IA[0-9A-Z]{16}|AIza[\w-]{30,}|ya29\.[\w-]{8,}|SG\.[\w-]{16,}\.[\w-]{16,}|npm_\w{30,}|tm_\w{20,})/.test(
		run,
	);

/**
 * Tells random letters and digits from text. People separate words; in a part without separators, letters and digits rarely alternate,
 * and capital letters begin words.
 */
function isOpaque(run: string): boolean {
	// Letters of other scripts are words; a percent sign is text that could not be decoded.
	const pieces = run.split(/[-_.~+%!*$]/);
	if (pieces.some(isOpaquePiece)) return true;
	// A separator can be part of the token; the parts between are not words then.
	return run.length >= 20 && pieces.some((piece) => piece.length >= 8) && meanWord(pieces.join('')) < 2.6;
}

function isOpaquePiece(piece: string): boolean {
	if (piece.length < 16 || !/^[a-z0-9]+$/i.test(piece)) return false;
	if (/^\d+$/.test(piece)) return piece.length >= 20;
	if (/^[0-9a-f]+$/i.test(piece) && /\d/.test(piece) && /[a-f]/i.test(piece)) return true;
	if (countTurns(piece) >= 4 || meanWord(piece) < 3) return true;
	return piece.length >= 20 && /^[0-9A-Z]+$/.test(piece) && countTurns(piece) >= 2;
}

/** How often letters and digits alternate. */
const countTurns = (piece: string): number => piece.match(/\d(?=[a-z])|[a-z](?=\d)/gi)?.length ?? 0;

/** The mean length of possible words: `GettingStarted2` has three. */
const meanWord = (text: string): number =>
	text.length / (text.match(/[A-Z]?[a-z]+|[A-Z]+|\d+|[^A-Za-z\d]+/g)?.length ?? 1);

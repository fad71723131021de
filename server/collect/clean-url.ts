import { clickIds } from './click-ids.ts';
import type { Event } from './event.ts';
import { hostnameOf } from './hostnames.ts';
import { isSecretName, mask, maskCertain, maskNamed } from './mask.ts';
import { parsePageUrl } from './page-url.ts';
import { Dropped, type Step } from './step.ts';
import { cleanText, cutText, decodePercent } from './text.ts';

/**
 * The address of the page becomes hostname, path and what is left of the query.
 *
 * Parameters that the owner excluded go first, before anything reads them: an excluded `utm_source` is nowhere. `&`
 * takes all from the address; campaigns are then still read, unless they are named as well. Campaigns and click ids
 * move to their own columns, a click id by its kind, because its value tells who clicked. The rest stays, masked.
 *
 * The hostname keeps its `www.`: an event is a fact. Whoever wants `www.example.com` and `example.com` as one can
 * join them in a question; what was joined here could not be told apart again.
 */
export const cleanUrl: Step = (event, hit) => {
	const url = parsePageUrl(hit.url);
	if (!url) return new Dropped('bad_url');
	const { excludeParams } = hit.website;
	const route = readRoute(url.hash);
	const sent = [...readParameters(url.search.slice(1)), ...readParameters(route.query)].filter(
		({ name }) => !excludeParams.has(name),
	);
	const left = excludeParams.has('&') ? [] : sent.filter(({ name }) => !isMoved(name));
	return {
		...event,
		...readCampaign(sent),
		hostname: hostnameOf(url),
		path: cutText(cleanPath(url.pathname) + cleanPath(route.path), maxAddress),
		query: cutText(left.map(cleanParameter).join('&'), maxAddress),
		title: cutText(mask(hit.title), maxTitle),
	};
};

const maxAddress = 1_024;
const maxTitle = 300;
const maxCampaign = 255;

type Parameter = { name: string; raw: string };

/** As forms write them; the value stays encoded, but that a plus sign is a blank like `%20`. */
function readParameters(search: string): Parameter[] {
	if (search === '') return [];
	return search
		.split('&')
		.filter((part) => part !== '')
		.map((part) => {
			const [name = ''] = part.split('=', 1);
			return { name: decodeAll(spaced(name)), raw: spaced(part.slice(name.length + 1)) };
		});
}

const spaced = (text: string): string => text.replaceAll('+', ' ');

/**
 * What follows `#` is sent only by websites that route by it. Anchors of pages are routes too, as far as anybody can
 * tell; parameters (`#access_token=…`) and marked text (`#:~:text=…`) never are.
 */
function readRoute(hash: string): { path: string; query: string } {
	const [fragment = ''] = hash.split(':~:');
	const [path = '', query = ''] = fragment.split('?');
	return path.length < 2 || /[=&]/.test(path) ? { path: '', query: '' } : { path, query };
}

/** `ref` is what people write who do not know utm_source, and what Product Hunt and others add. */
const isMoved = (name: string): boolean => name.startsWith('utm_') || name === 'ref' || clickIds.has(name);

/** `source` is only what the address itself says; attributeSource makes a name of it. */
function readCampaign(
	parameters: readonly Parameter[],
): Pick<
	Event,
	'source' | 'utm_source' | 'utm_medium' | 'utm_campaign' | 'utm_term' | 'utm_content' | 'click_id'
> {
	const read = (name: string): string => {
		const parameter = parameters.find((entry) => entry.name === name && entry.raw !== '');
		return parameter
			? cutText(maskCertain(cleanText(decodeAll(parameter.raw), maxCampaign)), maxCampaign)
			: '';
	};
	const sent = new Set(parameters.filter(({ raw }) => raw !== '').map(({ name }) => name));
	return {
		source: read('utm_source') || read('ref'),
		utm_source: read('utm_source'),
		utm_medium: read('utm_medium'),
		utm_campaign: read('utm_campaign'),
		utm_term: read('utm_term'),
		utm_content: read('utm_content'),
		click_id: [...clickIds.keys()].find((name) => sent.has(name)) ?? '',
	};
}

/** Signs that would end or divide a path, or a query, if they were decoded. */
const pathSigns = /[/\\?#%]/g;
const querySigns = /[&=+#%]/g;

/** Readable and masked, segment by segment. */
export function cleanPath(path: string): string {
	const segments = path.split('/').map((segment) => cleanPart(segment, pathSigns));
	return maskAfterVerbs(segments.join('/'));
}

function cleanParameter({ name, raw }: Parameter): string {
	const cleanName = cleanPart(encodeSigns(name, querySigns), querySigns);
	if (raw === '') return cleanName;
	return `${cleanName}=${isSecretName(name) ? maskNamed(raw) : cleanPart(raw, querySigns)}`;
}

/** Masks see through any number of encodings that anybody would write; what they leave alone is kept as it was meant. */
function cleanPart(text: string, signs: RegExp): string {
	const decoded = decodeAll(text);
	const masked = mask(decoded);
	const shown = masked === decoded ? decodePercent(text, signs) : encodeSigns(masked, signs);
	return cleanText(shown, maxAddress);
}

const encodeSigns = (text: string, signs: RegExp): string =>
	text.replace(signs, (sign) => encodeURIComponent(sign));

const nothing = /(?!)/g;

function decodeAll(text: string): string {
	let decoded = text;
	for (let times = 0; times < 4 && decoded.includes('%'); times++) {
		const next = decode(decoded);
		if (next === decoded) break;
		decoded = next;
	}
	return decoded;
}

function decode(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		// Somewhere in it are bytes that are no text: the rest can be read all the same, more slowly.
		return decodePercent(text, nothing);
	}
}

/** What follows these in a path is most often a secret for one person, even when it is short. */
const verbs =
	/(\/[^/]{0,24}(?:reset|verif|confirm|activat|unsubscri|invit|magic|one-?time|optin|opt-in)[^/]{0,24}\/)([^/]{6,})/gi;

const maskAfterVerbs = (path: string): string =>
	path.replace(verbs, (all, before: string, segment: string) =>
		/\d/.test(segment) && !/^\d{1,8}$/.test(segment) ? `${before}[hidden]` : all,
	);

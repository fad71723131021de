import type { Event } from '../event.ts';
import { clickIds } from '../lookups/click-ids.ts';
import { cleanText, cutText } from '../text.ts';
import { cleanPart, cleanPath, decodeAll, encodeSigns, maxAddress, querySigns } from './clean-path.ts';
import { isSecretName, mask, maskCertain, maskNamed } from './mask.ts';
import { Dropped, type Step } from './step.ts';

/**
 * Splits the URL of the page into hostname, path and query.
 *
 * Parameters that the owner excludes are removed before anything reads them, including `utm_source`. `&` removes all from the query,
 * but campaigns are still read unless they are excluded by name. Campaigns and click ids move to their own columns; only the kind of a
 * click id is stored, because its value identifies who clicked. The remaining parameters are stored masked.
 *
 * The hostname keeps its `www.`, because statistics can merge `www.example.com` and `example.com` but could not separate them later.
 */
export const cleanUrl: Step = (event, hit) => {
	const { url } = hit;
	if (!url) return new Dropped('bad_url');
	event.hostname = url.hostname;
	event.title = cutText(mask(hit.title), maxTitle);
	if (hit.route !== '') event.route = cleanRoute(hit.route);
	if (url.search === '' && url.hash === '') {
		event.path = cutText(url.path, maxAddress);
		return undefined;
	}
	const { excludeParams } = hit.website;
	const route = readRoute(url.hash);
	const sent = [...readParameters(url.search.slice(1)), ...readParameters(route.query)].filter(
		({ name }) => !excludeParams.has(name),
	);
	const left = excludeParams.has('&') ? [] : sent.filter(({ name }) => !isMoved(name));
	Object.assign(event, readCampaign(sent));
	event.path = cutText(url.path + cleanPath(route.path), maxAddress);
	event.query = cutText(left.map(cleanParameter).join('&'), maxAddress);
	return undefined;
};

/** A template such as `/product/[id]`, cleaned like a path, because a framework may send the path itself. */
function cleanRoute(sent: string): string {
	const [template = ''] = sent.trim().split(/[?#]/);
	return template === '' ? '' : cutText(cleanPath(template.replace(/^\/*/, '/')), maxAddress);
}

const maxTitle = 300;
const maxCampaign = 255;

type Parameter = { name: string; raw: string };

/** Splits a query. Names are decoded; values stay encoded, except that a plus sign becomes a space. */
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
 * The tracker sends the fragment only for websites with hash routing. Anchors cannot be told from routes; parameters
 * (`#access_token=…`) and text fragments (`#:~:text=…`) are never routes.
 */
function readRoute(hash: string): { path: string; query: string } {
	const [fragment = ''] = hash.split(':~:');
	const [path = '', query = ''] = fragment.split('?');
	return path.length < 2 || /[=&]/.test(path) ? { path: '', query: '' } : { path, query };
}

/** Product Hunt and others add `ref` instead of `utm_source`. */
const isMoved = (name: string): boolean => name.startsWith('utm_') || name === 'ref' || clickIds.has(name);

/** `source` is the text from the URL; attributeSource turns it into the name of a source. */
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

function cleanParameter({ name, raw }: Parameter): string {
	const cleanName = cleanPart(encodeSigns(name, querySigns), querySigns);
	if (raw === '') return cleanName;
	return `${cleanName}=${isSecretName(name) ? maskNamed(raw) : cleanPart(raw, querySigns)}`;
}

import { track } from './page-view.ts';
import { data } from './settings.ts';

const files = /\.(7z|apk|csv|deb|dmg|docx?|epub|exe|gz|iso|mp[34]|msi|pdf|pkg|pptx?|rar|txt|wav|xlsx?|zip)$/i;

/** Events that are noticed by themselves can be switched off by their name: data-outbound="off". */
const trackUnlessOff = (name: string, properties: Properties) => {
	if (data[name] !== 'off') track(name, { properties });
};

/** data-tm-event="Sign up" data-tm-plan="pro" is the event Sign up with the property plan. */
const trackTagged = (element: Element) => {
	const tags: Record<string, string> = {};
	for (const { name, value } of element.attributes) {
		const tag = name.split('data-tm-')[1];
		if (tag) tags[tag] = value;
	}
	const { event, ...properties } = tags;
	if (event) track(event, { properties });
};

export const noticeClick = (event: MouseEvent) => {
	// The path leads out of shadow trees too. It ends with the document and the window, which match nothing.
	const find = <Found extends Element>(selector: string) =>
		(event.composedPath() as Found[]).find((element) => element.matches?.(selector));
	const link = find<HTMLAnchorElement>('a,area');
	const tagged = find('[data-tm-event]:not(form)');
	// The middle button opens links and presses nothing else; the right one opens a menu.
	if (event.button > (link ? 1 : 0)) return;
	if (tagged) trackTagged(tagged);
	if (!link) return;
	if (link.matches('[download]') || files.test(link.pathname)) trackUnlessOff('download', { url: link.href });
	// mailto: and the like have no host.
	else if (link.host && link.host !== location.host) trackUnlessOff('outbound', { url: link.href });
};

/** Attributes, not members: a field with the name `id` or `action` hides the form's own. */
export const noticeSubmit = ({ target: form }: { target: HTMLFormElement }) => {
	trackTagged(form);
	// Attributes can be had by their names, which TypeScript does not know.
	const { id, action } = form.attributes as unknown as Record<string, Attr | undefined>;
	trackUnlessOff(
		'form',
		id ? { id: id.value } : { action: new URL(action?.value || '', location.href).pathname },
	);
};

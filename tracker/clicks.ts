import { track } from './page-view.ts';
import { data } from './settings.ts';

const files = /\.(7z|apk|csv|deb|dmg|docx?|epub|exe|gz|iso|mp[34]|msi|pdf|pkg|pptx?|rar|txt|wav|xlsx?|zip)$/i;

/** Automatic events can be turned off by name: data-outbound="off". */
const trackUnlessOff = (name: string, properties: Properties) => {
	if (data[name] !== 'off') track(name, { properties });
};

/** data-tm-event="Sign up" data-tm-plan="pro" sends the event Sign up with the property plan. */
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
	// The composed path leaves shadow trees. It ends with the document and the window, which have no `matches`.
	const find = <Found extends Element>(selector: string) =>
		(event.composedPath() as Found[]).find((element) => element.matches?.(selector));
	const link = find<HTMLAnchorElement>('a,area');
	const tagged = find('[data-tm-event]:not(form)');
	// The middle button only opens links; the right button opens a menu.
	if (event.button > (link ? 1 : 0)) return;
	if (tagged) trackTagged(tagged);
	if (!link) return;
	if (link.matches('[download]') || files.test(link.pathname)) trackUnlessOff('download', { url: link.href });
	// mailto: and the like have no host.
	else if (link.host && link.host !== location.host) trackUnlessOff('outbound', { url: link.href });
};

/** Reads attributes, because a field named `id` or `action` hides the property of the form. */
export const noticeSubmit = ({ target: form }: { target: HTMLFormElement }) => {
	trackTagged(form);
	// Attributes can be accessed by name, which the types do not have.
	const { id, action } = form.attributes as unknown as Record<string, Attr | undefined>;
	trackUnlessOff(
		'form',
		id ? { id: id.value } : { action: new URL(action?.value || '', location.href).pathname },
	);
};

import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import { ApiError } from './api-client.ts';
import { loadPageTexts } from './texts/texts.ts';

/** A page younger than this was loaded from the version that the server serves now. */
const youngMs = 30_000;
const againAfterMs = 500;

/** A component with its own bundle, loaded when it is first shown. */
export const lazyPage = <P>(load: () => Promise<ComponentType<P>>): LazyExoticComponent<ComponentType<P>> =>
	lazy(async () => ({ default: await loadFile(load) }));

/** Also loads the page texts, which are not part of the first load. */
export const lazyPageWithTexts = <P>(
	load: () => Promise<ComponentType<P>>,
): LazyExoticComponent<ComponentType<P>> =>
	lazyPage(async () => (await Promise.all([load(), loadPageTexts()]))[0]);

/**
 * Retries a file once. If it is gone because the server was upgraded, the page reloads; its state is in the URL.
 */
async function loadFile<T>(load: () => Promise<T>): Promise<T> {
	try {
		return await load();
	} catch {
		await new Promise((resolve) => setTimeout(resolve, againAfterMs));
	}
	try {
		await loadFailedStyles();
		return await load();
	} catch (cause) {
		if (!(await isServed()))
			throw new ApiError(0, { code: 'offline', message: 'The service cannot be reached.' });
		// Never reloads twice in a row: a file that a fresh page cannot load would fail again.
		if (performance.now() < youngMs) throw cause;
		location.reload();
		return new Promise(() => {});
	}
}

/** Whether a reload could help. */
const isServed = (): Promise<boolean> =>
	fetch(location.pathname, { method: 'HEAD', cache: 'no-store' }).then(
		({ ok }) => ok,
		() => false,
	);

const failedStyles = new Set<HTMLLinkElement>();

/** Vite requests a style sheet only once, so failed ones are remembered here. */
export function watchStyles(): void {
	const remember = ({ target }: Event) => {
		if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') failedStyles.add(target);
	};
	addEventListener('error', remember, { capture: true });
}

async function loadFailedStyles(): Promise<void> {
	const links = [...failedStyles];
	failedStyles.clear();
	await Promise.all(
		links.map((failed) => {
			const link = document.createElement('link');
			link.rel = 'stylesheet';
			link.href = failed.href;
			failed.replaceWith(link);
			return new Promise((resolve, reject) => {
				link.addEventListener('load', resolve);
				link.addEventListener('error', () => reject(new Error(`${link.href} did not come.`)));
			});
		}),
	);
}

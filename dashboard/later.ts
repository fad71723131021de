import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import { ApiError } from './api-client.ts';
import { loadRooms } from './texts/texts.ts';

/** A page that is younger than this is of the version that the service gives out. */
const youngMs = 30_000;
const againAfterMs = 500;

/** What is drawn by a file of its own, which comes when it is first shown. */
export const later = <P>(load: () => Promise<ComponentType<P>>): LazyExoticComponent<ComponentType<P>> =>
	lazy(async () => ({ default: await loadFile(load) }));

/** The same, with the half of the texts that the first load has no room for. */
export const laterWithWords = <P>(
	load: () => Promise<ComponentType<P>>,
): LazyExoticComponent<ComponentType<P>> => later(async () => (await Promise.all([load(), loadRooms()]))[0]);

/**
 * A file that did not come is asked for once more. If it is gone, because the service was upgraded since the page was
 * opened, the page is loaded anew: its address says all that it shows.
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
		// Never twice in a row: what a young page misses would be missed by the next one too.
		if (performance.now() < youngMs) throw cause;
		location.reload();
		return new Promise(() => {});
	}
}

/** Whether loading the page anew would show anything. */
const isServed = (): Promise<boolean> =>
	fetch(location.pathname, { method: 'HEAD', cache: 'no-store' }).then(
		({ ok }) => ok,
		() => false,
	);

const failedStyles = new Set<HTMLLinkElement>();

/** Vite asks for a style sheet once and never again, so those that fail are remembered here. */
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

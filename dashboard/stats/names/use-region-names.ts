import { useSyncExternalStore } from 'react';

type RegionName = (region: string, language: string) => string;

const code = /^[A-Z]{2}-[A-Z0-9]{1,3}$/;

let nameOf: RegionName = (region) => {
	if (code.test(region)) void load();
	return region;
};
let isRequested = false;
const listeners = new Set<() => void>();

/** The list of regions is large and loads when the first region is shown. Without it, regions keep their code. */
async function load(): Promise<void> {
	if (isRequested) return;
	isRequested = true;
	try {
		const { regionName } = await import('./region-list.ts');
		nameOf = (region, language) => regionName(region, language) ?? region;
		for (const listener of listeners) listener();
	} catch {
		isRequested = false;
	}
}

const subscribe = (listener: () => void) => {
	listeners.add(listener);
	return () => void listeners.delete(listener);
};

/** Name of a region. A geolocation database may store names instead of codes; they stay as they are. */
export const useRegionNames = (): RegionName => useSyncExternalStore(subscribe, () => nameOf);

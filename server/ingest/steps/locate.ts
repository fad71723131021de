import type { Step } from './step.ts';

/** Adds country, region and city of the IP address. The default database only has countries. */
export const locate: Step = (event, hit, { geo }) => {
	const { country, region, city } = geo.find(hit.address);
	event.country = country;
	event.region = region;
	event.city = city;
	return undefined;
};

import type { Step } from './step.ts';

/** Adds country, region and city of the IP address. The default database only has countries. */
export const locate: Step = (event, hit, { geo }) => ({ ...event, ...geo.find(hit.address) });

import type { Step } from './step.ts';

/** The place that the loaded database knows for the address: often only a country, and never a street. */
export const locate: Step = (event, hit, { places }) => ({ ...event, ...places.find(hit.address) });

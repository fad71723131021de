import { fathom } from './fathom.ts';
import { ga4 } from './ga4.ts';
import type { Importer, ImportSource } from './importer.ts';
import { matomo } from './matomo.ts';
import { plausible } from './plausible.ts';
import { simpleAnalytics } from './simple-analytics.ts';
import { umami } from './umami.ts';

/** Where imports can come from. */
const importers: Readonly<Record<ImportSource, Importer>> = {
	plausible,
	umami,
	ga4,
	matomo,
	fathom,
	'simple-analytics': simpleAnalytics,
};

export const findImporter = (source: ImportSource): Importer => importers[source];

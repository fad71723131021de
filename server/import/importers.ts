import type { Importer, ImportSource } from './importer.ts';
import { plausible } from './plausible.ts';

/** Where imports can come from. */
export const importers: readonly Importer[] = [plausible];

export const findImporter = (source: ImportSource): Importer | undefined =>
	importers.find((one) => one.source === source);

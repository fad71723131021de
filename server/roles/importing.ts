import { openPlaces } from '../collect/places.ts';
import type { Config } from '../config.ts';
import { createUploads } from '../import/uploads.ts';

/** What imports need of the machine. */
export const importing = ({ dataFolder, geoFile }: Config) => ({
	uploads: createUploads(dataFolder),
	places: () => openPlaces(geoFile),
});

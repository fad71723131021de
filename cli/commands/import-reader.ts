import { runReader } from '../../server/import/run-reader.ts';

/** `tidemark import-reader`: parses the file of an import. Started by the service, not by users. */
export function importReaderCommand(): void {
	runReader();
}

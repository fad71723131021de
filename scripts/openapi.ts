/** Writes api/openapi.json from the list of routes; with --check it only says whether the committed one is current. */
import { readFileSync, writeFileSync } from 'node:fs';
import { describeApi } from '../server/http/api/openapi.ts';

const { version }: { version: string } = JSON.parse(readFileSync('package.json', 'utf8'));
const text = `${JSON.stringify(describeApi(version), null, '\t')}\n`;
const file = 'api/openapi.json';

if (process.argv.includes('--check')) {
	if (readFileSync(file, 'utf8') !== text) {
		console.error(`${file} is not what the routes say: run npm run openapi.`);
		process.exit(1);
	}
} else writeFileSync(file, text);

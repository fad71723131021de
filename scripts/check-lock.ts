/** The lock file must install from whatever registry a machine is set up with. */
import { readFileSync } from 'node:fs';

const named = readFileSync('package-lock.json', 'utf8').match(/"resolved": "https?:[^"]*"/g) ?? [];
if (named.length > 0) {
	console.error(`package-lock.json names download addresses: ${named.slice(0, 3).join(' ')} …`);
	process.exit(1);
}

/** The published package carries JavaScript: Node strips no types below node_modules. */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { buildDashboard } from './build-dashboard.ts';
import { buildTracker } from './build-tracker.ts';

rmSync('dist', { recursive: true, force: true });
const result = spawnSync('node_modules/ts7/bin/tsc', ['-p', 'tsconfig.build.json'], { stdio: 'inherit' });
process.exitCode = result.status ?? 1;
for (const file of await buildTracker('dist/tracker'))
	console.log(`${file.name}: ${file.bytes} bytes, ${file.gzipped} gzipped`);
await buildDashboard();

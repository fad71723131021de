/** Builds what the package carries: the program, the tracker and the dashboard. */
import { rmSync } from 'node:fs';
import { buildDashboard } from './build-dashboard.ts';
import { buildProgram } from './build-program.ts';
import { buildTracker } from './build-tracker.ts';

rmSync('dist', { recursive: true, force: true });
await buildProgram();
for (const file of await buildTracker('dist/tracker'))
	console.log(`${file.name}: ${file.bytes} bytes, ${file.gzipped} gzipped`);
await buildDashboard();

/**
 * A merge that is killed in the midst, by itself: `node test/support/merge-process.ts '{"settings": …, "path": …, "part": 0.5}'`.
 * The archive is read three times: judged, staged, written. It ends in the third, when that part of the file was read.
 */
import { readConfig } from '../../server/config.ts';
import { createLog } from '../../server/lib/log.ts';
import { mergeInto } from '../../server/main.ts';

// Written by merge.test.ts.
const about = JSON.parse(process.argv[2] ?? '') as {
	settings: Record<string, string>;
	path: string;
	part: number;
};
let reading = 1;
let before = 0;
await mergeInto(readConfig(about.settings), {
	...{ path: about.path, account: undefined, isDryRun: false },
	log: createLog('silent', () => undefined),
	report({ done, total }) {
		if (done < before) reading++;
		before = done;
		if (reading === 3 && done >= about.part * total) process.kill(process.pid, 'SIGKILL');
	},
});

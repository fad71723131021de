/** A reporter of the test runner: which files took longest, so that whoever finds the whole too slow knows where to look. */
import { relative } from 'node:path';
import type { TestEvent } from 'node:test/reporters';

// biome-ignore lint/style/noDefaultExport: the runner asks for it
export default async function* slowestFiles(events: AsyncIterable<TestEvent>) {
	const files: { name: string; ms: number }[] = [];
	for await (const event of events)
		if (event.type === 'test:summary' && event.data.file)
			files.push({ name: relative('.', event.data.file), ms: event.data.duration_ms });
	files.sort((a, b) => b.ms - a.ms);
	for (const { name, ms } of files.slice(0, 15))
		yield `${String(Math.round(ms / 1000)).padStart(5)} s  ${name}\n`;
}

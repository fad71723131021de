/**
 * How far a long command is. A bar on a terminal; on anything else a line now and then, so that a log stays short.
 * All on standard error: standard output is for the result.
 */
export function showProgress(stream: NodeJS.WriteStream = process.stderr) {
	let shownAt = 0;
	let open = false;
	return {
		report({ done, total }: { done: number; total: number }) {
			const now = Date.now();
			const every = stream.isTTY ? 100 : 5_000;
			if (now - shownAt < every && done < total) return;
			if (!stream.isTTY && total < 1_000) return;
			shownAt = now;
			const part = total === 0 ? 1 : done / total;
			const percent = `${Math.floor(part * 100)} %`;
			if (stream.isTTY) {
				const width = 30;
				const full = Math.round(part * width);
				stream.write(`\r${'█'.repeat(full)}${'░'.repeat(width - full)} ${percent}  ${done} of ${total} `);
				open = true;
			} else stream.write(`${percent}  ${done} of ${total}\n`);
		},
		end() {
			if (open) stream.write('\n');
			open = false;
		},
	};
}

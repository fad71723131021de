/** Progress on stderr: a bar on a terminal, otherwise a line every few seconds to keep logs short. */
export function showProgress(format: (count: number) => string = String) {
	const stream = process.stderr;
	let shownAt = 0;
	let open = false;
	return {
		report({ done, total }: { done: number; total: number }) {
			const now = Date.now();
			const intervalMs = stream.isTTY ? 100 : 5_000;
			if (now - shownAt < intervalMs && done < total) return;
			if (!stream.isTTY && total < 1_000) return;
			shownAt = now;
			const part = total === 0 ? 1 : done / total;
			const text = `${Math.floor(part * 100)} %  ${format(done)} of ${format(total)}`;
			if (stream.isTTY) {
				const width = 30;
				const full = Math.round(part * width);
				stream.write(`\r${'█'.repeat(full)}${'░'.repeat(width - full)} ${text}\x1b[K`);
				open = true;
			} else stream.write(`${text}\n`);
		},
		end() {
			if (open) stream.write('\n');
			open = false;
		},
	};
}

export const size = (bytes: number): string =>
	bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;

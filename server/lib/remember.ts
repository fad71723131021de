/**
 * Answers to a slow, pure question about a short text. As many hits share a few texts, nearly all are found here, and
 * whatever is sent, no more than `max` are kept.
 *
 * There are two halves. An answer that is used again moves to the younger one; when that is full it becomes the older
 * one, and what was not used for so long is gone. So finding an answer moves nothing, most of the time.
 */
export function remember<Answer>(ask: (text: string) => Answer, max: number): (text: string) => Answer {
	let younger = new Map<string, { answer: Answer }>();
	let older = younger;
	return (text) => {
		const young = younger.get(text);
		if (young) return young.answer;
		const kept = older.get(text) ?? { answer: ask(text) };
		if (younger.size >= max / 2) {
			older = younger;
			younger = new Map();
		}
		// A piece cut from a longer text would keep all of that in memory; a copy does not.
		younger.set(Buffer.from(text).toString(), kept);
		return kept.answer;
	};
}

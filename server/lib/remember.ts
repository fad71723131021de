/**
 * Answers of a slow, pure question about a short text, kept until `max` others have been asked for since: as many
 * hits share a few texts, nearly all are found here. The bound holds whatever is sent.
 */
export function remember<Answer>(ask: (text: string) => Answer, max: number): (text: string) => Answer {
	// A Map keeps the order of insertion, so its first entry is the one that nobody asked for longest.
	const answers = new Map<string, { answer: Answer }>();
	return (text) => {
		const known = answers.get(text);
		if (known) {
			answers.delete(text);
			answers.set(text, known);
			return known.answer;
		}
		const answer = ask(text);
		if (answers.size >= max) for (const oldest of answers.keys()) if (answers.delete(oldest)) break;
		// A piece cut from a longer text would keep all of that in memory; a copy does not.
		answers.set(Buffer.from(text).toString(), { answer });
		return answer;
	};
}

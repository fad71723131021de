/** Takes back one thing that was opened. They are listed in the order they were done. */
export type Undo = () => Promise<void>;

/** One that fails must not leave the others as they are: an engine would go on without its service. It is told afterwards. */
export async function undoAll(opened: Undo[]): Promise<void> {
	const errors: unknown[] = [];
	for (const undo of opened.splice(0).reverse()) {
		try {
			await undo();
		} catch (error) {
			errors.push(error);
		}
	}
	if (errors.length > 0) throw errors[0];
}

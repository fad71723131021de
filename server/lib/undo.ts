/** Takes back one thing that was opened. They are listed in the order they were done. */
export type Undo = () => Promise<void>;

export async function undoAll(opened: Undo[]): Promise<void> {
	for (const undo of opened.splice(0).reverse()) await undo();
}

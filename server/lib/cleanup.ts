/** Closes something that was opened. Cleanups are listed in the order of opening. */
export type Cleanup = () => Promise<void>;

/** Runs all cleanups in reverse order, even if one fails, and then throws the first error. */
export async function runCleanups(opened: Cleanup[]): Promise<void> {
	const errors: unknown[] = [];
	for (const cleanup of opened.splice(0).reverse()) {
		try {
			await cleanup();
		} catch (error) {
			errors.push(error);
		}
	}
	if (errors.length > 0) throw errors[0];
}

/** We are a guest: whatever goes wrong in here, the page never hears of it. */
export const guard =
	<Args extends unknown[]>(run: (...args: Args) => unknown) =>
	(...args: Args): void => {
		try {
			run(...args);
		} catch {
			// A lost hit is better than a broken page.
		}
	};

/** Catches all errors, because this script must never break the page that includes it. */
export const guard =
	<Args extends unknown[]>(run: (...args: Args) => unknown) =>
	(...args: Args): void => {
		try {
			run(...args);
		} catch {
			// A lost hit is better than an error in the page.
		}
	};

/** The text if it is one of the values. */
export function oneOf<V extends string>(values: readonly V[], text: string | null): V | undefined {
	return values.find((value) => value === text);
}

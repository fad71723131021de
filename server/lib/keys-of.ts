/** `Object.keys` with the type of the keys, for objects that have no other keys than their type says. */
export const keysOf = <T extends object>(object: T): (keyof T & string)[] =>
	Object.keys(object) as (keyof T & string)[];

const known = new Set([...Intl.supportedValuesOf('timeZone'), 'UTC']);

/**
 * The IANA zone as it is spelt, or undefined when the runtime knows none. Letter case is mended, because databases
 * are strict about it; old names (`US/Eastern`) stay as they are; offsets (`+02:00`) have no rules and are no zones.
 */
export function findTimezone(text: string): string | undefined {
	if (known.has(text)) return text;
	if (!/^[A-Za-z]+[A-Za-z0-9]*([/_+-][A-Za-z0-9]+)*$/.test(text)) return undefined;
	try {
		const resolved = new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone;
		if (resolved.toLowerCase() === text.toLowerCase()) return resolved;
		// An old name must be spelt as databases spell it: `US/Eastern`, `EST5EDT`, not `us/eastern` or `US/EASTERN`.
		return text.split('/').every((part) => /^[A-Z]/.test(part) && (part.length < 5 || /[a-z0-9]/.test(part)))
			? text
			: undefined;
	} catch {
		return undefined;
	}
}

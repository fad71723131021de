const known = new Set([...Intl.supportedValuesOf('timeZone'), 'UTC']);

/**
 * The IANA zone with its canonical letter case, which databases require; undefined if it is unknown. Old names (`US/Eastern`)
 * are kept. Offsets (`+02:00`) are not zones.
 */
export function findTimezone(text: string): string | undefined {
	if (known.has(text)) return text;
	if (!/^[A-Za-z]+[A-Za-z0-9]*([/_+-][A-Za-z0-9]+)*$/.test(text)) return undefined;
	try {
		const resolved = new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone;
		if (resolved.toLowerCase() === text.toLowerCase()) return resolved;
		// Old names need the letter case of the databases: `US/Eastern`, `EST5EDT`, not `us/eastern` or `US/EASTERN`.
		return text.split('/').every((part) => /^[A-Z]/.test(part) && (part.length < 5 || /[a-z0-9]/.test(part)))
			? text
			: undefined;
	} catch {
		return undefined;
	}
}

type Forms = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>;

/** Selects the plural form for a count. */
export function createPlural(language: string): (count: number, forms: Forms) => string {
	const rules = new Intl.PluralRules(language);
	return (count, forms) => forms[rules.select(count)] ?? forms.other;
}

/** Country codes by English name, as Google and Matomo write them. */
let codes: ReadonlyMap<string, string> | undefined;

export function codeOfCountry(name: string): string {
	codes ??= makeCodes();
	return codes.get(name.trim().toLowerCase()) ?? '';
}

/** All names of the runtime, and different spellings of other products. */
function makeCodes(): ReadonlyMap<string, string> {
	const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
	const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
	const all = new Map<string, string>();
	for (const first of letters)
		for (const second of letters) {
			const code = first + second;
			const name = names.of(code);
			// The runtime also has names for old codes and regions; the first code of a name is the country.
			if (name !== undefined && !old.has(code)) all.set(name.toLowerCase(), code);
		}
	for (const [name, code] of others) all.set(name, code);
	return all;
}

const old = new Set([
	'BU',
	'CS',
	'DD',
	'DY',
	'EU',
	'EZ',
	'FX',
	'HV',
	'NH',
	'QO',
	'RH',
	'SU',
	'TP',
	'UK',
	'UN',
	'VD',
	'YD',
	'YU',
	'ZR',
	'ZZ',
	'XA',
	'XB',
	'AN',
	'NT',
]);

const others: readonly [string, string][] = [
	['turkey', 'TR'],
	['türkiye', 'TR'],
	['hong kong', 'HK'],
	['macao', 'MO'],
	['macau', 'MO'],
	['myanmar', 'MM'],
	['czech republic', 'CZ'],
	['ivory coast', 'CI'],
	["côte d'ivoire", 'CI'],
	['palestine', 'PS'],
	['congo - kinshasa', 'CD'],
	['congo - brazzaville', 'CG'],
	['bosnia and herzegovina', 'BA'],
	['trinidad and tobago', 'TT'],
	['antigua and barbuda', 'AG'],
	['saint kitts and nevis', 'KN'],
	['saint lucia', 'LC'],
	['saint vincent and the grenadines', 'VC'],
	['são tomé and príncipe', 'ST'],
];

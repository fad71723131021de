/** What the service finds when it examines itself. For accounts of operators, and for the operator's command. */

/** What is looked at, in the order it is shown. */
export const doctorChecks = [
	'settings',
	'address',
	'clock',
	'disk',
	'mail',
	'engines',
	'geolocation',
	'event_log',
	'duplicates',
	'derived',
	'certificates',
	'versions',
	'leftovers',
] as const;

export type DoctorCheck = (typeof doctorChecks)[number];

/** `what` says what is, `advice` what to do about it; null where there is nothing to do. */
export type Finding = {
	check: DoctorCheck;
	state: 'ok' | 'notice' | 'problem';
	what: string;
	advice: string | null;
};

export type DoctorRecord = { examined_at: string; findings: Finding[] };

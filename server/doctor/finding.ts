import type { DoctorCheck, Finding } from '../../api/doctor.ts';

/** A finding without the name of its check, which doctor.ts adds. */
export type CheckResult = Omit<Finding, 'check'>;
export type { DoctorCheck, Finding };

export const ok = (what: string): CheckResult => ({ state: 'ok', what, advice: null });
export const notice = (what: string, advice: string): CheckResult => ({ state: 'notice', what, advice });
export const problem = (what: string, advice: string): CheckResult => ({ state: 'problem', what, advice });

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

export function bytesInWords(bytes: number): string {
	const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
	const amount = bytes / 1000 ** power;
	return `${power > 0 && amount < 10 ? amount.toFixed(1) : Math.round(amount)} ${units[power]}`;
}

export function secondsInWords(seconds: number): string {
	if (seconds < 120) return `${Math.round(seconds)} seconds`;
	if (seconds < 7_200) return `${Math.round(seconds / 60)} minutes`;
	return seconds < 172_800 ? `${Math.round(seconds / 3_600)} hours` : `${Math.round(seconds / 86_400)} days`;
}

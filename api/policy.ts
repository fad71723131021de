import { z } from 'zod';

/** What an account requires of people who work with its websites. It stands below `/app/api/policy` and is not for programs. */
const signIn = z.literal(['any', 'second_factor', 'provider'], {
	error: 'The sign_in field must be any, second_factor or provider.',
});

const atMost = (least: number, most: number, message: string) =>
	z.int(message).min(least, message).max(most, message).nullable();

const idleMinutes = atMost(
	15,
	10_080,
	'The session_idle_minutes field must be a whole number from 15 to 10080, or null.',
);
const sessionHours = atMost(1, 720, 'The session_hours field must be a whole number from 1 to 720, or null.');
const networks = z
	.array(z.string('The networks field must be a list of IP addresses and networks.'))
	.min(1, 'The networks field must name a network, or be null.')
	.max(100, 'The networks field must not name more than 100 networks.')
	.nullable();

export const policyBody = z.object({
	sign_in: signIn,
	session_idle_minutes: idleMinutes,
	session_hours: sessionHours,
	networks,
});

export type PolicyRecord = {
	sign_in: 'any' | 'second_factor' | 'provider';
	/** A session ends when it is unused for so long; null: as the service has it. */
	session_idle_minutes: number | null;
	/** A session ends at the latest after so many hours; null: as the service has it. */
	session_hours: number | null;
	/** IP addresses and networks of the dashboard and of API keys; null: any. */
	networks: string[] | null;
};

export type AccountPolicyRecord = {
	policy: PolicyRecord;
	/** What the operator requires in every account. Its networks are the operator's business. */
	service: Omit<PolicyRecord, 'networks'> & { has_networks: boolean };
	/** The address that the browser is seen with. */
	address: string;
};

export type PolicyCode = 'network_not_allowed' | 'provider_required' | 'second_factor_required';

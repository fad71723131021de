/**
 * The service examines itself: the list of what is looked at. Each check says what is and what to do about it, and none changes
 * anything. A check that fails or takes too long is a finding too, so that one broken part does not hide the others.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { findPublicAddress } from '../accounts/setup.ts';
import type { Config } from '../config.ts';
import type { SealServices } from '../derive/sealing.ts';
import type { SmtpSettings } from '../mail/smtp.ts';
import type { EventLog } from '../store/event-log.ts';
import { examineAddress, type SeenProxies } from './address.ts';
import { examineCertificates } from './certificates.ts';
import { examineEngines, examineLeftovers, examineVersions } from './engines.ts';
import { examineDerived, examineDuplicates, examineEventLog } from './events.ts';
import { type DoctorCheck, type Finding, type Look, problem, reasonOf } from './finding.ts';
import { examineClock, examineDisk } from './machine.ts';
import { examineMail } from './mail.ts';
import { examineSettings } from './settings.ts';

export type Patient = SealServices & {
	config: Config;
	version: string;
	mail: SmtpSettings | undefined;
	/** Only of a running service. */
	proxies: SeenProxies | undefined;
	lag?: EventLog['lag'] | undefined;
};

type Check = (patient: Patient) => Look[] | Promise<Look[]>;

const publicAddressOf = async ({ config, postgres }: Patient) =>
	config.baseUrl ?? (await findPublicAddress(postgres));

/** Everything that is looked at, in the order it is shown. */
const checks: Record<DoctorCheck, Check> = {
	settings: ({ config }) => examineSettings(config),
	address: async (patient) =>
		examineAddress(patient.config, {
			publicAddress: await publicAddressOf(patient),
			proxies: patient.proxies,
		}),
	clock: examineClock,
	disk: examineDisk,
	mail: examineMail,
	engines: examineEngines,
	event_log: examineEventLog,
	duplicates: ({ clickhouse, now }) => examineDuplicates({ clickhouse, today: now() }),
	derived: (patient) => examineDerived(patient, patient.now()),
	certificates: async (patient) =>
		examineCertificates(patient.config, {
			publicAddress: await publicAddressOf(patient),
			now: patient.now(),
		}),
	versions: examineVersions,
	leftovers: examineLeftovers,
};

const withinMs = 30_000;

export async function examine(
	patient: Patient,
	report: (progress: { done: number; total: number }) => void = () => undefined,
): Promise<Finding[]> {
	const list = Object.entries(checks);
	const findings: Finding[] = [];
	for (const [done, [name, check]] of list.entries()) {
		report({ done, total: list.length });
		// Object.entries forgets that the names are those of the table.
		for (const look of await lookAt(check, patient))
			findings.push({ check: name as DoctorCheck, ...hideSecrets(look, patient.config) });
	}
	report({ done: list.length, total: list.length });
	return findings;
}

/** For whoever may ask at any time: two who ask at once are told the same. */
export function examineOnce(patientOf: () => Patient): () => Promise<Finding[]> {
	let running: Promise<Finding[]> | undefined;
	return () => {
		running ??= examine(patientOf()).finally(() => {
			running = undefined;
		});
		return running;
	};
}

async function lookAt(check: Check, patient: Patient): Promise<Look[]> {
	const ending = new AbortController();
	const late = sleep(withinMs, undefined, { signal: ending.signal }).then(() => {
		throw new Error(`it took longer than ${withinMs / 1000} seconds`);
	});
	try {
		return await Promise.race([check(patient), late]);
	} catch (error) {
		return [
			problem(
				`This could not be looked at: ${reasonOf(error)}`,
				'Mend what else is found first, then ask again; the log may say more.',
			),
		];
	} finally {
		late.catch(() => undefined);
		ending.abort();
	}
}

/** Its password, or the token or seed that stands where a name does. */
const secretOf = ({ username, password }: URL): string => decodeURIComponent(password || username);

/** What servers say may repeat what they were told. */
function hideSecrets(look: Look, config: Config): Look {
	const passwords = [config.databaseUrl, config.clickhouseUrl]
		.filter((url) => url !== undefined)
		.flatMap((url) => [url, decodeURIComponent(new URL(url).password)]);
	const ofNats = (config.natsUrl?.split(',') ?? []).flatMap((url) => [url, secretOf(new URL(url.trim()))]);
	const secrets = [...passwords, ...ofNats, config.secret, config.smtpPassword, config.metricsToken];
	const hide = (text: string) =>
		secrets.reduce<string>((shown, secret) => (secret ? shown.replaceAll(secret, '…') : shown), text);
	return { ...look, what: hide(look.what), advice: look.advice === null ? null : hide(look.advice) };
}

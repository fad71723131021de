import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, hasOwnDatabase } from '../config.ts';
import type { Clock } from '../lib/clock.ts';
import { type Disk, fullBelowBytes, readDisk } from '../lib/disk.ts';
import { dayMs } from '../lib/durations.ts';
import type { ClickHouse } from '../store/clickhouse.ts';
import type { Postgres } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import { bytesInWords, type CheckResult, notice, ok, problem, secondsInWords } from './finding.ts';

type ClockServices = {
	config: Config;
	postgres: Postgres;
	clickhouse?: ClickHouse | undefined;
	now: Clock;
};

const clockAdvice = 'Run an NTP client on each machine, such as systemd-timesyncd or chrony.';

/** Days, salts and sessions depend on the clock. It is compared with the databases and files; no other host is contacted. */
export async function examineClock({
	config,
	postgres,
	clickhouse,
	now,
}: ClockServices): Promise<CheckResult[]> {
	const found: CheckResult[] = [];
	const compareWith = async (name: string, readClock: () => Promise<number>) => {
		const before = now().getTime();
		const remote = await readClock();
		const after = now().getTime();
		// The remote clock was read at some moment between the two.
		const seconds = Math.max(before - remote, remote - after, 0) / 1000;
		if (seconds <= 2) return;
		const what = `The clock of ${name} differs from this machine’s by ${secondsInWords(seconds)}.`;
		found.push(seconds > 60 ? problem(what, clockAdvice) : notice(what, clockAdvice));
	};
	await compareWith('PostgreSQL', async () => {
		const [row] = await postgres.rows<{ ms: number }>(
			sql`SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms`,
		);
		return row?.ms ?? 0;
	});
	if (clickhouse)
		await compareWith('ClickHouse', async () => {
			const [row] = await clickhouse.rows<{ ms: string }>(
				sql`SELECT toUnixTimestamp64Milli(now64(3)) AS ms`,
				{ name: 'doctor' },
			);
			return Number(row?.ms ?? 0);
		});
	const ahead = (newestChange(config.dataFolder) - now().getTime()) / 1000;
	if (ahead > 60)
		found.push(
			problem(
				`Files in ${config.dataFolder} are dated ${secondsInWords(ahead)} in the future; the clock was set back.`,
				clockAdvice,
			),
		);
	// The wall clock against the monotonic clock.
	const jumped = Math.abs(Date.now() - (performance.timeOrigin + performance.now())) / 1000;
	if (jumped > 10)
		found.push(
			notice(
				`The clock jumped by ${secondsInWords(jumped)} since this process started, or the machine was suspended.`,
				`${clockAdvice} Events of that time may be assigned to a wrong hour.`,
			),
		);
	return found.length > 0
		? found
		: [ok('The clocks of this machine and its databases agree, and no file is dated in the future.')];
}

/** Latest modification time, in milliseconds, of files that the databases write all the time. */
function newestChange(dataFolder: string): number {
	const folders = [dataFolder, join(dataFolder, 'postgres'), join(dataFolder, 'postgres', 'global')];
	const times = folders.flatMap((folder) => {
		try {
			return readdirSync(folder).flatMap(
				(name) => lstatSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? [],
			);
		} catch {
			// The folder does not exist or belongs to another user.
			return [];
		}
	});
	return Math.max(0, ...times);
}

const gigabyte = 1e9;
const growthDays = 7;

/** Free space, and how long it lasts at the growth of the last week. */
export async function examineDisk({
	config,
	postgres,
	clickhouse,
	now,
}: ClockServices): Promise<CheckResult[]> {
	// Report the free space even if the growth cannot be queried.
	const growth = clickhouse ? await growthOf(postgres, clickhouse, now).catch(() => 0) : 0;
	const here = await readDisk(config.dataFolder);
	const isServer = config.clickhouseUrl !== undefined;
	const found = hasOwnDatabase(config)
		? [judgeDisk(`The disk of ${config.dataFolder}`, here, isServer ? 0 : growth)]
		: [ok('The data folder contains no database; both databases are servers.')];
	if (isServer && clickhouse) {
		const disks = await clickhouse.rows<{ free: string; total: string }>(
			sql`SELECT toString(min(unreserved_space)) AS free, toString(min(total_space)) AS total FROM system.disks`,
			{ name: 'doctor' },
		);
		const [disk] = disks;
		if (disk && Number(disk.total) > 0)
			found.push(
				judgeDisk('The disk of ClickHouse', { free: Number(disk.free), total: Number(disk.total) }, growth),
			);
	}
	return found;
}

/** Bytes per day: events of the last complete days times the average size of a stored event. */
async function growthOf(postgres: Postgres, clickhouse: ClickHouse, now: Clock): Promise<number> {
	const [from, to] = [growthDays, 1].map((days) =>
		new Date(now().getTime() - days * dayMs).toISOString().slice(0, 10),
	);
	const [recent] = await postgres.rows<{ events: number }>(
		sql`SELECT coalesce(sum(size), 0)::bigint AS events FROM days WHERE date BETWEEN ${value(from)} AND ${value(to)}`,
	);
	const [stored] = await clickhouse.rows<{ bytes: string; events: string }>(
		sql`SELECT toString(sum(bytes_on_disk)) AS bytes, toString(sumIf(rows, table = 'events')) AS events
			FROM system.parts WHERE active AND database = currentDatabase()`,
		{ name: 'doctor' },
	);
	const bytesPerEvent = Number(stored?.bytes ?? 0) / Math.max(1, Number(stored?.events ?? 0));
	return ((recent?.events ?? 0) / growthDays) * bytesPerEvent;
}

export function judgeDisk(
	name: string,
	disk: Pick<Disk, 'free' | 'total'> & { state?: Disk['state'] },
	growthPerDay: number,
): CheckResult {
	const days = growthPerDay > 0 ? disk.free / growthPerDay : Number.POSITIVE_INFINITY;
	const share = disk.free / Math.max(1, disk.total);
	const duration =
		days > 3_650
			? 'enough for years'
			: `enough for ${Math.floor(days)} days at ${bytesInWords(growthPerDay)} per day, as in the last week`;
	const free = `${bytesInWords(disk.free)} of ${bytesInWords(disk.total)} free`;
	const advice = 'Enlarge the disk, or shorten the data retention of large websites.';
	if (disk.state === 'full' || disk.free < fullBelowBytes)
		return problem(
			`${name} is full: it has ${free}, and hits may be rejected.`,
			`Free some space now. ${advice}`,
		);
	// Do not say that a nearly full disk is enough for years, even if it barely grew last week.
	const isTight = disk.free < gigabyte || days < 14;
	const what = isTight && days > 3_650 ? `${name} has ${free}.` : `${name} has ${free}, ${duration}.`;
	// 5 % of a large disk is still a lot.
	const isBelow = (minShare: number, minBytes: number) => share < minShare && disk.free < minBytes;
	if (disk.free < gigabyte || isBelow(0.05, 10 * gigabyte) || days < 14) return problem(what, advice);
	return isBelow(0.1, 50 * gigabyte) || days < 60 ? notice(what, advice) : ok(what);
}

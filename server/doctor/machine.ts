import { lstatSync, readdirSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { Clock } from '../lib/clock.ts';
import type { ClickHouse } from '../store/clickhouse.ts';
import type { Postgres } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import { bytesInWords, type Look, notice, ok, problem, secondsInWords } from './finding.ts';

type ClockServices = { config: Config; postgres: Postgres; clickhouse: ClickHouse; now: Clock };

const mendClock = 'Run a time service on each machine, such as systemd-timesyncd or chrony.';

/** Days, salts and sessions go by the clock. It is compared with what is at hand; no other host is asked. */
export async function examineClock({ config, postgres, clickhouse, now }: ClockServices): Promise<Look[]> {
	const found: Look[] = [];
	const apart = async (name: string, ask: () => Promise<number>) => {
		const before = now().getTime();
		const there = await ask();
		const after = now().getTime();
		// Its answer was made at some moment between the two.
		const seconds = Math.max(before - there, there - after, 0) / 1000;
		if (seconds <= 2) return;
		const what = `The clock of ${name} is ${secondsInWords(seconds)} apart from the one of this machine.`;
		found.push(seconds > 60 ? problem(what, mendClock) : notice(what, mendClock));
	};
	await apart('PostgreSQL', async () => {
		const [row] = await postgres.rows<{ ms: number }>(
			sql`SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms`,
		);
		return row?.ms ?? 0;
	});
	await apart('ClickHouse', async () => {
		const [row] = await clickhouse.rows<{ ms: string }>(sql`SELECT toUnixTimestamp64Milli(now64(3)) AS ms`, {
			name: 'doctor',
		});
		return Number(row?.ms ?? 0);
	});
	const ahead = (newestChange(config.dataFolder) - now().getTime()) / 1000;
	if (ahead > 60)
		found.push(
			problem(
				`Files in ${config.dataFolder} were written ${secondsInWords(ahead)} in the future, so the clock was set back.`,
				mendClock,
			),
		);
	// What the clock went by, against a counter that nobody sets.
	const jumped = Math.abs(Date.now() - (performance.timeOrigin + performance.now())) / 1000;
	if (jumped > 10)
		found.push(
			notice(
				`The clock was moved by ${secondsInWords(jumped)} since this process started, or the machine slept.`,
				`${mendClock} Events of that time may stand on a wrong hour.`,
			),
		);
	return found.length > 0
		? found
		: [ok('The clocks of this machine and its databases agree, and no file is from the future.')];
}

/** Of the files that engines write all the time; in milliseconds. */
function newestChange(dataFolder: string): number {
	const folders = [dataFolder, join(dataFolder, 'postgres'), join(dataFolder, 'postgres', 'global')];
	const times = folders.flatMap((folder) => {
		try {
			return readdirSync(folder).flatMap(
				(name) => lstatSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? [],
			);
		} catch {
			// An embedded PostgreSQL may be another's, or there is none.
			return [];
		}
	});
	return Math.max(0, ...times);
}

const day = 86_400_000;
const gigabyte = 1e9;
const growthDays = 7;

/** What is free, and for how many days, if they go on as the last ones did. */
export async function examineDisk({ config, postgres, clickhouse, now }: ClockServices): Promise<Look[]> {
	const growth = await growthOf(postgres, clickhouse, now);
	const own = await statfs(config.dataFolder);
	const here = { free: own.bavail * own.bsize, total: own.blocks * own.bsize };
	const isServer = config.clickhouseUrl !== undefined;
	const found = [judgeDisk(`The disk of ${config.dataFolder}`, here, isServer ? 0 : growth)];
	if (isServer) {
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

/** Bytes a day: the events of the last whole days, each as large as one on the disk is now. */
async function growthOf(postgres: Postgres, clickhouse: ClickHouse, now: Clock): Promise<number> {
	const [from, to] = [growthDays, 1].map((days) =>
		new Date(now().getTime() - days * day).toISOString().slice(0, 10),
	);
	const [recent] = await postgres.rows<{ events: number }>(
		sql`SELECT coalesce(sum(size), 0)::bigint AS events FROM days WHERE date BETWEEN ${value(from)} AND ${value(to)}`,
	);
	const [stored] = await clickhouse.rows<{ bytes: string; events: string }>(
		sql`SELECT toString(sum(bytes_on_disk)) AS bytes, toString(sumIf(rows, table = 'events')) AS events
			FROM system.parts WHERE active AND database = currentDatabase()`,
		{ name: 'doctor' },
	);
	const bytesAnEvent = Number(stored?.bytes ?? 0) / Math.max(1, Number(stored?.events ?? 0));
	return ((recent?.events ?? 0) / growthDays) * bytesAnEvent;
}

export function judgeDisk(name: string, disk: { free: number; total: number }, growthADay: number): Look {
	const days = growthADay > 0 ? disk.free / growthADay : Number.POSITIVE_INFINITY;
	const share = disk.free / Math.max(1, disk.total);
	const lasts =
		days > 3_650
			? 'lasts for years'
			: `lasts ${Math.floor(days)} days at the ${bytesInWords(growthADay)} a day of the last week`;
	const what = `${name} has ${bytesInWords(disk.free)} of ${bytesInWords(disk.total)} free, which ${lasts}.`;
	const advice = 'Make the disk larger, or keep events for fewer months in the settings of large websites.';
	// A twentieth of a large disk is still a lot.
	const isNarrow = (part: number, most: number) => share < part && disk.free < most;
	if (disk.free < gigabyte || isNarrow(0.05, 10 * gigabyte) || days < 14) return problem(what, advice);
	return isNarrow(0.1, 50 * gigabyte) || days < 60 ? notice(what, advice) : ok(what);
}

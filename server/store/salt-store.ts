/**
 * Where salts lie while they live. What is deleted from an ordinary table is still in PostgreSQL's log of changes, for
 * days: so on one box a salt is a file that is overwritten and unlinked, and on a server it is a row of a table that is not
 * logged and is dropped whole at the hour of destruction. Neither is ever part of a backup.
 */
import { randomBytes } from 'node:crypto';
import { constants, fsyncSync } from 'node:fs';
import { link, mkdir, open, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { hourMs } from '../lib/durations.ts';
import { locks } from './locks.ts';
import type { Postgres } from './postgres.ts';
import { identifier, sql, value } from './sql.ts';

export type StoredSalt = { zone: string; date: string; spentAt: number; salt: Buffer };

export type SaltStore = {
	/** The salt that all collectors use. The first caller creates it. */
	readOrMake(zone: string, date: string, spentAt: number): Promise<Buffer>;
	/** Destroys every salt whose time has come, and says how many. */
	destroySpent(now: number): Promise<number>;
	/** Puts salts that are in memory back, should a crash of the server have emptied its tables. */
	publish(salts: readonly StoredSalt[]): Promise<void>;
};

/** One file a salt, named by zone, date and the moment of its end. */
export function createSaltFiles(folder: string): SaltStore {
	const nameOf = (zone: string, date: string, spentAt: number) =>
		`${zone.replaceAll('/', '+')}@${date}@${spentAt}`;
	return {
		async readOrMake(zone, date, spentAt) {
			await mkdir(folder, { recursive: true, mode: 0o700 });
			const file = join(folder, nameOf(zone, date, spentAt));
			const known = await readFile(file).catch(() => undefined);
			if (known?.length === 32) return known;
			// Written to another file and linked into place, so no process reads half a salt, and the first one wins.
			const fresh = `${file}.${randomBytes(6).toString('hex')}`;
			const handle = await open(fresh, 'wx', 0o600);
			await handle.write(randomBytes(32));
			await handle.sync();
			await handle.close();
			await link(fresh, file).catch((error: NodeJS.ErrnoException) => {
				if (error.code !== 'EEXIST') throw error;
			});
			await destroy(fresh, 2);
			await syncFolder(folder);
			return readFile(file);
		},
		async destroySpent(now) {
			const names = await readdir(folder).catch(() => []);
			const spent = names.filter((name) => Number(name.split('@')[2]?.split('.')[0] ?? 0) <= now);
			for (const name of spent) await destroy(join(folder, name), 1);
			if (spent.length > 0) await syncFolder(folder);
			return spent.length;
		},
		publish: async () => undefined,
	};
}

/** Overwrites the bytes before the name goes; a second name of the same bytes only loses the name. */
async function destroy(file: string, links: 1 | 2) {
	if (links === 1) {
		const handle = await open(file, constants.O_WRONLY).catch((error: NodeJS.ErrnoException) => {
			if (error.code !== 'ENOENT') throw error;
		});
		// Another process of the service was first.
		if (!handle) return;
		await handle.write(randomBytes(32), 0, 32, 0);
		await handle.sync();
		await handle.close();
	}
	await rm(file, { force: true });
}

async function syncFolder(folder: string) {
	const handle = await open(folder, constants.O_RDONLY);
	fsyncSync(handle.fd);
	await handle.close();
}

/** One unlogged table for each hour in which salts end. */
export function createSaltTables(postgres: Postgres): SaltStore {
	const tableOf = (spentAt: number) =>
		`salts_${new Date(Math.ceil(spentAt / hourMs) * hourMs).toISOString().slice(0, 13).replace(/\D/g, '')}`;
	async function makeTable(name: string) {
		// Two at once would collide in the catalogue, in spite of IF NOT EXISTS.
		await postgres.transaction(async (tx) => {
			await tx.run(sql`SELECT pg_advisory_xact_lock(${value(locks.salts)}::bigint)`);
			await tx.run(
				sql`CREATE UNLOGGED TABLE IF NOT EXISTS ${identifier(name)} (zone text, date date, salt bytea NOT NULL, PRIMARY KEY (zone, date))`,
			);
		});
	}
	async function insert({ zone, date, spentAt, salt }: StoredSalt) {
		const table = identifier(tableOf(spentAt));
		await postgres.run(
			sql`INSERT INTO ${table} (zone, date, salt) VALUES (${value(zone)}, ${value(date)}::date, ${value(salt)}) ON CONFLICT DO NOTHING`,
		);
	}
	return {
		async readOrMake(zone, date, spentAt) {
			const name = tableOf(spentAt);
			await makeTable(name);
			await insert({ zone, date, spentAt, salt: randomBytes(32) });
			const [row] = await postgres.rows<{ salt: Buffer }>(
				sql`SELECT salt FROM ${identifier(name)} WHERE zone = ${value(zone)} AND date = ${value(date)}::date`,
			);
			if (!row) throw new Error(`The salt of ${zone} was not stored.`);
			return row.salt;
		},
		async destroySpent(now) {
			const tables = await postgres.rows<{ name: string }>(
				sql`SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() AND tablename ~ '^salts_[0-9]{10}$'`,
			);
			const spent = tables.filter(({ name }) => name <= tableOf(now - hourMs + 1));
			for (const { name } of spent) await postgres.run(sql`DROP TABLE IF EXISTS ${identifier(name)}`);
			return spent.length;
		},
		async publish(salts) {
			for (const salt of salts) {
				await makeTable(tableOf(salt.spentAt));
				await insert(salt);
			}
		},
	};
}

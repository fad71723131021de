/**
 * A migration runs while the version before it goes on collecting, on the same tables. So it may not block what a hit needs, and
 * may not take away what the version before still asks for. What a text can show of that is read here.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const folder = join(import.meta.dirname, '..', '..', 'migrations');

/** Every hit reads or writes these. */
const hot = ['websites', 'website_zones', 'tombstones', 'event_log'];

/** What the first release was made of: nobody runs a version before it. */
const firstRelease: Record<string, string> = {
	'changes_by_owner: it checks every row while the table is shut (ADD CONSTRAINT … NOT VALID, then VALIDATE, in two files)':
		'before the first release',
	// In the background, and the version before reads both types (docs/decisions/0019).
	'coded_paths: it writes data anew or takes away what the version before still uses':
		'before the first release',
	'open_coded_paths: it writes data anew or takes away what the version before still uses':
		'before the first release',
	'tombstones_by_website: an index shuts what every hit needs while it is built': 'before the first release',
};

type Found = { of: string; fault: string };

function statementsOf(text: string): string[] {
	const plain = text.replace(/--.*$/gm, '').replace(/\$\$.*?\$\$/gs, '$$body$$');
	return plain
		.split(';')
		.map((statement) => statement.replace(/\s+/g, ' ').trim())
		.filter((statement) => statement !== '');
}

const volatileDefault =
	/DEFAULT (?:\(?\s*)(?:random|gen_random_uuid|uuidv7|clock_timestamp|nextval|timeofday)\b|GENERATED ALWAYS AS \([^)]*\) STORED/i;

function faultsOfPostgres(of: string, text: string): Found[] {
	const statements = statementsOf(text);
	const made = new Set(
		statements.map((one) => /^CREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?(\w+)/i.exec(one)?.[1]),
	);
	return statements.flatMap((statement) => {
		const table =
			/^(?:ALTER TABLE (?:IF EXISTS )?(?:ONLY )?|UPDATE |LOCK (?:TABLE )?)(\w+)/i.exec(statement)?.[1] ??
			/^CREATE (?:UNIQUE )?INDEX .*? ON (?:ONLY )?(\w+)/i.exec(statement)?.[1];
		const faults: string[] = [];
		if (/^DROP TABLE|^ALTER TABLE .*\b(?:DROP COLUMN|RENAME)\b/i.test(statement))
			faults.push('it takes away what the version before still uses: do so one release later');
		if (table !== undefined && !made.has(table)) {
			if (/\bALTER COLUMN \w+ (?:SET DATA )?TYPE\b/i.test(statement))
				faults.push('it writes the whole table anew while it is shut');
			if (/\bADD COLUMN\b/i.test(statement) && volatileDefault.test(statement))
				faults.push('a default that differs from row to row writes the whole table anew while it is shut');
			if (/\bADD COLUMN\b[^,]*\bNOT NULL\b(?![^,]*\bDEFAULT\b)(?<!\bDEFAULT\b[^,]*)/i.test(statement))
				faults.push('a column without a default breaks inserts of the version before');
			if (/\bSET NOT NULL\b|\bADD CONSTRAINT\b(?!.*NOT VALID)/i.test(statement))
				faults.push(
					'it checks every row while the table is shut (ADD CONSTRAINT … NOT VALID, then VALIDATE, in two files)',
				);
			if (hot.includes(table)) {
				if (/^CREATE (?:UNIQUE )?INDEX/i.test(statement))
					faults.push('an index shuts what every hit needs while it is built');
				if (/^UPDATE/i.test(statement) || /^LOCK/i.test(statement))
					faults.push('it holds rows that every hit needs: move data by a command or a job, in slices');
			}
		}
		return faults.map((fault) => ({ of, fault }));
	});
}

function faultsOfClickHouse(of: string, text: string): Found[] {
	const statements = statementsOf(text);
	const faults: string[] = [];
	if (statements.length !== 1) faults.push('it is not one statement');
	for (const statement of statements) {
		if (!/\bIF (?:NOT )?EXISTS\b|\bMODIFY (?:SETTING|COMMENT|TTL|COLUMN)\b/i.test(statement))
			faults.push('it cannot be repeated');
		if (
			/\b(?:MATERIALIZE|UPDATE|DELETE|MODIFY COLUMN|DROP|RENAME|OPTIMIZE|DETACH|TRUNCATE)\b/i.test(statement)
		)
			faults.push('it writes data anew or takes away what the version before still uses');
	}
	return faults.map((fault) => ({ of, fault }));
}

const filesOf = (name: string) =>
	readdirSync(join(folder, name))
		.filter((file) => file.endsWith('.sql'))
		.map((file) => ({ of: file.slice(5, -4), text: readFileSync(join(folder, name, file), 'utf8') }));

test('[T66][F28] no migration blocks collection or takes away what the version before still uses', () => {
	const found = [
		...filesOf('postgres').flatMap(({ of, text }) => faultsOfPostgres(of, text)),
		...filesOf('clickhouse').flatMap(({ of, text }) => faultsOfClickHouse(of, text)),
	].map(({ of, fault }) => `${of}: ${fault}`);
	assert.deepEqual(
		found.filter((fault) => firstRelease[fault] === undefined),
		[],
	);
	assert.deepEqual(
		Object.keys(firstRelease).filter((fault) => !found.includes(fault)),
		[],
		'an exception that nobody needs',
	);
});

test('the reader of migrations knows what blocks and what does not', () => {
	const cases: [string, boolean][] = [
		['ALTER TABLE websites ADD COLUMN a text', true],
		["ALTER TABLE websites ADD COLUMN a text NOT NULL DEFAULT 'x', ADD COLUMN b int", true],
		['ALTER TABLE websites ADD COLUMN a text NOT NULL', false],
		['ALTER TABLE websites ADD COLUMN a uuid NOT NULL DEFAULT gen_random_uuid()', false],
		['ALTER TABLE websites ALTER COLUMN a TYPE bigint', false],
		['ALTER TABLE websites ALTER COLUMN a SET NOT NULL', false],
		['ALTER TABLE mails ADD CONSTRAINT c CHECK (a > 0)', false],
		['ALTER TABLE mails ADD CONSTRAINT c CHECK (a > 0) NOT VALID', true],
		['ALTER TABLE mails DROP COLUMN a', false],
		['ALTER TABLE mails RENAME COLUMN a TO b', false],
		['DROP TABLE mails', false],
		['CREATE INDEX i ON websites (a)', false],
		['CREATE INDEX i ON mails (a)', true],
		[
			'CREATE TABLE x (a int NOT NULL); CREATE INDEX i ON x (a); ALTER TABLE x ALTER COLUMN a SET NOT NULL',
			true,
		],
		['UPDATE websites SET a = 1', false],
		['LOCK TABLE websites', false],
	];
	for (const [text, isFine] of cases) assert.equal(faultsOfPostgres('x', text).length === 0, isFine, text);
	assert.equal(faultsOfClickHouse('x', 'ALTER TABLE events ADD COLUMN IF NOT EXISTS a UInt8').length, 0);
	assert.equal(faultsOfClickHouse('x', 'ALTER TABLE events UPDATE a = 1 WHERE 1').length, 2);
});

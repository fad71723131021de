import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { client } from '../support/client.ts';
import { freshDomain, websiteOf } from '../support/contract.ts';
import { world } from '../support/world.ts';

const w = await world({ after });
const owner = await w.account({ timezone: 'UTC', email: 'planted-control@example.test' });
const reader = await w.key(owner, { access: 'read' });
const revoked = await w.key(owner, {});
await w.revokeKey(revoked.id);
const rotated = await w.key(owner, {});
const successor = await w.rotateKey(rotated.id);
const limited = await w.key(owner, { scopes: ['stats'], networks: ['0.0.0.0/0'] });
const keys = [owner.key, limited.key, reader.key, revoked.key, rotated.key, successor.key];
const password = 'Password-Canary-5d20';
const made = await owner.api('POST', '/websites', {
	form: { domain: freshDomain(), privacy: '2', password },
	headers: { 'idempotency-key': 'at-rest' },
});
websiteOf(made, 201);
// The answer to a create with an Idempotency-Key is stored for a day; it shows the new key.
const created = await owner.api('POST', '/keys', {
	form: { name: 'Repeated' },
	headers: { 'idempotency-key': 'key-at-rest' },
});
assert.equal(created.status, 201, created.text);
keys.push((created.json as { data: { key: string } }).data.key);

/** Every row of every table, as text. */
async function dump(): Promise<string> {
	const tables = await w.sql<{ name: string }>(`
		SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
		WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')`);
	const rows = [];
	for (const { name } of tables)
		rows.push(...(await w.sql<{ row: string }>(`SELECT t::text AS row FROM ${name} AS t`)));
	return rows.map(({ row }) => row).join('\n');
}

const spellings = (secret: string) => [
	secret,
	secret.slice(3),
	secret.slice(0, 20),
	Buffer.from(secret).toString('hex'),
	Buffer.from(secret).toString('base64').slice(0, -4),
];

test('[T05] no key and no password is in the database', async () => {
	const text = await dump();
	// Controls: what must be there is found, so what is not found is not there.
	assert.ok(text.includes('planted-control@example.test'));
	assert.ok(text.includes(hash('sha256', owner.key, 'hex')));
	for (const secret of [...keys, password])
		for (const spelling of spellings(secret)) assert.equal(text.includes(spelling), false);
	assert.equal(text.includes(hash('sha256', password, 'hex')), false);
});

test('[T05] nothing that is in the database opens the API', async () => {
	const words = new Set((await dump()).match(/[0-9A-Za-z+/=_$-]{4,}/g));
	const found = [...words].flatMap((word) => [
		word,
		`tm_${word}`,
		Buffer.from(word, 'hex').toString('base64'),
	]);
	assert.ok(found.length > 20);
	for (const word of found.filter((text) => text !== '')) {
		const { status } = await client(w.base, word)('GET', '/account');
		assert.equal(status, 401, word);
	}
});

test('[T05] no key and no password is in a file of the data folder', async () => {
	await w.sql('CHECKPOINT');
	const files = readdirSync(w.config.dataFolder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name))
		.filter((file) => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) < 64 * 1024 * 1024);
	// The databases delete files of their own meanwhile.
	const read = (file: string) => (existsSync(file) ? readFileSync(file) : Buffer.alloc(0));
	const holding = (text: string) => files.filter((file) => read(file).includes(text));
	if (process.env.TEST_POSTGRES === undefined)
		assert.notDeepEqual(holding('planted-control@example.test'), []);
	for (const secret of [...keys, password]) assert.deepEqual(holding(secret), []);
});

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Client, client } from '../support/client.ts';
import { listOf, type Website } from '../support/contract.ts';
import { type ServiceProcess, startServiceProcess, tidemark } from '../support/service.ts';

let service: ServiceProcess;
const cleaning: (() => Promise<void>)[] = [];
before(async () => {
	service = await startServiceProcess({ after: (work) => void cleaning.unshift(work) });
});
after(async () => {
	assert.equal(await service.stop(), 0);
	for (const work of cleaning) await work();
});

let accounts = 0;
/** An account of its own for a test, a way to import into it and a way to see what it has. */
async function fresh() {
	const email = `owner${++accounts}@example.test`;
	const made = await tidemark([
		'account',
		'create',
		'--json',
		'--email',
		email,
		'--name',
		'A',
		'--data',
		service.folder,
	]);
	const api = client(service.base, JSON.parse(made.stdout).key);
	return {
		email,
		create: (...args: string[]) =>
			tidemark(['website', 'create', '--account', email, '--data', service.folder, ...args]),
		websites: () => listAll(api),
	};
}

async function listAll(api: Client): Promise<Website[]> {
	const found: Website[] = [];
	for (let page = 1; ; page++) {
		const { data, meta } = listOf(await api('GET', `/websites?per_page=100&sort=asc&page=${page}`));
		found.push(...data);
		if (page >= meta.last_page) return found;
	}
}

let files = 0;
function csv(text: string): string {
	const file = join(service.folder, `list${++files}.csv`);
	writeFileSync(file, text);
	return file;
}

test('a list with a domain a line, however an editor saved it', async () => {
	const { create, websites } = await fresh();
	const file = csv('\uFEFFone.example\r\n"two.example"\r\n\r\n# not yet\r\nhttps://www.three.example/\r\n');
	const made = await create('--file', file, '--json');
	assert.equal(made.code, 0, made.stderr);
	const rows = JSON.parse(made.stdout);
	assert.deepEqual(
		rows.map(({ domain, created }: { domain: string; created: boolean }) => [domain, created]),
		[
			['one.example', true],
			['two.example', true],
			['three.example', true],
		],
	);
	assert.deepEqual(
		(await websites()).map(({ id }) => id),
		rows.map(({ id }: { id: number }) => id),
	);
});

test('columns are the fields of the API', async () => {
	const { create, websites } = await fresh();
	const file = csv(
		[
			'Domain,privacy,password,timezone,exclude_params,exclude_ips,email,exclude_bots',
			'one.example,2,"with, a comma",Europe/Berlin,"utm_source',
			'fbclid",10.0.0.0/8,1,0',
			'two.example,1,,,,,,',
			'three.example',
		].join('\n'),
	);
	const made = await create('--file', file, 'four.example');
	assert.equal(made.code, 0, made.stderr);
	assert.match(made.stdout, /^(\d+\n){4}$/);
	assert.equal(made.stderr, '4 created, 0 already existed.\n');
	const [four, one, two, three] = await websites();
	assert.equal(four?.domain, 'four.example', 'what was typed comes first');
	const { id, created_at, updated_at, ...record } = one ?? {};
	assert.deepEqual(record, {
		domain: 'one.example',
		privacy: 2,
		has_password: true,
		email: 1,
		exclude_bots: 0,
		exclude_params: 'utm_source\nfbclid',
		exclude_ips: '10.0.0.0/8',
		favorite: 0,
		timezone: 'Europe/Berlin',
	});
	assert.deepEqual([two?.privacy, two?.has_password, two?.timezone], [1, false, 'UTC']);
	assert.deepEqual([three?.privacy, three?.exclude_bots], [0, 1]);
});

test('one bad row and nothing is created; every bad row is named', async () => {
	const { create, websites } = await fresh();
	const file = csv('domain,privacy\none.example,0\nlocalhost,0\ntwo.example,7\nthree.example,2\n');
	const refused = await create('--file', file);
	assert.equal(refused.code, 1);
	assert.equal(refused.stdout, '');
	assert.match(
		refused.stderr,
		/^Nothing was created, because the list has errors\.\n {2}- row 2: .*two parts.*\n {2}- row 3: .*privacy.*\n {2}- row 4: .*password.*\n$/,
	);
	const late = await create('two.example', '--file', csv('domain,privacy\nthree.example,2\n'));
	assert.equal(late.code, 1, 'a fault of two fields together is a fault too');
	assert.match(late.stderr, /row 2: Privacy mode 2 needs a password/);
	assert.deepEqual(await websites(), []);
});

test('a column that is no field, a missing file, an empty list and an unknown account are refused', async () => {
	const { create, websites } = await fresh();
	const cases: [string[], RegExp][] = [
		[
			['--file', csv('domain,colour\none.example,red\n')],
			/has unknown columns: colour\. Allowed: domain, privacy/,
		],
		[['--file', join(service.folder, 'nowhere.csv')], /ENOENT.*nowhere\.csv/],
		[['--file', csv('')], /Pass at least one domain/],
		[['--file', csv('domain\n')], /Pass at least one domain/],
		[[], /Pass at least one domain/],
		[['--file', csv('"one.example\n')], /quote/i],
		[['one.example', ''], /row 2: /],
	];
	for (const [args, reason] of cases) {
		const refused = await create(...args);
		assert.equal(refused.code, 1, args.join(' '));
		assert.match(refused.stderr, reason);
		assert.equal(refused.stdout, '');
	}
	const unknown = await tidemark([
		'website',
		'create',
		'--account',
		'no@example.test',
		'x.example',
		'--data',
		service.folder,
	]);
	assert.match(unknown.stderr, /There is no account no@example\.test/);
	assert.deepEqual(await websites(), []);
});

test('[C-PEOPLE-10] a website is moved to another account, with its id', async () => {
	const [from, to] = [await fresh(), await fresh()];
	const [id = ''] = (await from.create('moving.example', 'staying.example')).stdout.split('\n');
	const move = (...args: string[]) => tidemark(['website', 'move', '--data', service.folder, ...args]);
	const moved = await move(id, '--to', to.email.toUpperCase());
	assert.equal(moved.code, 0, moved.stderr);
	assert.equal(moved.stdout, `Transferred moving.example (${id}) from ${from.email} to ${to.email}.\n`);
	assert.deepEqual(
		(await from.websites()).map(({ domain }) => domain),
		['staying.example'],
	);
	assert.deepEqual(
		(await to.websites()).map((website) => [String(website.id), website.domain]),
		[[id, 'moving.example']],
	);
	const back = await move(id, '--to', from.email, '--json');
	assert.deepEqual(JSON.parse(back.stdout), {
		id: Number(id),
		domain: 'moving.example',
		from: to.email,
		to: from.email,
	});
	await to.create('moving.example');
	const refusals: [string[], RegExp][] = [
		[[id, '--to', to.email], /already has a website moving\.example/],
		[[id, '--to', from.email], /already belongs to this account/],
		[[id, '--to', 'no@example.test'], /There is no account no@example\.test/],
		[['987654', '--to', to.email], /There is no website 987654/],
		[['x', '--to', to.email], /"x" is not a website id/],
		[[id], /--to <email>/],
	];
	for (const [args, reason] of refusals) {
		const refused = await move(...args);
		assert.equal(refused.code, 1, args.join(' '));
		assert.match(refused.stderr, reason);
	}
	await tidemark(['account', 'limit', to.email, '--websites', '1', '--data', service.folder]);
	const [other = ''] = (await from.create('other.example')).stdout.split('\n');
	assert.match((await move(other, '--to', to.email)).stderr, /reached its limit of 1 websites/);
});

test('three thousand rows: one id each, the same ids when repeated, and a word now and then', async (t) => {
	const { create, websites } = await fresh();
	const domains = Array.from({ length: 3_000 }, (_, number) => `w${number}.example`);
	const file = csv(`domain\n${domains.join('\n')}\n`);
	const started = performance.now();
	const first = await create('--file', file);
	t.diagnostic(`3,000 websites in ${Math.round(performance.now() - started)} ms`);
	assert.equal(first.code, 0, first.stderr);
	const ids = first.stdout.trim().split('\n');
	assert.equal(new Set(ids).size, 3_000);
	assert.match(first.stderr, /100 % {2}3000 of 3000\n3000 created, 0 already existed\.\n$/);
	const again = await create('--file', file);
	assert.equal(again.stdout, first.stdout);
	assert.match(again.stderr, /0 created, 3000 already existed\.\n$/);
	const found = await websites();
	assert.deepEqual(
		found.map(({ id, domain }) => [String(id), domain]),
		domains.map((domain, row) => [ids[row], domain]),
	);
});

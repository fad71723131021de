// Makes the passwords of compose.servers.yaml, once: what is there stays. Each folder belongs to the one user who reads it.
import { createHash, randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder = '/secrets'] = process.argv.slice(2);
/** The users of the images: node, postgres, clickhouse. */
const owners = { tidemark: 1000, postgres: 999, clickhouse: 101 };
const isRoot = process.getuid?.() === 0;
const make = () => randomBytes(24).toString('base64url');

if (!existsSync(join(folder, 'tidemark', 'secret'))) {
	const [postgres, clickhouse] = [make(), make()];
	const digest = createHash('sha256').update(clickhouse).digest('hex');
	const files = {
		'postgres/password': postgres,
		'clickhouse/tidemark.xml': `<clickhouse><users>
	<default remove="remove"/>
	<tidemark>
		<password_sha256_hex>${digest}</password_sha256_hex>
		<networks><ip>::/0</ip></networks>
		<profile>default</profile>
		<quota>default</quota>
	</tidemark>
</users></clickhouse>`,
		'tidemark/database-url': `postgres://tidemark:${postgres}@postgres:5432/tidemark`,
		'tidemark/clickhouse-url': `http://tidemark:${clickhouse}@clickhouse:8123/default`,
		// The last one: without it the next start makes all of them anew.
		'tidemark/secret': make() + make(),
	};
	for (const [name, owner] of Object.entries(owners)) {
		mkdirSync(join(folder, name), { recursive: true, mode: 0o700 });
		if (isRoot) chownSync(join(folder, name), owner, owner);
	}
	for (const [name, text] of Object.entries(files)) {
		writeFileSync(join(folder, name), `${text}\n`, { mode: 0o400 });
		const owner = owners[name.split('/')[0]];
		if (isRoot) chownSync(join(folder, name), owner, owner);
	}
}

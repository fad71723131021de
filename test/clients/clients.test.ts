import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createClient } from '@hey-api/openapi-ts';
import openapiTypes, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { z } from 'zod';
import { makePng } from '../support/images.ts';
import { world } from '../support/world.ts';
import { zipOf } from '../support/zip.ts';

const root = join(import.meta.dirname, '../..');
const file = join(root, 'api/openapi.json');
const responses = z.record(z.string(), z.object({ headers: z.record(z.string(), z.unknown()).optional() }));
const operation = z.object({ tags: z.tuple([z.string()]), responses: z.record(z.string(), z.unknown()) });
const described = z
	.object({
		tags: z.array(z.object({ name: z.string() })),
		paths: z.record(z.string(), z.record(z.string(), operation)),
		components: z.object({ responses }),
	})
	.parse(JSON.parse(readFileSync(file, 'utf8')));
const operations = Object.entries(described.paths).flatMap(([path, methods]) =>
	Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
);

const folder = mkdtempSync(join(tmpdir(), 'tidemark-clients-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Types by one generator, a whole SDK by another, and what uses them, in a folder like a user's. */
async function generate(): Promise<void> {
	symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
	cpSync(join(import.meta.dirname, 'generated'), folder, { recursive: true });
	// The document is JSON; its shape is the generator's to judge.
	const document = JSON.parse(readFileSync(file, 'utf8')) as OpenAPI3;
	writeFileSync(join(folder, 'schema.d.ts'), astToString(await openapiTypes(document)));
	await createClient({
		input: file,
		output: join(folder, 'sdk'),
		logs: { level: 'silent', file: false },
		plugins: ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'],
	});
	writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
	const compilerOptions = {
		...{ target: 'es2022', lib: ['es2023', 'dom', 'dom.iterable'], types: [] },
		...{ module: 'esnext', moduleResolution: 'bundler', allowImportingTsExtensions: true },
		...{ strict: true, noUncheckedIndexedAccess: true, noUnusedLocals: true, noEmit: true },
	};
	writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts', 'sdk'] }));
}

test('[C-HTTP-12] generated TypeScript clients compile in strict mode, and one calls every operation', async () => {
	await generate();
	const w = await world({ after });
	const account = await w.account({ timezone: 'UTC' });
	try {
		execFileSync(join(root, 'node_modules/ts7/bin/tsc'), ['-p', folder], { encoding: 'utf8' });
	} catch (error) {
		assert.fail(String(error instanceof Error && 'stdout' in error ? error.stdout : error));
	}
	const archive = zipOf([
		{
			name: 'imported_visitors_20240301_20240302.csv',
			text: 'date,visitors,pageviews,bounces,visits,visit_duration\n2024-03-01,10,30,4,12,600\n2024-03-02,5,8,3,6,120',
		},
	]);
	const called = new Set<string>();
	const missing: string[] = [];
	const calls: Calls = await import(join(folder, 'every-operation.ts'));
	await calls.callEveryOperation({
		baseUrl: `${w.base}/api/v1`,
		key: account.key,
		archive,
		logo: makePng(),
		seen(method, path, response) {
			called.add(`${method} ${path}`);
			for (const name of documentedHeaders(method, path, response.status))
				if (!response.headers.has(name)) missing.push(`${name} of ${response.status} ${method} ${path}`);
		},
	});
	assert.deepEqual([...called].toSorted(), operations.toSorted());
	assert.deepEqual(missing, [], 'headers that are described and not sent');
});

/** What `generated/every-operation.ts` exports. */
type Calls = {
	callEveryOperation(options: {
		baseUrl: string;
		key: string;
		archive: Uint8Array;
		logo: Uint8Array;
		seen(method: string, path: string, response: Response): void;
	}): Promise<void>;
};

/** Those that a response of this status always has. */
function documentedHeaders(method: string, path: string, status: number): string[] {
	const response = described.paths[path]?.[method.toLowerCase()]?.responses[status];
	assert.ok(response, `${status} of ${method} ${path} is not described`);
	const { $ref, headers } = z
		.object({ $ref: z.string().optional(), headers: z.record(z.string(), z.unknown()).optional() })
		.parse(response);
	const shared = described.components.responses[$ref?.split('/').at(-1) ?? ''];
	const names = Object.keys(headers ?? shared?.headers ?? {});
	assert.ok(names.includes('X-RateLimit-Limit'), `${status} of ${method} ${path} has no headers`);
	return names.filter((name) => name !== 'Idempotency-Replayed');
}

test('[C-HTTP-12] operations are spread over tags that are described', () => {
	const known = described.tags.map(({ name }) => name);
	const used = Object.values(described.paths).flatMap((methods) =>
		Object.values(methods).map(({ tags: [tag] }) => tag),
	);
	assert.deepEqual([...new Set(used)].toSorted(), known.toSorted());
	for (const tag of known) {
		const share = used.filter((one) => one === tag).length / used.length;
		assert.ok(share <= 0.25, `${tag}: ${share}`);
	}
});
